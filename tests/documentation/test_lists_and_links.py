"""Every command, setting, kind of judgement, event and table has a row in its list in docs.

A list is the tables of Markdown below one heading of the second level. Its rows begin with the name
as `code`; what follows the name in the code says how to use it ("`report PROJECT`"), and capitals
in a name stand for what differs ("`ranking-METHOD`").

Export formats are described, rooms are drawn, and links lead somewhere.
"""

import ast
import re
import tomllib
from fnmatch import fnmatchcase
from itertools import groupby
from operator import itemgetter
from pathlib import Path

import pytest
from rest_framework.exceptions import APIException

from annotation.import_export.export_formats import EXPORT_FORMATS
from annotation.kinds import KINDS
from annotation.models import Assignment, BatchTurn, Chunk, Job, Project
from api.exceptions import Problem
from evaluation.models import RuleKind
from people.models import Invitation
from tests.installation import REPOSITORY
from tests.operations.test_deployment_files import variables
from webhooks.models import TEST, Delivery, Event

DOCS = REPOSITORY / "docs"
EXAMPLES = REPOSITORY / "examples"
PAGES = (
    *REPOSITORY.glob("*.md"), *DOCS.rglob("*.md"),
    *EXAMPLES.rglob("*.md"), *EXAMPLES.glob("*.ipynb"),
)  # fmt: skip


def commands() -> set[str]:
    return {path.stem for path in REPOSITORY.glob("*/management/commands/[!_]*.py")}


def tables() -> set[str]:
    """Return the names given to functions that return a Table, with * for what differs."""
    rooms = [REPOSITORY / "evaluation" / room for room in ("rendering", "findings", "report")]
    files = [path.read_text() for room in rooms for path in room.rglob("*.py")]
    nodes = [node for file in files for node in ast.walk(ast.parse(file))]
    makers, given = set(), []
    for node in nodes:
        if isinstance(node, ast.FunctionDef) and node.returns:
            parameters = [each.arg for each in (*node.args.args, *node.args.kwonlyargs)]
            if ast.unparse(node.returns).strip("'") == "Table" and "name" in parameters:
                makers.add(node.name)
                given += [default for default in node.args.kw_defaults if default]
    for node in nodes:
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] in makers:
            given += [*node.args, *(each.value for each in node.keywords if each.arg == "name")]
    # Of `name or f"ranking-{method}"`, the last.
    texts = [node.values[-1] if isinstance(node, ast.BoolOp) else node for node in given]
    names = [re.sub(r"\{.*?\}", "*", ast.unparse(node).removeprefix("f")) for node in texts]
    return {name.strip("'") for name in names if re.fullmatch(r"'[a-z*-]+'", name)}


def problem_types() -> set[str]:
    """Return the types of the API's problems: those of exceptions, and of failed databases."""
    classes: list[type[APIException]] = [Problem, *APIException.__subclasses__()]
    for each in classes:
        classes += [below for below in each.__subclasses__() if below not in classes]
    failures = (REPOSITORY / "annotation/common/database_errors.py").read_text()
    codes = re.findall(r'Refusal\(HTTPStatus\.\w+, "(\w+)"', failures)
    return {APIException.default_code, *(each.default_code for each in classes), *codes}


def states() -> set[str]:
    models = (Assignment, BatchTurn, Chunk, Delivery, Job, Project)
    return {*Invitation.Mailing.values, *(name for one in models for name in one.State.values)}


def checks() -> set[str]:
    files = [path.read_text() for path in REPOSITORY.glob("*/*checks*.py")]
    return {name for file in files for name in re.findall(r'id="(segranks\.\w+)"', file)}


def listed(page: str, heading: str) -> list[str]:
    """Return the names with which the rows below the heading begin."""
    text = (DOCS / page).read_text(encoding="utf-8")
    [section] = re.findall(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    cells = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
    return [name.split()[0] for cell in cells for name in re.findall(r"`(.+?)`", cell)]


@pytest.mark.parametrize(
    ("page", "heading", "names"),
    [
        ("commands.md", "All commands", commands()),
        ("deployment.md", "Settings", variables()),
        ("kinds.md", "Which kind for which question", {*KINDS}),
        ("api.md", "Webhooks", {*Event.values, TEST}),
        ("evaluation.md", "Tables", tables()),
        ("what-can-go-wrong.md", "Rules of quality", {*RuleKind.values}),
        ("what-can-go-wrong.md", "Types of the API", problem_types()),
        ("what-can-go-wrong.md", "States", states()),
        ("what-can-go-wrong.md", "Checks before a deployment", checks()),
    ],
)
def test_a_list_names_each_once_and_nothing_else(page: str, heading: str, names: set[str]) -> None:
    rows = listed(page, heading)
    assert len(rows) == len({*rows})
    assert [name for name in names if not any(fnmatchcase(row, name) for row in rows)] == []
    assert [row for row in rows if not any(fnmatchcase(row, name) for name in names)] == []


def test_each_export_format_is_described() -> None:
    text = (DOCS / "formats.md").read_text(encoding="utf-8")
    given = re.findall(r"--format ([a-z|-]+)", text)
    assert {*EXPORT_FORMATS} <= {name for names in given for name in names.split("|")}


def test_the_drawing_has_the_rooms_on_the_floors_of_the_import_rules() -> None:
    rules = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))
    floors = {
        app: [floor.split(" | ") for floor in rule["layers"]]
        for rule in rules["tool"]["importlinter"]["contracts"]
        for app in rule.get("containers", ())
    }
    drawing = (DOCS / "architecture.svg").read_text(encoding="utf-8")
    rooms = re.findall(r'<text class="t" .*?y="(.+?)".*?>(.+?)<', drawing)
    drawn = [[name for _y, name in floor] for _y, floor in groupby(rooms, itemgetter(0))]
    assert drawn == floors["evaluation"] + floors["annotation"]


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    for link in re.findall(r"\]\((?!\w+:)([^)\s]+)\)", page.read_text(encoding="utf-8")):
        path, _, heading = link.partition("#")
        goal = page.parent / path if path else page
        assert goal.exists(), link
        assert not heading or heading in anchors(goal), link
