"""Servers for tests: one that is running, or one of our own that ends with the test."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Self

import psycopg2
import redis

LOCAL_POSTGRESQL = "postgresql://postgres@127.0.0.1:5432"
STARTED_WITHIN = 30.0


class Unavailable(Exception):
    """The server cannot be had here; the message says what to install."""


@contextmanager
def postgresql_server() -> Iterator[str]:
    """Yield the URL, without a database, of the server on this machine or of one of our own."""
    if _postgresql_answers(LOCAL_POSTGRESQL):
        yield LOCAL_POSTGRESQL
    else:
        with own_postgresql() as url:
            yield url


@contextmanager
def postgresql_database(server: str, like: str = "template1") -> Iterator[str]:
    """Yield the URL of a new database, empty or a copy of the one named, and drop it in the end."""
    name = f"segranks_{os.getpid()}_{token_hex(4)}"
    _execute(server, f"CREATE DATABASE {name} TEMPLATE {like}")
    try:
        yield f"{server}/{name}"
    finally:
        _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def redis_server() -> Iterator[str]:
    """Yield the URL of a Redis of our own, which keeps nothing and ends in the end."""
    with own_redis(["redis-server", "--save", "", "--appendonly", "no"]) as port:
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def own_redis(command: list[str], password: str | None = None) -> Iterator[int]:
    """Yield the port of a Redis that is started by this command, and ends in the end."""
    with OwnRedis(command, password) as server:
        yield server.port


@contextmanager
def own_postgresql(user: str = "postgres", password: str = "") -> Iterator[str]:
    """Yield the URL, without a database, of a PostgreSQL of our own, which ends in the end.

    Where there is a password, it has to be given.
    """
    with OwnPostgreSQL(user, password) as server:
        yield server.url


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class OwnServer:
    """A server of our own in a folder of its own, which can be stopped and started again."""

    # Who runs it, where that is not who runs the tests.
    _user: str | None = None

    def __init__(self, name: str) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix=f"segranks-{name}-"))
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_problem: object) -> None:
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self) -> None:
        """Start it, once more too, and return when it answers."""
        self._process = subprocess.Popen(
            self._command(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            user=self._user,
        )
        _wait(self._process, self._answers)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Send it the signal and wait for its end."""
        if self._process:
            self._process.send_signal(number)
            self._process.wait(STARTED_WITHIN)
            self._process = None

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        raise NotImplementedError


class OwnRedis(OwnServer):
    """A Redis that is started by this command."""

    def __init__(self, command: list[str], password: str | None = None) -> None:
        program = shutil.which(command[0])
        if program is None:
            raise Unavailable("There is no Redis: install Debian's package redis-server.")
        super().__init__("redis")
        self._program = [program, *command[1:]]
        self._client = redis.Redis(port=self.port, password=password)

    def empty(self) -> None:
        """Throw away, while it is stopped, all that it would have kept."""
        shutil.rmtree(self.folder)
        self.folder.mkdir()

    def _command(self) -> list[str]:
        here = ["--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        return [*self._program, *here]

    def _answers(self) -> bool:
        try:
            return bool(self._client.ping())
        except (redis.ConnectionError, redis.BusyLoadingError):
            return False


class OwnPostgreSQL(OwnServer):
    """A PostgreSQL; where there is a password, it has to be given."""

    def __init__(self, user: str = "postgres", password: str = "") -> None:
        initdb, self._postgres = _postgresql_program("initdb"), _postgresql_program("postgres")
        super().__init__("postgresql")
        self.url = f"postgresql://{user}{password and ':' + password}@127.0.0.1:{self.port}"
        known = self.folder / "password"
        known.write_text(password)
        if os.getuid() == 0:
            # PostgreSQL refuses to run as root.
            self._user = "nobody"
            shutil.chown(self.folder, "nobody")
        auth = ["--auth=scram-sha-256", f"--pwfile={known}"] if password else ["--auth=trust"]
        subprocess.run(
            [initdb, f"--username={user}", *auth, "--no-sync", self._data],
            check=True,
            capture_output=True,
            cwd="/",
            user=self._user,
        )

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _command(self) -> list[str]:
        options = ["-p", str(self.port), "-k", str(self.folder), "-c", "fsync=off"]
        return [self._postgres, "-D", self._data, *options]

    def _answers(self) -> bool:
        return _postgresql_answers(self.url)


def _postgresql_program(name: str) -> str:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(installed[-1]) if installed else shutil.which(name)
    if found is None:
        raise Unavailable("There is no PostgreSQL: install Debian's package postgresql.")
    return found


def _postgresql_answers(url: str) -> bool:
    try:
        psycopg2.connect(f"{url}/postgres", connect_timeout=3).close()
    except psycopg2.OperationalError:
        return False
    return True


def _execute(server: str, statement: str) -> None:
    connection = psycopg2.connect(f"{server}/postgres")
    try:
        connection.autocommit = True
        connection.cursor().execute(statement)
    finally:
        connection.close()


def _wait(process: subprocess.Popen[bytes], answers: Callable[[], bool]) -> None:
    deadline = time.monotonic() + STARTED_WITHIN
    while not answers():
        if process.poll() is not None or time.monotonic() > deadline:
            raise Unavailable(f"{process.args!r} did not start.")
        time.sleep(0.05)
