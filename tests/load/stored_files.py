"""Where uploads and media could be kept: a folder, PostgreSQL by pieces of several sizes, S3.

    python -m tests.load.stored_files [--pieces 64 256 512 1024] [--texts 200] [--video 100]

Stores and reads texts (ten files, MB in all) and a video, reads ranges of 1 MB in its middle,
copies and deletes it: seconds, milliseconds, the peak memory that the process needs for it, and the
bytes on the disk and in the write-ahead log. Each storage has a process of its own. PostgreSQL is
that of this machine, or one started for it, which then does not wait for the disk (`fsync=off`). S3
is measured where django-storages[s3] and moto[server] are installed, which nothing else needs; moto
keeps all in memory, so that its figures are those of the client and of HTTP.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

from tests.load.figures import machine
from tests.load.served import ROOT
from tests.services import free_port, postgresql_database, postgresql_server

MEGABYTE = 1_000_000
RANGES = 20
FOLDER, DATABASE, S3 = "folder", "database", "s3"
BUCKET = "segranks"
KEYS = {"AWS_ACCESS_KEY_ID": "nobody", "AWS_SECRET_ACCESS_KEY": "nothing"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--pieces", type=int, nargs="*", default=[64, 256, 512, 1024], help="KiB")
    parser.add_argument("--texts", type=int, default=200, help="MB")
    parser.add_argument("--video", type=int, default=100, help="MB")
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.measure:
        print(json.dumps(measure(**json.loads(options.measure))))
        return
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_files(folder, options.texts, options.video)
        report(FOLDER, in_process(folder, FOLDER))
        for piece in options.pieces:
            with postgresql_server() as server, postgresql_database(server) as url:
                migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
                subprocess.run(migrate, cwd=ROOT, env=environment(folder, url), check=True)
                report(f"PostgreSQL, {piece} KiB", in_process(folder, DATABASE, piece, url))
        if find_spec("storages") and find_spec("moto"):
            with s3_server() as port:
                report("S3 (moto)", in_process(folder, S3, port=port))
        else:
            print("S3: not measured, since django-storages[s3] or moto[server] is missing.")
    print(machine())


def write_files(folder: Path, texts: int, video: int) -> None:
    lines = random.Random(1)  # the same each time
    words = ["".join(lines.choices("aeioustrnlčž", k=lines.randint(2, 9))) for _ in range(20_000)]
    text = "".join(" ".join(lines.choices(words, k=20)) + "\n" for _line in range(8000)).encode()
    for number in range(10):
        with (folder / f"text{number}").open("wb") as out:
            for _part in range(texts // 10):
                out.write(text[:MEGABYTE])
    with (folder / "video").open("wb") as out:
        for _ in range(video):
            out.write(os.urandom(MEGABYTE))


def environment(folder: Path, url: str = "") -> dict[str, str]:
    return os.environ | {"SEGRANKS_DATA": str(folder / "data"), "DATABASE_URL": url} | KEYS


def in_process(
    folder: Path, kind: str, piece: int = 0, url: str = "", port: int = 0
) -> dict[str, float]:
    asked = {"folder": str(folder), "kind": kind, "piece": piece, "port": port}
    command = [sys.executable, "-m", "tests.load.stored_files", "--measure", json.dumps(asked)]
    done = subprocess.run(
        command, cwd=ROOT, env=environment(folder, url), stdout=subprocess.PIPE, check=True
    )
    return dict(json.loads(done.stdout))


def report(name: str, figures: dict[str, float]) -> None:
    print(name, *(f"{what} {value:.1f}" for what, value in figures.items()), sep="; ", flush=True)


@contextmanager
def s3_server() -> Iterator[int]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield port
    finally:
        process.terminate()
        process.wait(10)


# --- in the process that measures ---------------------------------------------------------------


def measure(folder: str, kind: str, piece: int, port: int) -> dict[str, float]:
    """Return what the storage needs, by the names of the figures."""
    # The settings are chosen by the variables of this process.
    os.environ["DJANGO_SETTINGS_MODULE"] = "segranks.settings"
    import django

    django.setup()
    from django.core.files import File

    storage = made_storage(Path(folder), kind, piece, port)
    texts = sorted(path for path in Path(folder).glob("text*"))
    video = Path(folder) / "video"
    before, memory = disk_and_log(storage, kind), peak()
    figures: dict[str, float] = {}

    def timed(what: str, work: Callable[[], object]) -> None:
        begun = time.perf_counter()
        work()
        figures[what] = time.perf_counter() - begun

    def save(path: Path) -> None:
        with path.open("rb") as content:
            storage.save(f"uploads/{path.name}", File(content))

    def read(path: Path) -> None:
        with storage.open(f"uploads/{path.name}") as content:
            while content.read(MEGABYTE):
                pass

    for what, paths in (("texts", texts), ("video", [video])):
        timed(f"store {what} s", partial(each, save, paths))
        timed(f"read {what} s", partial(each, read, paths))
    figures["range ms"] = 1000 * median(range_seconds(storage, video.stat().st_size))
    figures["peak MiB"] = peak() - memory
    after = disk_and_log(storage, kind)
    for what, first, last in zip(("disk MB", "log MB"), before, after, strict=True):
        figures[what] = (last - first) / MEGABYTE
    if kind == DATABASE:
        timed("copy video s", lambda: storage.copy("uploads/video", "media/video"))
    timed("delete video s", lambda: storage.delete("uploads/video"))
    return figures


def each(work: Callable[[Path], None], paths: list[Path]) -> None:
    for path in paths:
        work(path)


def made_storage(folder: Path, kind: str, piece: int, port: int) -> Any:
    from django.core.files.storage import FileSystemStorage

    from annotation.models import stored_files

    if kind == FOLDER:
        return FileSystemStorage(folder / "stored", allow_overwrite=True)
    if kind == DATABASE:
        vars(stored_files)["PIECE"] = piece * 1024
        return stored_files.DatabaseStorage()
    from storages.backends.s3 import S3Storage

    storage = S3Storage(bucket_name=BUCKET, endpoint_url=f"http://127.0.0.1:{port}")
    for _second in range(30):
        try:
            storage.connection.create_bucket(Bucket=BUCKET)
            break
        except Exception:
            # The server has not begun to listen.
            time.sleep(1)
    return storage


def range_seconds(storage: Any, size: int) -> Iterator[float]:
    for number in range(RANGES):
        begun = time.perf_counter()
        with storage.open("uploads/video") as content:
            content.seek(size // 2 + number * MEGABYTE)
            assert len(content.read(MEGABYTE)) == MEGABYTE
        yield time.perf_counter() - begun


def disk_and_log(storage: Any, kind: str) -> tuple[int, int]:
    """Return the bytes that the storage has on the disk, and those of the write-ahead log."""
    from django.db import connection

    if kind == DATABASE:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_database_size(current_database()), "
                "pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')"
            )
            database, log = cursor.fetchone()
            return int(database), int(log)
    if kind == FOLDER:
        return sum(path.stat().st_size for path in Path(storage.location).rglob("*")), 0
    return 0, 0


def peak() -> float:
    """Return the peak memory of this process in MiB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
