"""Read docker-compose.yml and the Dockerfile as Docker does, for tests without Docker."""

import json
import re
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from tests.installation import REPOSITORY

VARIABLE = re.compile(r"\$(?:(?P<escaped>\$)|\{(?P<name>\w+)(?::(?P<kind>[?-])(?P<rest>[^}]*))?\})")


class Refused(Exception):
    """A required variable is not set."""


def make_secrets(
    file: Path, site: str = "localhost", check: bool = True
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "--silent", "secrets", f"SITE={site}", f"ENV_FILE={file}"],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=check,
    )


def read_environment(file: Path) -> dict[str, str]:
    lines = [line for line in file.read_text().splitlines() if not line.startswith("#")]
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


def read_compose(environment: Mapping[str, str]) -> dict[str, Any]:
    """Return docker-compose.yml with its variables replaced. Raises Refused."""
    return dict(
        _filled(yaml.safe_load((REPOSITORY / "docker-compose.yml").read_text()), environment)
    )


def _filled(node: Any, environment: Mapping[str, str]) -> Any:
    if isinstance(node, dict):
        return {key: _filled(value, environment) for key, value in node.items()}
    if isinstance(node, list):
        return [_filled(value, environment) for value in node]
    if not isinstance(node, str):
        return node

    def fill(found: re.Match[str]) -> str:
        if found["escaped"]:
            return "$"
        value = environment.get(found["name"], "")
        if not value and found["kind"] == "?":
            raise Refused(f"required variable {found['name']} is missing a value: {found['rest']}")
        return value or (found["rest"] if found["kind"] == "-" else "")

    return VARIABLE.sub(fill, node)


@dataclass
class Stage:
    """A stage of the Dockerfile with its instructions in order."""

    name: str
    parent: str
    instructions: list[tuple[str, str]] = field(default_factory=list)

    def of(self, instruction: str) -> list[str]:
        return [value for name, value in self.instructions if name == instruction]

    @property
    def environment(self) -> dict[str, str]:
        pairs = [pair.partition("=") for each in self.of("ENV") for pair in shlex.split(each)]
        return {name: value for name, _, value in pairs}

    @property
    def command(self) -> list[str]:
        return list(json.loads(self.of("CMD")[-1]))


def read_dockerfile() -> dict[str, Stage]:
    text = (REPOSITORY / "Dockerfile").read_text()
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    stages: dict[str, Stage] = {}
    for line in "\n".join(lines).replace("\\\n", " ").splitlines():
        instruction, _, value = line.partition(" ")
        if instruction == "FROM":
            parent, _as, name = value.split()
            stages[name] = stage = Stage(name, parent)
        else:
            stage.instructions.append((instruction, " ".join(value.split())))
    return stages


def made_of(stages: Mapping[str, Stage], name: str) -> set[str]:
    """Return the stage and all stages that it starts from or copies from."""
    stage = stages[name]
    copied = re.findall(r"--from=(\S+)", " ".join(stage.of("COPY")))
    found = {name}
    for other in [stage.parent, *copied]:
        if other in stages:
            found |= made_of(stages, other)
    return found
