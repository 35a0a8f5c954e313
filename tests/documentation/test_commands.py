"""Every command of the documentation is run, or checked as `programs.py` says."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management import get_commands

from tests.documentation.pages import NAMES, blocks, spans
from tests.documentation.programs import (
    BLOCKS_ELSEWHERE,
    REAL,
    check_manage,
    docker,
    make,
    programs,
    python,
    tried_elsewhere,
)
from tests.documentation.shell import Shell
from tests.documentation.states import prepare
from tests.installation import REPOSITORY

# Names of commands in sentences, with what differs: "manage.py report PROJECT --output DIR".
COMMANDS = {*get_commands()}
# A block of commands, what they print, or a program that commands run.
TRIED = ("sh", "output", "python")


@pytest.mark.parametrize("page", [name for name in NAMES if blocks(name, "sh")])
def test_the_commands_of_a_page_run(
    page: str,
    transactional_db: None,
    live_server: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    shell = Shell(tmp_path, programs(live_server.url), REAL)
    shell.environment = prepare(page)
    printed = ""
    for block in blocks(page, *TRIED):
        if any(block.text.startswith(first) for first in BLOCKS_ELSEWHERE):
            printed = ""
        elif block.language == "sh":
            printed = shell.run(block.text)
        elif block.language == "output":
            for part in block.text.split("…\n"):
                assert part in printed, f"{block.place} is not printed:\n{printed}"
        elif block.first_line.startswith("# "):
            (tmp_path / block.first_line.removeprefix("# ")).write_text(block.text)
        else:
            subprocess.run([sys.executable, "-c", block.text], check=True)


@pytest.mark.parametrize("page", NAMES)
def test_commands_in_sentences_exist(page: str) -> None:
    for code in spans(page):
        words = [word.strip("[]") for word in code.replace("…", " ").split()]
        match words[1:] if words[:1] == [".venv/bin/python"] else words:
            case ["manage.py" | "segranks", name, *rest] if name not in ("COMMAND", "help"):
                check_manage([name, *rest])
            case [name, _, *_] if name in COMMANDS and "--" in code:
                check_manage(words)
            case ["make", *targets] if targets:
                make(targets)
            case ["docker", "compose", *_]:
                docker(words[1:], check_manage)
            case ["pipx", *arguments] if arguments:
                tried_elsewhere("pipx", arguments)
            case ["python", "-m", *module] | ["-m", *module]:
                python(["-m", *module])
            case [path, *_] if path.startswith(("tests/", "tools/")):
                assert (REPOSITORY / path).exists(), path
