"""The base class of commands, in processes of their own."""

import signal
import sqlite3
import sys
from pathlib import Path

import pytest

from tests.conftest import copy_tables
from tests.installation import Installation, wait_until, write_texts

pytestmark = pytest.mark.process
MANAGE = f"{sys.executable} manage.py"


@pytest.fixture(scope="module")
def ready(
    tmp_path_factory: pytest.TempPathFactory, static_root: Path, tables: Path
) -> Installation:
    """An installation with a small project."""
    made = Installation(tmp_path_factory.mktemp("ready"), static_root)
    copy_tables(tables, made.data / "segranks.sqlite3")
    texts = write_texts(made.data / "texts", 2)
    made.manage("create_project", "Small", *texts, "--aligner=systran")
    return made


def projects(installation: Installation, state: str = "open") -> int:
    """Return how many projects have the state."""
    connection = sqlite3.connect(installation.data / "segranks.sqlite3", timeout=20)
    try:
        counted = "SELECT count(*) FROM annotation_project WHERE state = ?"
        return int(connection.execute(counted, [state]).fetchone()[0])
    finally:
        connection.close()


# --- the database -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        ("statistics",),
        pytest.param(
            ("createsuperuser", "--noinput", "--username=root", "--email="),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_on_a_new_sqlite_database_a_command_makes_the_tables(
    installation: Installation, command: tuple[str, ...]
) -> None:
    done = installation.manage(*command, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert projects(installation) == 0


def test_files_are_ranked_without_a_database(installation: Installation, tmp_path: Path) -> None:
    installation.manage("rank_judgements", str(tmp_path / "none"), "--format=wmt-five", check=False)
    assert not (installation.data / "segranks.sqlite3").exists()


@pytest.mark.postgresql
@pytest.mark.parametrize("command", [("statistics",), ("changepassword", "jana")])
def test_on_postgresql_without_tables_it_says_what_to_do(
    installation: Installation, postgresql_url: str, command: tuple[str, ...]
) -> None:
    installation.environment["DATABASE_URL"] = postgresql_url
    done = installation.manage(*command, check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert "`manage.py migrate`" in done.stderr


def test_a_database_that_does_not_answer_is_one_sentence(installation: Installation) -> None:
    installation.environment["DATABASE_URL"] = "postgresql://stranger@127.0.0.1:1/none"
    done = installation.manage("statistics", check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.startswith("Error: ")
    assert "refused" in done.stderr
    assert "check DATABASE_URL" in done.stderr


# --- letters ----------------------------------------------------------------------------------


def test_a_terminal_without_greek_letters_is_no_reason_to_stop(ready: Installation) -> None:
    ready.environment["PYTHONIOENCODING"] = "iso-8859-2"
    try:
        printed = ready.manage("statistics", "Small").stdout
    finally:
        del ready.environment["PYTHONIOENCODING"]
    assert "\\u03ba" in printed


# --- standard output --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("statistics", marks=pytest.mark.slow),
        "export_project Small - --format=archive",
    ],
)
def test_a_reader_may_close_the_pipe(ready: Installation, command: str) -> None:
    done = ready.run("bash", "-o", "pipefail", "-c", f"{MANAGE} {command} | true", check=False)
    assert done.stderr == ""
    assert done.returncode == 0


# --- interruption -----------------------------------------------------------------------------


def programs_in(folder: Path) -> list[Path]:
    """Return the processes whose command names the folder."""
    return [path.parent for path in Path("/proc").glob("[0-9]*/cmdline") if _names(path, folder)]


def _names(path: Path, folder: Path) -> bool:
    try:
        return bytes(folder) in path.read_bytes()
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGTERM])
def test_an_interrupted_project_leaves_neither_rows_nor_programs(
    ready: Installation, tmp_path: Path, number: signal.Signals
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    ready.environment["TMPDIR"] = str(temporary)
    texts = write_texts(tmp_path / "texts", 3000)
    process = ready.start(
        sys.executable, "manage.py", "create_project", "Long", *texts, "--aligner=eflomal"
    )
    wait_until(lambda: programs_in(temporary))
    assert projects(ready, "preparing") == 1

    assert process.interrupt(number) == 130

    assert process.output.splitlines()[-1] == "Interrupted."
    assert "Traceback" not in process.output
    assert projects(ready, "preparing") == 0
    assert programs_in(temporary) == []
    assert list(temporary.iterdir()) == []
