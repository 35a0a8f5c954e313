"""Which addresses may be told: those of hosts that the installation allows, out in the open."""

import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from webhooks.models import LONGEST_ADDRESS

PORTS = {"https": 443, "http": 80}
# Outside of it are loopback, link-local, unique local, multicast, and all forms but one in which
# an IPv4 address hides; and the one within is 6to4.
OPEN_IPV6 = IPv6Network("2000::/3")
HIDING_IPV6 = IPv6Network("2002::/16")
# Held to be open by Python: relays to 6to4 and AMT, AS112, and what is for documents only.
CLOSED_IPV4 = [
    IPv4Network(network)
    for network in ("192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.175.48.0/24")
]
CLOSED_IPV6 = [IPv6Network(network) for network in ("2620:4f:8000::/48", "3fff::/20")]
# Seconds; the resolver itself may ask one server after another for minutes.
LOOKED_UP_WITHIN = 10.0


class NotAllowed(Exception):
    """An address that nothing is sent to; the message is for people."""


@dataclass(frozen=True)
class Target:
    """What stands in an address: where to connect, and what to ask for there."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_https(self) -> bool:
        return self.scheme == "https"

    @property
    def named(self) -> str:
        """As the header Host has it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"


def parse(address: str) -> Target:
    """Return what the address says if its host is allowed. Raises NotAllowed."""
    if not address.isascii() or not address.isprintable() or set(address) & set(' \\"<>^`{|}'):
        raise NotAllowed(
            _("Write the address in plain characters: those of other alphabets percent-encoded.")
        )
    if len(address) > LONGEST_ADDRESS:
        told = _("The address is too long: %(limit)d characters are allowed.")
        raise NotAllowed(told % {"limit": LONGEST_ADDRESS})
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        host = None
    if not host or parts.username is not None or parts.fragment or parts.netloc.endswith(":"):
        raise NotAllowed(_("Write the whole address, as in https://example.org/segranks."))
    if parts.scheme not in (PORTS if settings.WEBHOOK_PRIVATE else ("https",)):
        raise NotAllowed(_("The address has to begin with https://."))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    target = Target(parts.scheme, host, PORTS[parts.scheme] if port is None else port, path)
    if not _is_listed(target):
        told = _("Nothing may be sent to %(host)s: whoever runs SegRanks has to allow it first.")
        raise NotAllowed(told % {"host": f"{target.host}:{target.port}"})
    return target


def _is_listed(target: Target) -> bool:
    """A host is listed alone, for 443, or with a port."""
    listed = {host.lower() for host in settings.WEBHOOK_HOSTS}
    host = f"[{target.host}]" if ":" in target.host else target.host
    return f"{host}:{target.port}" in listed or (target.port == PORTS["https"] and host in listed)


def resolve(target: Target) -> str:
    """Return the one IP address to connect to, so that nobody is asked for it again.

    Raises NotAllowed where any of the host's addresses leads into a network that is not the open
    internet, and OSError where the host has none.
    """
    found = addresses_of(target.host, target.port)
    for address in found:
        if not settings.WEBHOOK_PRIVATE and not is_open(address):
            told = _("%(host)s leads to %(address)s, which is not an address of the open internet.")
            raise NotAllowed(told % {"host": target.host, "address": address})
    return found[0]


def addresses_of(host: str, port: int) -> list[str]:
    """Ask the resolver of this machine. Raises OSError, TimeoutError too, and UnicodeError."""
    answers: SimpleQueue[list[str] | OSError | UnicodeError] = SimpleQueue()
    # A thread, since nothing else ends what waits for the resolver.
    Thread(target=_look_up, args=(host, port, answers), daemon=True).start()
    try:
        answer = answers.get(timeout=LOOKED_UP_WITHIN)
    except Empty:
        raise TimeoutError(f"it took longer than {LOOKED_UP_WITHIN:.0f} seconds") from None
    if isinstance(answer, Exception):
        raise answer
    return answer


def _look_up(
    host: str, port: int, answers: "SimpleQueue[list[str] | OSError | UnicodeError]"
) -> None:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as problem:
        answers.put(problem)
    else:
        answers.put([str(address[0]) for *_kind, address in found])


def is_open(text: str) -> bool:
    """Tell whether anybody on the internet could be meant by this IP address."""
    try:
        address = ip_address(text)
    except ValueError:
        return False
    return _is_open_ipv4(address) if isinstance(address, IPv4Address) else _is_open_ipv6(address)


def _is_open_ipv4(address: IPv4Address) -> bool:
    in_the_open = address.is_global and not any(address in closed for closed in CLOSED_IPV4)
    return in_the_open and not address.is_multicast and not address.is_reserved


def _is_open_ipv6(address: IPv6Address) -> bool:
    closed = [HIDING_IPV6, *CLOSED_IPV6]
    in_the_open = address in OPEN_IPV6 and not any(address in network for network in closed)
    return in_the_open and address.is_global and address.scope_id is None
