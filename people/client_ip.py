"""The IP address that a request comes from."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

# One person's IPv6 network: they can use any address in it.
IPV6_PREFIX = 64


def client_address(request: HttpRequest) -> str | None:
    """Return the visitor's IP address, for IPv6 that of their network; None if unknown.

    Behind PROXIES proxies of our own, it is the entry of X-Forwarded-For that the outermost of them
    added: that many from the right. Entries further left can be forged and are ignored.
    """
    header = request.headers.get("X-Forwarded-For", "")
    entries = header.split(",") if header else []
    through_all = 0 < settings.PROXIES <= len(entries)
    text = entries[-settings.PROXIES] if through_all else request.META.get("REMOTE_ADDR", "")
    try:
        address = ip_address(text.strip())
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    network = ip_network((address.packed, IPV6_PREFIX), strict=False)
    return str(network.network_address)
