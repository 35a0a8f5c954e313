"""Which URLs webhooks may have: those of hosts that the installation allows."""

import socket
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from webhooks.models import LONGEST_ADDRESS

PORTS: Final = {"https": 443, "http": 80}
# All public IPv6 addresses are in it. Outside are site-local ones (fec0::/10), which Python holds
# for public, and all forms but 6to4 (2002::/16) that contain an IPv4 address.
PUBLIC_IPV6: Final = IPv6Network("2000::/3")
# Python holds these for public, too: relays to 6to4, AS112, AMT, and documentation.
SPECIAL: Final[tuple[IPv4Network | IPv6Network, ...]] = (
    *map(IPv4Network, ("192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24")),
    *map(IPv6Network, ("2002::/16", "2620:4f:8000::/48", "3fff::/20")),
)


class NotAllowed(Exception):
    """Nothing is sent to this URL; the message is for people."""


def check(url: str) -> None:
    """Raise NotAllowed unless this is a URL of an allowed host and port."""
    if not url.isascii() or not url.isprintable() or set(url) & set(' \\"<>^`{|}'):
        raise NotAllowed(
            _("Use ASCII characters only. Percent-encode characters of other alphabets.")
        )
    if len(url) > LONGEST_ADDRESS:
        message = _("The URL is too long. At most %(limit)d characters are allowed.")
        raise NotAllowed(message % {"limit": LONGEST_ADDRESS})
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.username is not None or parts.fragment or parts.netloc.endswith(":"):
        raise NotAllowed(_("Enter a full URL, for example https://example.org/segranks."))
    if parts.scheme not in (PORTS if settings.WEBHOOK_PRIVATE else ("https",)):
        raise NotAllowed(_("The URL must start with https://."))
    port = PORTS[parts.scheme] if port is None else port
    name = f"[{host}]" if ":" in host else host
    allowed = {entry.lower() for entry in settings.WEBHOOK_HOSTS}
    # An entry without a port allows 443 only.
    if f"{name}:{port}" not in allowed and not (port == PORTS["https"] and name in allowed):
        message = _("The site administrator has not allowed webhooks to %(host)s.")
        raise NotAllowed(message % {"host": f"{host}:{port}"})


def resolve(host: str, port: int) -> str:
    """Return an IP address of the host.

    Raises NotAllowed if any of its addresses is not a public one, and OSError if it has none.
    """
    answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    found = [str(address[0]) for *_kind, address in answers]
    for address in found:
        if not settings.WEBHOOK_PRIVATE and not is_public(address):
            message = _("%(host)s resolves to %(address)s, which is not a public internet address.")
            raise NotAllowed(message % {"host": host, "address": address})
    return found[0]


def is_public(text: str) -> bool:
    """Tell whether this IP address is one of the public internet."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    if address.version == 6 and (address not in PUBLIC_IPV6 or address.scope_id is not None):
        return False
    special = any(address in network for network in SPECIAL)
    return address.is_global and not (address.is_multicast or address.is_reserved or special)
