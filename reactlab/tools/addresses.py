"""Which Internet addresses are public, and which spellings of a host are plain."""

from __future__ import annotations

import re
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

SPECIAL = [
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this host
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carriers' shared space; some clouds keep their metadata here
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's host service, although the number looks public
        "169.254.0.0/16",  # link-local, where most clouds keep their metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
]
"""IPv4 networks that are not the public Internet (IANA special-purpose registry, RFC 6890)."""

GLOBAL = IPv6Network("2000::/3")
SPECIAL_V6 = [IPv6Network(each) for each in ("2001::/23", "2001:db8::/32", "3fff::/20")]
NAT64 = IPv6Network("64:ff9b::/96")
ISATAP = (0x00005EFE, 0x02005EFE)

OWN_NAMES = {"localhost", "localdomain", "ip6-localhost", "ip6-loopback", "broadcasthost"}

_NAME = re.compile(r"[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*")
_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")


def is_public(address: str) -> bool:
    """Say whether `address` (numbers, IPv4 or IPv6) belongs to the public Internet.

    IPv6 forms that carry an IPv4 address (mapped, 6to4, NAT64, ISATAP) are as public as that.
    """
    try:
        found = ip_address(address)
    except ValueError:
        return False
    if isinstance(found, IPv6Address):
        return _is_public_v6(found)
    return not any(found in network for network in SPECIAL)


def _is_public_v6(address: IPv6Address) -> bool:
    if address.scope_id is not None:
        return False
    last = IPv4Address(int(address) & 0xFFFFFFFF)
    inside = address.ipv4_mapped or address.sixtofour or (last if address in NAT64 else None)
    if (int(address) >> 32) & 0xFFFFFFFF in ISATAP:
        inside = last
    if inside:
        return is_public(str(inside))
    return address in GLOBAL and not any(address in network for network in SPECIAL_V6)


def canonical(host: str) -> str:
    """`host` in lower case, without a root dot at the end, and IPv6 in its short form."""
    name = host.lower().removesuffix(".")
    return str(ip_address(name)) if ":" in name and is_number(name) else name


def is_number(host: str) -> bool:
    """Say whether `host` is an address in numbers, IPv4 in its one plain spelling."""
    try:
        return str(ip_address(host)) == host or ":" in host
    except ValueError:
        return False


def is_plain(host: str) -> bool:
    """Say whether `host` is a name or a plainly written address.

    `127.1`, `0x7f000001`, `2130706433` and the like are neither: systems read them differently.
    """
    if len(host) > 253:
        return False
    return is_number(host) or bool(_NAME.fullmatch(host) and not _NUMBER.fullmatch(host))


def is_own_name(host: str) -> bool:
    """Say whether `host` is a name of this computer, whatever a name server answers (RFC 6761)."""
    return host in OWN_NAMES or host.endswith((".localhost", ".localdomain"))
