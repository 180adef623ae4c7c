"""A server that accepts connections and says nothing."""

import socket
from threading import Thread


class Silent:
    """A server that accepts connections and holds them. ``most``: those that were open at once."""

    def __init__(self) -> None:
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self.listening.getsockname()[1]
        self.held: list[socket.socket] = []
        self.most = 0
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.listening.accept()
            except OSError:
                return
            connection.setblocking(False)
            self.held.append(connection)
            self.most = max(self.most, self.open)

    @property
    def open(self) -> int:
        """Return how many connections the clients have open."""
        return sum(map(_is_open, self.held))

    def close(self) -> None:
        self.listening.shutdown(socket.SHUT_RDWR)
        for each in self.held:
            each.close()
        self.listening.close()


def _is_open(connection: socket.socket) -> bool:
    try:
        while connection.recv(65_536):
            pass
    except BlockingIOError:
        return True
    except OSError:
        pass
    return False
