"""Where people may be sent at the end: to no other sites than somebody has allowed."""

import re
from collections.abc import Collection
from typing import Final

# Always allowed.
PLATFORM_HOSTS: Final = ("app.prolific.com",)
# No user, no port, no sign that browsers read as another one.
_ADDRESS: Final = re.compile(r"https://([A-Za-z0-9.-]+)(?:[/?#][!-\[\]-~]*)?")


def is_allowed(address: str, hosts: Collection[str]) -> bool:
    """Tell whether it is an https address of a platform, or of one of the hosts, exactly."""
    match = _ADDRESS.fullmatch(address)
    return match is not None and match[1].lower() in {*PLATFORM_HOSTS, *hosts}
