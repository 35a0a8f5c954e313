"""`manage.py up`: one process that sets itself up, works, ends cleanly, and goes on."""

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

from tests.installation import TEXT, Installation, Process, wait_until, write_texts

# Of a project that takes some seconds.
LINES = 3000
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
    """Read it from the file itself, which is faster than a process of ours."""
    return str(read_job(installation, name)[0])


def read_job(installation: Installation, name: str) -> tuple[str, str, int, str, str]:
    """Return the state of a project's job, its stage, what is done of it, its start, its stages."""
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


def test_the_first_start_makes_the_demo_and_the_second_keeps_it(
    installation: Installation,
) -> None:
    first = installation.up()
    assert set(first.passwords) == {"admin", "annotator1", "annotator2"}
    wait_until(lambda: job_state(installation, "Demo") == "done")
    for name, password in first.passwords.items():
        browser, page = sign_in(first.address, name, password)
        assert "Demo" in page, page
    with browser.open(f"{first.address}/projects/1/judge/") as answer:
        assert answer.status == 200
    assert first.interrupt() == 0
    counts = (
        "[model.objects.count() for model in (User, Project, System, Sentence, Segment, Candidate)]"
    )
    made = installation.query(counts)
    assert made[:3] == [3, 1, 5]
    assert all(made)

    started = monotonic()
    second = installation.up()
    print(f"The second start took {monotonic() - started:.2f} s.")
    assert second.passwords == first.passwords
    sign_in(second.address, "admin", second.passwords["admin"])
    assert second.interrupt(signal.SIGTERM) == 0
    assert installation.query(counts) == made


def test_the_passwords_are_kept_for_their_owner_only(installed: Installation) -> None:
    process = installed.up()
    path = installed.data / "sign-in.txt"
    assert path.stat().st_mode & 0o777 == 0o600
    assert all(password in path.read_text() for password in process.passwords.values())


def test_a_deleted_demo_stays_deleted(installed: Installation) -> None:
    process = installed.up()
    wait_until(lambda: job_state(installed, "Demo") == "done")
    process.interrupt()
    installed.query(
        "__import__('annotation.projects.deletion').projects.deletion"
        ".delete_project(Project.objects.get()) and None"
    )
    process = installed.up()
    process.interrupt()
    assert installed.query("Project.objects.count()") == 0
    assert "demo project" not in process.output


def test_without_the_demo_there_is_an_administrator(installed: Installation) -> None:
    process = installed.up("--no-demo")
    assert list(process.passwords) == ["admin"]
    process.interrupt()
    assert installed.query("[user.is_superuser for user in User.objects.all()]") == [True]
    assert installed.query("Project.objects.count()") == 0


def test_a_port_in_use_is_one_sentence(installation: Installation) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        result = installation.manage("up", "--port", port, check=False)
    assert result.returncode == 1
    assert result.stderr.startswith(f"Error: Port {port} of 127.0.0.1 is in use: ")
    assert len(result.stderr.splitlines()) == 1
    assert not (installation.data / "segranks.sqlite3").exists()


def test_a_database_that_does_not_answer_is_one_sentence(installation: Installation) -> None:
    installation.environment["DATABASE_URL"] = "postgresql://nobody@127.0.0.1:1/none"
    result = installation.manage("up", "--port", "0", check=False)
    assert result.returncode == 1
    assert result.stderr.startswith("Error: The database does not answer")
    assert "Traceback" not in result.stderr


def test_it_takes_up_what_another_process_queued(installed: Installation, tmp_path: Path) -> None:
    process = installed.up("--no-demo")
    installed.manage("create_project", "Queued", *write_texts(tmp_path / "texts", 5), "--queue")
    wait_until(lambda: job_state(installed, "Queued") == "done")
    assert is_open(installed, "Queued")
    assert process.interrupt() == 0


def at_work(installation: Installation, folder: Path) -> Process:
    """Return `manage.py up` in the middle of a job that takes some seconds."""
    process = installation.up("--no-demo")
    installation.manage("create_project", "Long", *write_texts(folder, LINES), "--queue")
    wait_until(lambda: job_state(installation, "Long") == "running")
    return process


def test_a_job_interrupted_goes_on_at_the_next_start(
    installed: Installation, tmp_path: Path
) -> None:
    process = at_work(installed, tmp_path / "texts")
    assert process.interrupt() == 0
    assert installed.query("Chunk.objects.filter(state='running').count()") == 0
    installed.up()
    wait_until(lambda: job_state(installed, "Long") == "done", 120)
    assert is_open(installed, "Long")


MADE = (
    "[list(Segment.objects.order_by('sentence__number', 'token_indices')"
    ".values_list('sentence__number', 'token_indices')),"
    " Projection.objects.count(),"
    " Projection.objects.values('segment', 'system').distinct().count(),"
    " Translation.objects.filter(alignment='').count(), AlignmentPriors.objects.count(),"
    " Chunk.objects.count()]"
)


@pytest.mark.parametrize("stage", ["tokens", "alignment", "candidates"])
def test_a_killed_process_leaves_the_rest_of_its_job_to_the_next_start(
    installed: Installation, tmp_path: Path, stage: str
) -> None:
    def is_in_the_middle() -> bool:
        _state, now, done, *_times = read_job(installed, "Long")
        return now == stage and (done > 0 or stage == "alignment")

    process = at_work(installed, tmp_path / "texts")
    wait_until(is_in_the_middle, 120)
    process.kill()
    state, *_reached, started, stages = read_job(installed, "Long")
    assert state == "running"
    installed.up()
    wait_until(lambda: job_state(installed, "Long") == "done", 120)
    assert is_open(installed, "Long")
    segments, projections, different, unaligned, priors, chunks = installed.query(MADE)
    # The lines come again and again, and have the same segments each time.
    cut: dict[int, list[str]] = {number: [] for number in range(1, LINES + 1)}
    for number, indices in segments:
        cut[number].append(indices)
    once = [cut[number] for number in range(1, len(TEXT) + 1)]
    assert all(once)
    assert list(cut.values()) == list(islice(cycle(once), LINES))
    assert projections == different == 2 * len(segments)
    assert (unaligned, priors, chunks) == (0, 1, 0)
    # It went on, and did not begin once more.
    *_job, started_after, stages_after = read_job(installed, "Long")
    assert started_after == started
    begun = json.loads(stages)
    assert json.loads(stages_after)[: len(begun)] == begun


@pytest.mark.parametrize("host", ["0.0.0.0", "::1"])
def test_it_listens_where_it_is_told(installed: Installation, host: str) -> None:
    process = installed.up("--no-demo", "--host", host)
    shown = f"[{host}]" if ":" in host else host
    assert process.address.startswith(f"http://{shown}:")
    assert ("ALLOWED_HOSTS" in process.output) == (host == "0.0.0.0")
