"""Which addresses are of the public internet, and that slow names wait for themselves alone."""

import asyncio
import socket
import threading
from typing import Any

import pytest

from brskills_server.outbound.public_network import is_public, resolve

SLOW = 24

PRIVATE_TEXT = """
127.0.0.1 10.1.2.3 192.168.0.1 172.16.0.1 169.254.169.254 169.254.170.2 100.64.0.1 0.0.0.0 255.255.255.255
224.0.0.1 192.0.2.1 ::1 :: fe80::1 fe80::1%eth0 fc00::1 fd00:ec2::254 fec0::1 ff02::1 ::ffff:127.0.0.1
::ffff:169.254.169.254 ::127.0.0.1 64:ff9b::a9fe:a9fe 64:ff9b:1::a00:1 2002:7f00:1:: 2002:a9fe:a9fe::1
2001:0:4136:e378:8000:63bf:80ff:fffe 2001:db8::1
192.0.0.192 ::ffff:192.0.0.192 192.88.99.1 3fff::1 ::ffff:0:10.0.0.1
"""


def test_private_addresses_are_not_public() -> None:
    assert [address for address in PRIVATE_TEXT.split() if is_public(address)] == []


def test_addresses_of_the_internet_are_public() -> None:
    for address in ("8.8.8.8", "1.1.1.1", "2606:4700:4700::1111", "::ffff:8.8.8.8", "2002:808:808::1"):
        assert is_public(address), address


def test_slow_names_do_not_block_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look-up continues after our time-out: only the system's ends it."""
    may_go_on = threading.Event()

    def getaddrinfo(host: str, *_: Any, **__: Any) -> list[Any]:
        if host == "slow.example":
            may_go_on.wait()
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("192.0.2.1", 443))]

    async def look_up() -> list[str]:
        slow = [asyncio.create_task(resolve("slow.example", 443)) for _ in range(SLOW)]
        await asyncio.sleep(0)
        try:
            return await asyncio.wait_for(resolve("app.example", 443), 30)
        finally:
            may_go_on.set()
            await asyncio.gather(*slow)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    assert asyncio.run(look_up()) == ["192.0.2.1"]
