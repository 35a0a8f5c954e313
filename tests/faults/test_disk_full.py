"""A full disk: it is said, with the right status, and no piece of a file is left on it."""

import io
import os
import random
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotation.import_export.export_formats import EXPORT_FORMATS
from annotation.kinds import DEFAULT
from tests.conftest import require
from tests.faults.annotators import Annotator
from tests.faults.cluster import Cluster
from tests.installation import wait_until

pytestmark = [pytest.mark.postgresql, pytest.mark.redis]
ROOM = 1_000_000
WORDS = ["starý", "dům", "řeka", "les", "hora", "zahrada"]
# Without a judgement, some exports are empty, and an empty file fits on a full disk.
JUDGE_ONE = """
from annotation.models import Candidate, Project, User
from tests.annotation.import_export.exchange_files import submit_ranks
from tests.factories import assign_next
given = assign_next(User.objects.get(username="person 0"), Project.objects.get())
worst = Candidate.objects.filter(segment__sentence=given.sentence_id).latest("pk")
submit_ranks(given, {worst.text: None})
"""


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk with room for a megabyte, in memory."""
    require(os.getuid() == 0, "A small disk is mounted as root only.")
    folder = tmp_path / "small"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={ROOM // 1024}k,mode=700", "tmpfs", str(folder)]
    subprocess.run(["mount", *options], check=True)
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def text(size: int) -> bytes:
    """Return lines of so many bytes that hardly any program makes smaller."""
    lines = random.Random(1)  # the same each time
    words = " ".join(lines.choice(WORDS) + str(lines.random()) for _word in range(size // 20))
    return words.encode()[:size]


def test_a_full_disk_is_reported_and_the_old_file_stays(cluster: Cluster, small_disk: Path) -> None:
    cluster.make_judged(sentences=20, people=1)
    cluster.manage("shell", "--no-imports", "-c", JUDGE_ONE)
    file, filler = small_disk / "everything", small_disk / "filler"
    exports = (
        ["export_project", "Judged", str(file), "--format", one.name]
        for one in EXPORT_FORMATS.values()
        if one.has_kind(DEFAULT)
    )
    for command in (["backup", str(file)], *exports):
        file.write_text("from yesterday")
        with pytest.raises(OSError, match="No space left"):
            filler.write_bytes(bytes(2 * ROOM))
        done = cluster.manage(*command, check=False)
        assert done.returncode == 1
        assert done.stderr == f"Error: {file} cannot be written: No space left on device.\n"
        assert done.stdout == ""
        assert sorted(small_disk.iterdir()) == [file, filler]
        assert file.read_text() == "from yesterday"
        filler.unlink()
        cluster.manage(*command)
        assert file.read_bytes() != b"from yesterday"


def zipped(content: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("first.txt", b"a few words\n")
        archive.writestr("second.txt", content)
    return packed.getvalue()


def test_an_upload_that_does_not_fit_is_refused_as_a_whole(
    cluster: Cluster, small_disk: Path
) -> None:
    project, [link] = cluster.make_judged(sentences=2, people=1, role="administrator")
    cluster.environment["SEGRANKS_DATA"] = str(small_disk)
    web = cluster.start_web()
    person = Annotator(cluster.address, project, link)
    too_much = {
        "on the way": {"source.txt": text(2 * ROOM)},
        "the second of two": {"source.txt": text(ROOM // 5), "north.txt": text(ROOM)},
        "when it is copied": {"source.txt": text(ROOM * 3 // 5)},
        "when it is unpacked": {"texts.zip": zipped(b"word " * ROOM)},
    }
    for files in too_much.values():
        for accept in ("text/html", "application/json"):
            status, answer = person.upload("/projects/new/", files, accept)
            assert status == 507
            assert "disk is full" in answer
            # What came is closed once the answer is sent.
            wait_until(lambda: left_in(small_disk) == [])
    assert cluster.ask("SELECT count(*) FROM annotation_upload") == [(0,)]
    status, _page = person.upload("/projects/new/", {"source.txt": text(ROOM // 5)}, "text/html")
    assert status == 200
    [[token]] = cluster.ask("SELECT token FROM annotation_upload")
    taken = left_in(small_disk)
    status, _answer = person.upload(
        f"/projects/new/{token}/add/", {"texts.zip": zipped(b"word " * ROOM)}, "text/html"
    )
    assert status == 507
    wait_until(lambda: left_in(small_disk) == taken)
    path = f"/projects/{project}/settings/systems/add/"
    system = {"system_name": "new"}
    status, answer = person.upload(path, {"text_file": text(2 * ROOM)}, "text/html", **system)
    assert status == 507
    assert "disk is full" in answer
    assert web.interrupt() == 0
    assert "Traceback" not in web.output


def left_in(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "files").rglob("*") if path.is_file())
