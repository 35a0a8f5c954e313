"""How the programs of the pages are tried: run, or checked as far as a test can.

A program of a page that is not here fails the test of the page.
"""

import importlib.util
import os
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import BytesIO, TextIOWrapper
from pathlib import Path

import yaml
from celery.bin.celery import celery
from click.testing import CliRunner
from django.core.management import call_command, get_commands, load_command_class

from annotation.models import User
from segranks.settings import VERSION
from tests.documentation.shell import Program
from tests.installation import REPOSITORY
from tests.operations.deployment_files import make_secrets

# Programs that blocks really run. None changes anything but files of the test.
REAL = (
    "cat", "cp", "grep", "gunzip", "gzip", "head", "ls", "mkdir", "seq", "sha256sum", "sort",
    "tail", "xargs",
)  # fmt: skip
# Run by other tests, or, where none is named, by hand before a release: they need a registry, or
# change the machine. A line has a program and its first argument.
ELSEWHERE = {
    "manage.py up": "tests/operations/test_up.py",
    "manage.py build_eflomal": "",
    "docker build": "tests/images/build_and_try.sh",
    "docker run": "tests/images/try_images.py",
    "docker stop": "",
    "docker rm": "",
    "docker volume": "",
    "jupyter execute": "tests/examples/test_notebooks.py",
    "pipx install": "tests/browser/test_package.py",
    "pipx inject": "",
    "pip install": "",
    "git checkout": "",
    "git diff": "",
    "git fetch": "",
    "git pull": "",
    "trivy image": "",
}
# Blocks that are run elsewhere, or by hand, by their first lines.
BLOCKS_ELSEWHERE = {
    "# commands.sh": "tests/documentation/test_client.py",
    "pip install torch": "",
    # When people have judged.
    "manage.py report News --paper paper": "tests/evaluation/report/test_paper.py",
}
COMPOSE = ("build", "config", "down", "exec", "logs", "ps", "run", "up")
OPTION = re.compile(r"--[a-z][a-z-]*")


def programs(site: str) -> dict[str, Program]:
    """Return all programs; `site` is the address at which curl finds the site of the pages."""
    return {
        name: partial(tried_elsewhere, name) for name in (each.split()[0] for each in ELSEWHERE)
    } | {
        "manage.py": manage,
        "segranks": manage,
        "python": python,
        "python3": python,
        "make": make,
        "docker": docker,
        "curl": lambda arguments: curl(arguments, site),
        "celery": run_celery,
        "gunicorn": gunicorn,
    }


def tried_elsewhere(program: str, arguments: list[str]) -> str:
    assert (REPOSITORY / ELSEWHERE[f"{program} {arguments[0]}"]).exists()
    for name in arguments:
        assert not name.endswith("any.whl") or f"-{VERSION}-" in name, name
    return ""


def manage(arguments: list[str]) -> str:
    """Run a command in this process."""
    check_manage(arguments)
    name, *rest = arguments
    if f"manage.py {name}" in ELSEWHERE:
        return ""
    if name == "createsuperuser":
        # What a person would type.
        rest = ["--noinput", f"--username=boss-{User.objects.count()}", "--email="]
    if name == "restore":
        # Into an empty database.
        call_command("flush", interactive=False, verbosity=0)
        rest = [".stdin" if word == "-" else word for word in rest]
    printed = TextIOWrapper(BytesIO(), encoding="utf-8", write_through=True)
    with redirect_stdout(printed), redirect_stderr(printed):
        call_command(name, *rest, stdout=printed, stderr=printed)
    return printed.buffer.getvalue().decode()


def check_manage(arguments: list[str]) -> None:
    """Fail unless there is such a command with such options."""
    name, *rest = arguments
    parser = load_command_class(get_commands()[name], name).create_parser("manage.py", name)
    known = OPTION.findall(parser.format_help())
    for option in OPTION.findall(" ".join(rest)):
        assert option in known, f"{name} has no option {option}"


def python(arguments: list[str]) -> str:
    match arguments:
        case ["manage.py", *rest]:
            return manage(rest)
        case ["-m", "pip", *rest]:
            return tried_elsewhere("pip", rest)
        case ["-m", "pytest", *paths]:
            assert all((REPOSITORY / path).exists() for path in paths if "/" in path)
            return ""
        case ["-m", module, *rest]:
            found = importlib.util.find_spec(module)
            assert found
            assert found.origin
            known = OPTION.findall(Path(found.origin).read_text())
            assert {*OPTION.findall(" ".join(rest))} <= {*known}, rest
            return ""
    return run(sys.executable, *arguments)


def make(arguments: list[str]) -> str:
    """Make secrets; of other targets, check that they exist: `make test` would begin again."""
    if arguments[0] == "secrets" and "SITE=rank.example.org" in arguments:
        # Each section of a page sets up another server.
        Path(".env").unlink(missing_ok=True)
        make_secrets(Path.cwd() / ".env", "rank.example.org")
        return ""
    targets = re.findall(r"^([a-z-]+):", (REPOSITORY / "Makefile").read_text(), re.MULTILINE)
    for target in arguments:
        assert "=" in target or target in targets, target
    return ""


def docker(arguments: list[str], run_command: Callable[[list[str]], str | None] = manage) -> str:
    """Check the services that Compose is asked for, and run the command of manage.py in them."""
    if arguments[0] != "compose":
        return tried_elsewhere("docker", arguments)
    services = yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text())["services"]
    subcommand, *rest = arguments[1:]
    assert subcommand in COMPOSE
    words = [word for word in rest if not word.startswith("-") and "=" not in word]
    if subcommand in ("exec", "run"):
        service, *command = words
        assert service in services
        if command:
            assert command[:2] == ["python", "manage.py"]
            return run_command(rest[rest.index("manage.py") + 1 :]) or ""
    else:
        assert {*words} <= {*services}
    return "\n".join(each["image"] for each in services.values()) if subcommand == "config" else ""


def curl(arguments: list[str], site: str) -> str:
    addresses = r"https://rank\.example\.org|http://(127\.0\.0\.1|localhost|10\.0\.0\.\d):8000"
    words = [re.sub(addresses, site, each) for each in arguments]
    # No worker runs here, so /readyz answers 503.
    return run("curl", "--silent", *([] if "readyz" in words[-1] else ["--fail-with-body"]), *words)


def run_celery(arguments: list[str]) -> str:
    """Check the options."""
    done = CliRunner().invoke(celery, [*arguments, "--help"])
    assert done.exit_code == 0, done.output
    return ""


def gunicorn(arguments: list[str]) -> str:
    return run(sys.executable, "-m", "gunicorn", "--check-config", *arguments)


def run(*command: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(REPOSITORY), "SEGRANKS_DATA": "data"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
