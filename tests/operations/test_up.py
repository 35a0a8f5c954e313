"""`manage.py up`: one process that sets itself up, stops cleanly, and continues its work."""

import json
import re
import signal
import socket
import sqlite3
from http.cookiejar import CookieJar
from itertools import cycle, islice
from pathlib import Path
from time import monotonic
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest

from tests.installation import TEXT, Installation, wait_until, write_texts

pytestmark = pytest.mark.process
# A text whose preparation takes some seconds.
LINES = 3000
RESULTS = (
    "[list(Segment.objects.order_by('sentence__number', 'token_indices')"
    ".values_list('sentence__number', 'token_indices')),"
    " Projection.objects.count(),"
    " Projection.objects.values('segment', 'system').distinct().count(),"
    " Translation.objects.filter(alignment='').count(), Chunk.objects.count()]"
)
CSRF_FIELD = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


def sign_in(address: str, name: str, password: str) -> tuple[OpenerDirector, str]:
    """Sign in as a browser does; return the browser and the page that it then is at."""
    browser = build_opener(HTTPCookieProcessor(CookieJar()))
    page = browser.open(f"{address}/sign-in/").read().decode()
    token = CSRF_FIELD.search(page)
    assert token, page
    form = {"csrfmiddlewaretoken": token[1], "username": name, "password": password}
    with browser.open(f"{address}/sign-in/", urlencode(form).encode()) as answer:
        return browser, answer.read().decode()


def is_open(installation: Installation, name: str) -> bool:
    return bool(installation.query(f"Project.objects.filter(name='{name}', state='open').exists()"))


def job_state(installation: Installation, name: str) -> str:
    """Return the state of the project's job."""
    return str(read_job(installation, name)[0])


def read_job(installation: Installation, name: str) -> tuple[str, str, int, str, str]:
    """Return state, stage, sentences done, start and stages of the project's job."""
    connection = sqlite3.connect(installation.data / "segranks.sqlite3", timeout=20)
    try:
        row = connection.execute(
            "SELECT job.state, stage, done, started, stages FROM annotation_job AS job "
            "JOIN annotation_project ON project_id = annotation_project.id WHERE name = ?",
            [name],
        ).fetchone()
    finally:
        connection.close()
    return row or ("", "", 0, "", "[]")


def test_the_second_start_keeps_what_the_first_one_created(installation: Installation) -> None:
    first = installation.up()
    assert set(first.passwords) == {"admin", "annotator1", "annotator2"}
    wait_until(lambda: job_state(installation, "Demo") == "done")
    first.wait_for_line("Demo is prepared and open to judge.")
    for name, password in first.passwords.items():
        browser, page = sign_in(first.address, name, password)
        assert "Demo" in page, page
    with browser.open(f"{first.address}/projects/1/judge/") as answer:
        assert answer.status == 200
    assert first.interrupt() == 0
    counts = (
        "[model.objects.count() for model in (User, Project, System, Sentence, Segment, Candidate)]"
    )
    created = installation.query(counts)
    assert created[:3] == [3, 1, 5]
    assert all(created)

    started = monotonic()
    second = installation.up()
    print(f"The second start took {monotonic() - started:.2f} s.")
    assert second.passwords == first.passwords
    sign_in(second.address, "admin", second.passwords["admin"])
    assert second.interrupt(signal.SIGTERM) == 0
    assert installation.query(counts) == created


def test_a_port_in_use_is_one_sentence(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        result = installation.manage("up", "--port", port, check=False)
    assert result.returncode == 1
    assert result.stderr.startswith(f"Error: Port {port} of 127.0.0.1 is in use: ")
    assert len(result.stderr.splitlines()) == 1
    assert not (installation.data / "segranks.sqlite3").exists()


def test_a_database_that_does_not_answer_is_one_sentence(installation: Installation) -> None:
    installation.environment["DATABASE_URL"] = "postgresql://stranger@127.0.0.1:1/none"
    result = installation.manage("up", "--port", "0", check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("Error: The database does not answer")
    assert "Traceback" not in result.stderr


def queue(installation: Installation, folder: Path, lines: int) -> None:
    texts = [*write_texts(folder, lines), "--aligner=systran"]
    installation.manage("create_project", "Queued", *texts, "--queue")


@pytest.mark.slow
def test_a_deletion_that_no_worker_has_begun_is_done_at_the_next_start(
    installed: Installation, tmp_path: Path
) -> None:
    installed.manage("create_project", "Long", *write_texts(tmp_path, 3), "--queue")
    installed.execute(
        "from annotation.models import Project\n"
        "from annotation.projects.deletion import request_deletion\n"
        "request_deletion(Project.objects.get())"
    )
    assert installed.query("Sentence.objects.count()") == 3
    installed.up("--no-demo")
    wait_until(lambda: not installed.query("Project.with_hidden.exists()"))
    assert installed.query("Sentence.objects.count()") == 0


@pytest.mark.slow
def test_an_interrupted_job_continues_at_the_next_start(
    installed: Installation, tmp_path: Path
) -> None:
    process = installed.up("--no-demo")
    queue(installed, tmp_path / "texts", 1000)
    wait_until(lambda: job_state(installed, "Queued") == "running", every=0.02)
    assert process.interrupt() == 0
    assert job_state(installed, "Queued") == "running"
    assert installed.query("Chunk.objects.filter(state='running').count()") == 0
    process = installed.up("--no-demo")
    wait_until(lambda: job_state(installed, "Queued") == "done")
    assert is_open(installed, "Queued")
    assert process.interrupt() == 0


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["tokens", "alignment", "candidates"])
def test_the_job_of_a_killed_process_continues_at_the_next_start(
    installed: Installation, tmp_path: Path, stage: str
) -> None:
    def is_in_the_middle() -> bool:
        _state, now, done, *_times = read_job(installed, "Queued")
        return now == stage and (done > 0 or stage == "alignment")

    process = installed.up("--no-demo")
    queue(installed, tmp_path / "texts", LINES)
    wait_until(is_in_the_middle, every=0.02)
    process.kill()
    state, *_reached, started, stages = read_job(installed, "Queued")
    assert state == "running"
    installed.up()
    wait_until(lambda: job_state(installed, "Queued") == "done", 120)
    assert is_open(installed, "Queued")
    segments, projections, different, unaligned, chunks = installed.query(RESULTS)
    # The lines repeat, and have the same segments each time.
    cut: dict[int, list[str]] = {number: [] for number in range(1, LINES + 1)}
    for number, indices in segments:
        cut[number].append(indices)
    once = [cut[number] for number in range(1, len(TEXT) + 1)]
    assert all(once)
    assert list(cut.values()) == list(islice(cycle(once), LINES))
    assert projections == different == 2 * len(segments)
    assert (unaligned, chunks) == (0, 0)
    # It did not begin again.
    *_job, started_after, stages_after = read_job(installed, "Queued")
    assert started_after == started
    begun = json.loads(stages)
    assert json.loads(stages_after)[: len(begun)] == begun


@pytest.mark.parametrize("host", ["0.0.0.0", pytest.param("::1", marks=pytest.mark.slow)])
def test_up_listens_on_the_given_address(installed: Installation, host: str) -> None:
    process = installed.up("--no-demo", "--host", host)
    # One that can be visited.
    shown = "localhost" if host == "0.0.0.0" else f"[{host}]"
    assert process.address.startswith(f"http://{shown}:")
    assert ("ALLOWED_HOSTS" in process.output) == (host == "0.0.0.0")
