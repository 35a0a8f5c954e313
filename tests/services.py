"""PostgreSQL and Redis for tests: a running server, or one that is started for the test."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Self

import psycopg2
import redis

LOCAL_POSTGRESQL = "postgresql://postgres@127.0.0.1:5432"
STARTED_WITHIN = 30.0


class Unavailable(Exception):
    """The server is not installed; the message says which package to install."""


@contextmanager
def postgresql_server() -> Iterator[str]:
    """Yield the URL, without a database, of the local server or of a new one."""
    if _postgresql_answers(LOCAL_POSTGRESQL):
        yield LOCAL_POSTGRESQL
    else:
        with own_postgresql() as url:
            yield url


@contextmanager
def postgresql_database(server: str, like: str = "template1") -> Iterator[str]:
    """Yield the URL of a new database, a copy of the template `like`, and drop it at the end."""
    name = f"segranks_{os.getpid()}_{token_hex(4)}"
    _execute(server, f"CREATE DATABASE {name} TEMPLATE {like}")
    try:
        yield f"{server}/{name}"
    finally:
        _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def redis_server() -> Iterator[str]:
    """Yield the URL of a new Redis without persistence, and stop it at the end."""
    with own_redis(["redis-server", "--save", "", "--appendonly", "no"]) as port:
        yield f"redis://127.0.0.1:{port}/0"


@contextmanager
def own_redis(command: list[str], password: str | None = None) -> Iterator[int]:
    """Yield the port of a new Redis, started by this command, and stop it at the end."""
    with OwnRedis(command, password) as server:
        yield server.port


@contextmanager
def own_postgresql(user: str = "postgres", password: str = "") -> Iterator[str]:
    """Yield the URL, without a database, of a new PostgreSQL, and stop it at the end.

    If `password` is not empty, the server requires it.
    """
    with OwnPostgreSQL(user, password) as server:
        yield server.url


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class OwnServer:
    """A server with its own folder, which can be stopped and started again."""

    # The user of the server, if not the user of the tests.
    _user: str | None = None
    # Variables besides those of the tests.
    _variables: Mapping[str, str] = {}

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
        """Start the server and wait until it answers."""
        self._process = subprocess.Popen(
            self._command(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            user=self._user,
            env=os.environ | self._variables,
        )
        _wait(self._process, self._answers)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> None:
        """Send the signal and wait until the server has ended."""
        if self._process:
            self._process.send_signal(number)
            self._process.wait(STARTED_WITHIN)
            self._process = None

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _answers(self) -> bool:
        raise NotImplementedError


class OwnRedis(OwnServer):
    """A Redis server; the command finds the password, if it needs one, in REDISCLI_AUTH."""

    def __init__(self, command: list[str], password: str | None = None) -> None:
        if shutil.which("redis-server") is None:
            raise Unavailable("Redis is missing: install Debian's package redis-server.")
        super().__init__("redis")
        self._program = command
        self._variables = {"REDISCLI_AUTH": password} if password else {}
        self._client = redis.Redis(port=self.port, password=password)

    def empty(self) -> None:
        """Delete the data of the stopped server."""
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
    """A PostgreSQL server; if `password` is not empty, it requires it."""

    def __init__(self, user: str = "postgres", password: str = "") -> None:
        initdb, self._postgres = postgresql_program("initdb"), postgresql_program("postgres")
        super().__init__("postgresql")
        self.url = f"postgresql://{user}{password and ':' + password}@127.0.0.1:{self.port}"
        known = self.folder / "password"
        known.write_text(password)
        if os.getuid() == 0:
            # PostgreSQL refuses to run as root.
            self._user = "nobody"
            for path in (self.folder, known):
                shutil.chown(path, "nobody")
        auth = ["--auth=scram-sha-256", f"--pwfile={known}"] if password else ["--auth=trust"]
        made = subprocess.run(
            [initdb, f"--username={user}", *auth, "--no-sync", self._data],
            capture_output=True,
            text=True,
            cwd="/",
            user=self._user,
        )
        assert made.returncode == 0, made.stderr

    @property
    def _data(self) -> str:
        return str(self.folder / "data")

    def _command(self) -> list[str]:
        options = ["-p", str(self.port), "-k", str(self.folder), "-c", "fsync=off"]
        return [self._postgres, "-D", self._data, *options]

    def _answers(self) -> bool:
        return _postgresql_answers(self.url)


def postgresql_program(name: str) -> str:
    installed = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    found = str(installed[-1]) if installed else shutil.which(name)
    if found is None:
        raise Unavailable("PostgreSQL is missing: install Debian's package postgresql.")
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
