"""Servers for tests: one that is running, or one of our own that ends with the test."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

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
        with _own_postgresql() as url:
            yield url


@contextmanager
def postgresql_database(server: str) -> Iterator[str]:
    """Yield the URL of a new, empty database, and drop it in the end."""
    name = f"segranks_{os.getpid()}_{token_hex(4)}"
    _execute(server, f"CREATE DATABASE {name}")
    try:
        yield f"{server}/{name}"
    finally:
        _execute(server, f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def redis_server() -> Iterator[str]:
    """Yield the URL of a Redis of our own, which keeps nothing and ends in the end."""
    program = shutil.which("redis-server")
    if program is None:
        raise Unavailable("There is no Redis: install Debian's package redis-server.")
    port = free_port()
    with _running(
        [program, "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
    ) as process:
        client = redis.Redis(port=port)
        _wait(process, lambda: _redis_answers(client))
        yield f"redis://127.0.0.1:{port}/0"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def _own_postgresql() -> Iterator[str]:
    initdb, postgres = _postgresql_program("initdb"), _postgresql_program("postgres")
    # PostgreSQL refuses to run as root.
    user = ["runuser", "-u", "nobody", "--"] if os.getuid() == 0 else []
    folder = Path(tempfile.mkdtemp(prefix="segranks-postgresql-"))
    try:
        if user:
            shutil.chown(folder, "nobody")
        data, port = folder / "data", free_port()
        subprocess.run(
            [*user, initdb, "--username=postgres", "--auth=trust", "--no-sync", data],
            check=True,
            capture_output=True,
            cwd="/",
        )
        options = ["-p", str(port), "-k", str(folder), "-c", "fsync=off"]
        with _running([*user, postgres, "-D", str(data), *options]) as process:
            url = f"postgresql://postgres@127.0.0.1:{port}"
            _wait(process, lambda: _postgresql_answers(url))
            yield url
    finally:
        shutil.rmtree(folder, ignore_errors=True)


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


def _redis_answers(client: "redis.Redis") -> bool:
    try:
        return bool(client.ping())
    except redis.ConnectionError:
        return False


@contextmanager
def _running(command: list[str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/"
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(STARTED_WITHIN)


def _wait(process: subprocess.Popen[bytes], answers: Callable[[], bool]) -> None:
    deadline = time.monotonic() + STARTED_WITHIN
    while not answers():
        if process.poll() is not None or time.monotonic() > deadline:
            raise Unavailable(f"{process.args!r} did not start.")
        time.sleep(0.05)
