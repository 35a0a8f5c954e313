"""Where a request comes from."""

from ipaddress import IPv6Address, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

# Whoever has an IPv6 address has as many as he likes of the network that it is in.
OF_ONE_PERSON = 64


def client_address(request: HttpRequest) -> str | None:
    """Return the address that a request comes from, an IPv6 one as its network; None if unknown.

    Behind PROXIES of our own, the outermost of them has written it: that many from the right.
    Further left stands whatever a visitor likes, which is never looked at.
    """
    header = request.headers.get("X-Forwarded-For", "")
    written = header.split(",") if header else []
    through_all = 0 < settings.PROXIES <= len(written)
    said = written[-settings.PROXIES] if through_all else request.META.get("REMOTE_ADDR", "")
    try:
        address = ip_address(said.strip())
    except ValueError:
        return None
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    network = ip_network((address.packed, OF_ONE_PERSON), strict=False)
    return str(network.network_address)
