"""The notebooks of examples/ run, and have the outputs that are stored in them.

With SEGRANKS_WRITE_EXAMPLES=1 (`make notebooks`) outputs and data are written instead of compared.
"""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import run
from tempfile import TemporaryDirectory

import nbformat
import pytest
from nbclient import NotebookClient
from nbformat import NotebookNode
from traitlets.config import Config

from tests.conftest import copy_tables
from tests.installation import REPOSITORY, WITHIN, Installation, Process, wait_until

pytestmark = pytest.mark.process
EXAMPLES = REPOSITORY / "examples"
SAMPLE_TEXTS = REPOSITORY / "annotation" / "uploads" / "sample_texts"
# The notebook that waits for annotators.
WATCHING = "create_watch_export"
WRITES = os.environ.get("SEGRANKS_WRITE_EXAMPLES") == "1"
INVITED = (
    "Project.objects.filter(name__startswith='Three systems', state='open')"
    ".exclude(invitations=None).exists()"
)
# Candidates have ids in the order of their systems: the first annotator ranks by it, the second
# one ties the first two.
JUDGE = """
from uuid import uuid4
from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.models import Membership, Project, User
from tests.factories import next_assignment

project = Project.objects.get(name__startswith="Three systems")
for name, tied in (("jana", 0), ("petr", 1)):
    annotator = User.objects.create_user(name)
    Membership.objects.create(user=annotator, project=project, role="annotator")
    while assignment := next_assignment(annotator=annotator, project=project):
        cards = cards_of(assignment.pk)
        places = {
            key: 1 + sum(other < card for other in cards.values() if other[0] == card[0])
            for key, card in cards.items()
        }
        submit(
            annotator=annotator, project=project, assignment_id=assignment.pk, token=str(uuid4()),
            choices={key: max(1, place - tied) for key, place in places.items()},
        )
"""


@pytest.fixture(scope="module")
def installed(
    tmp_path_factory: pytest.TempPathFactory, static_root: Path, tables: Path
) -> Iterator[Installation]:
    """One installation for all notebooks: each creates a project of its own."""
    made = Installation(tmp_path_factory.mktemp("examples") / "data", static_root)
    made.data.mkdir(mode=0o700)
    copy_tables(tables, made.data / "segranks.sqlite3")
    yield made
    made.end()


@pytest.fixture(scope="module")
def server(installed: Installation) -> Process:
    server = installed.up("--no-demo")
    installed.query("User.objects.create_superuser('boss').pk")
    return server


@pytest.fixture
def sockets() -> Iterator[Path]:
    """A folder with a short path, as sockets need it."""
    with TemporaryDirectory() as folder:
        yield Path(folder)


def agree(path: Path, text: str) -> None:
    """Compare the text with the file, or write it there."""
    if WRITES:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, path


def simulated(what: str, systems: Path) -> str:
    program = [sys.executable, str(EXAMPLES / "data" / "simulate.py"), what]
    with systems.open() as lines:
        return run(program, stdin=lines, capture_output=True, text=True, check=True).stdout


def test_the_data_are_those_of_the_program_and_of_segranks(
    installed: Installation, tmp_path: Path
) -> None:
    systems, export, report = (tmp_path / name for name in ("systems", "export", "report"))
    data = EXAMPLES / "data" / "sentences"
    installed.call(
        "create_project", "Sentences", "--languages", "en-cs", "--kind", "sentence_ranking",
        "--source", f"{SAMPLE_TEXTS}/source.en.txt",
        *(f"--system={path.stem}={path}" for path in sorted(SAMPLE_TEXTS.glob("systems/*"))),
    )  # fmt: skip
    installed.call("export_project", "Sentences", str(systems), "--format", "systems")
    agree(data / "judgements.jsonl", simulated("rankings", systems))
    installed.call("import_judgements", "Sentences", str(data / "judgements.jsonl"))
    installed.call("export_project", "Sentences", str(export), "--format", "csv")
    agree(data / "export.csv", export.read_text(encoding="utf-8"))
    installed.call("report", "Sentences", "--output", str(report))
    for name in ("ranking-ratio_of_wins.csv", "agreement.csv"):
        agree(data / "report" / name, (report / "tables" / name).read_text(encoding="utf-8"))


def test_the_marks_are_those_of_the_program(installed: Installation, tmp_path: Path) -> None:
    texts, systems = EXAMPLES / "data" / "documents", tmp_path / "systems"
    installed.call(
        "create_project", "Documents", "--languages", "en-de", "--kind", "contrastive_error_spans",
        "--side-by-side", "2", "--source", f"{texts}/source.en.txt",
        "--documents", f"{texts}/documents.txt",
        *(f"--system={path.stem}={path}" for path in sorted(texts.glob("systems/*"))),
    )  # fmt: skip
    installed.call("export_project", "Documents", str(systems), "--format", "systems")
    agree(texts / "judgements.jsonl", simulated("marks", systems))


@pytest.mark.parametrize("name", sorted(path.stem for path in EXAMPLES.glob("*.ipynb")))
def test_a_notebook_has_the_outputs_that_are_stored(
    name: str,
    installed: Installation,
    server: Process,
    sockets: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = installed.call("create_token", name, "--user", "boss", "--scope", "write")
    for variable in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "MPLCONFIGDIR", "SEGRANKS_DATA"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("SEGRANKS_SITE", server.address)
    monkeypatch.setenv("SEGRANKS_TOKEN", made.strip())
    path = EXAMPLES / f"{name}.ipynb"
    stored = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        timeout=WITHIN,
        startup_timeout=WITHIN,
        kernel_name="python3",
        # Not by ports, which another process may take before the kernel does.
        config=Config({"KernelManager": {"transport": "ipc", "ip": str(sockets / "kernel")}}),
        record_timing=False,
        resources={"metadata": {"path": str(EXAMPLES)}},
    )
    with ThreadPoolExecutor() as beside:
        annotators = beside.submit(judge_when_invited, installed) if name == WATCHING else None
        client.execute()
        if annotators:
            annotators.result()
    if WRITES:
        nbformat.write(notebook, path)
    else:
        assert shown(notebook) == shown(stored)


def judge_when_invited(installed: Installation) -> None:
    wait_until(lambda: installed.query(INVITED), every=0.3)
    installed.execute(JUDGE)


def shown(notebook: NotebookNode) -> list[list[object]]:
    """Return the outputs of each cell: texts, and for a picture that there is one."""
    return [
        [
            output.get("text")
            or {kind: kind == "image/png" or text for kind, text in output.data.items()}
            for output in cell.get("outputs", ())
        ]
        for cell in notebook.cells
    ]
