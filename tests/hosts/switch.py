"""A switch between hosts that delays frames, loses some, and cuts hosts off, by order.

    python -m tests.hosts.switch DEVICE MAC [DEVICE MAC …]

Each device is the near end of a host's cable, and MAC the address of its far end. Orders are lines
of JSON on standard input, each answered by a line: `delay` in seconds from any host to any other,
`loss` as a share of the frames, `cut` with the devices that are cut off. A kernel without netem
needs a program for this. Frames keep their header for checksums that the far end's kernel left
undone, so that all that hosts send passes unchanged.
"""

import heapq
import json
import os
import random
import select
import socket
import sys
import time
from contextlib import suppress
from dataclasses import dataclass

# Of <linux/if_packet.h>, which the module `socket` does not name.
SOL_PACKET, PACKET_VNET_HDR, PACKET_IGNORE_OUTGOING = 263, 15, 23
SO_RCVBUFFORCE = 33
EVERY_PROTOCOL = 0x0003
# Bytes of the header that PACKET_VNET_HDR puts before each frame.
HEADER = 10
LARGEST = HEADER + 2**16 + 64
# Frames that wait for the program while it forwards others.
BUFFER = 2**24
# Frames of one host that are read in a row.
AT_ONCE = 64


@dataclass
class Port:
    """The near end of a host's cable."""

    device: str
    socket: socket.socket
    is_cut: bool = False


class Switch:
    """Forwards frames by the address they are for."""

    def __init__(self, ends: dict[str, str]) -> None:
        self.delay = self.loss = 0.0
        self.ports = {bytes.fromhex(mac.replace(":", "")): _open(d) for d, mac in ends.items()}
        # When each frame is due, a number that keeps their order, the frame, where it goes.
        self._waiting: list[tuple[float, int, bytes, Port]] = []
        self._number = 0

    def run(self) -> None:
        """Forward frames and obey orders until standard input ends."""
        by_number = {port.socket.fileno(): port for port in self.ports.values()}
        orders = sys.stdin.fileno()
        sources = [*by_number, orders]
        unread = b""
        while True:
            wait = None
            if self._waiting:
                wait = max(self._waiting[0][0] - time.monotonic(), 0)
            ready, _, _ = select.select(sources, [], [], wait)
            for source in ready:
                if source == orders:
                    read = os.read(orders, 4096)
                    if not read:
                        return
                    *lines, unread = (unread + read).split(b"\n")
                    for line in lines:
                        self._obey(json.loads(line))
                else:
                    self._read(by_number[source])
            self._send_due()

    def _obey(self, order: dict[str, object]) -> None:
        self.delay = float(str(order["delay"]))
        self.loss = float(str(order["loss"]))
        cut = order["cut"]
        assert isinstance(cut, list)
        for port in self.ports.values():
            port.is_cut = port.device in cut
        print("done", flush=True)

    def _read(self, port: Port) -> None:
        for _frame in range(AT_ONCE):
            try:
                frame = port.socket.recv(LARGEST)
            except (BlockingIOError, OSError):
                return
            if port.is_cut or random.random() < self.loss:
                continue
            due = time.monotonic() + self.delay
            target = self.ports.get(frame[HEADER : HEADER + 6])
            targets = [target] if target else list(self.ports.values())
            for other in targets:
                if other is not port:
                    self._number += 1
                    heapq.heappush(self._waiting, (due, self._number, frame, other))

    def _send_due(self) -> None:
        now = time.monotonic()
        while self._waiting and self._waiting[0][0] <= now:
            _due, _number, frame, port = heapq.heappop(self._waiting)
            if not port.is_cut:
                # A frame that does not go out is lost, as one on a real cable.
                with suppress(OSError):
                    port.socket.send(frame)


def _open(device: str) -> Port:
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERY_PROTOCOL))
    opened.setsockopt(SOL_PACKET, PACKET_VNET_HDR, 1)
    opened.setsockopt(SOL_PACKET, PACKET_IGNORE_OUTGOING, 1)
    opened.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
    opened.bind((device, EVERY_PROTOCOL))
    opened.setblocking(False)
    return Port(device, opened)


if __name__ == "__main__":
    Switch(dict(zip(sys.argv[1::2], sys.argv[2::2], strict=True))).run()
