"""Which URLs webhooks may have: those of hosts that the installation allows."""

import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

from webhooks.models import LONGEST_ADDRESS

PORTS: Final = {"https": 443, "http": 80}


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
    # IPv6 forms that contain an IPv4 address are reserved (::ffff:0:0/96, 64:ff9b::/96) or 6to4.
    hides_ipv4 = address.version == 6 and address.sixtofour is not None
    closed = address.is_multicast or address.is_reserved or hides_ipv4
    return address.is_global and not closed
