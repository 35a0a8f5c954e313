"""The commands and the client of docs/api.md, run against a server."""

import re
import sys
import zipfile
from pathlib import Path

import pytest

from tests.installation import REPOSITORY, TEXT, Installation

pytestmark = [pytest.mark.process, pytest.mark.slow]
DOCUMENT = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")
MAKE = "[User.objects.create_superuser('boss').pk, User.objects.create_user('jana').pk]"
JUDGE = """
from annotation.models import *
from tests.evaluation.projects import submit
project, jana = Project.objects.get(), User.objects.get(username="jana")
for sentence in project.sentences.all():
    ranks = {
        segment.token_indices: [1 + place for place in range(segment.candidates.count())]
        for segment in sentence.segments.all()
    }
    submit(project, jana, sentence.number, ranks)
"""


def write_texts(folder: Path) -> str:
    folder.mkdir()
    for name, side in (("source", 0), ("system-north", 1), ("system-south", 1)):
        lines = [texts[side] for texts in TEXT]
        if name == "system-south":
            lines = [" ".join(reversed(line.split())) for line in lines]
        (folder / f"{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(folder)


def test_the_client(installed: Installation, tmp_path: Path) -> None:
    server = installed.up("--no-demo")
    installed.query(MAKE)
    made = installed.manage("create_token", "client", "--user", "boss", "--scope", "write")
    client = tmp_path / "client.py"
    [program] = re.findall(r"```python\n# client.py\n(.*?)```", DOCUMENT, re.DOTALL)
    client.write_text(program, encoding="utf-8")
    running = installed.start(
        "env",
        f"PYTHONPATH={REPOSITORY}",
        sys.executable,
        str(client),
        server.address,
        made.stdout.strip(),
        write_texts(tmp_path / "texts"),
        "jana",
        "1",
    )
    running.wait_for_line("is where jana judges")
    assert installed.query("Membership.objects.get(user__username='jana').role") == "annotator"
    installed.execute(JUDGE)
    running.wait_for_line("jana judged ")
    running.wait_for_line("\n1 system-")
    running.wait_for_line("\n2 system-")
    running.wait_for_line("report.zip\n")
    with zipfile.ZipFile(tmp_path / "texts" / "report.zip") as packed:
        assert "report.json" in packed.namelist()


def test_the_commands(installed: Installation, tmp_path: Path) -> None:
    server = installed.up("--no-demo")
    installed.query("User.objects.create_superuser('boss').pk")
    texts = write_texts(tmp_path / "texts")
    installed.manage(
        "create_project", "News", "--languages", "en-cs", "--source", f"{texts}/source.txt",
        "--system", f"A={texts}/system-north.txt", "--system", f"B={texts}/system-south.txt",
    )  # fmt: skip
    project = installed.query("Project.objects.get().pk")
    made = installed.manage("create_token", "curl", "--user", "boss", "--scope", "write")
    [program] = re.findall(r"```sh\n# commands.sh\n(.*?)```", DOCUMENT, re.DOTALL)
    first, rest = program.split("\n", 1)
    assert first.startswith("SITE=")
    here = f"SITE={server.address} TOKEN={made.stdout.strip()} PROJECT={project}\n"
    script = f"set -euo pipefail\ncd {tmp_path}\n{here}{rest}"
    printed = installed.run("bash", "-c", script).stdout.splitlines()
    invitation, practice, start, percent = printed
    assert "/invitations/" in invitation
    assert practice == "1"
    assert "/start/" in start
    assert percent == "0"
    assert (tmp_path / "payment.csv").read_text().startswith("annotator,platform,")
    with zipfile.ZipFile(tmp_path / "report.zip") as packed:
        assert "report.json" in packed.namelist()
    assert installed.query("Sentence.objects.filter(purpose='practice').count()") == 1
