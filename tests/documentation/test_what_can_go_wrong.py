"""The page of what can go wrong has a row for each message, and no message that nothing says."""

import ast
import re
from collections.abc import Iterable, Iterator

import pytest

from tests.installation import REPOSITORY

PAGE = (REPOSITORY / "docs/what-can-go-wrong.md").read_text(encoding="utf-8")
APPS = ("annotation", "api", "crowd", "evaluation", "operations", "people", "segranks", "webhooks")
FILES = [path for app in APPS for path in (REPOSITORY / app).rglob("*.py")]
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in FILES}
# What people are told by a sentence of its own. The hundreds of InputErrors are there by families.
TOLD = {
    "AlreadySubmitted", "AlreadyThere", "ArgumentTypeError", "AuthenticationFailed", "BadOption",
    "BadPayload", "CannotStart", "Closed", "CommandError", "Conflict", "Error", "InvalidAnswer",
    "InvalidJudgement", "LastCandidate", "LookAgain", "NoControls", "NotAllowed", "NotAssigned",
    "NotAvailable", "NotForPractice", "NotOfProject", "NotPossible", "NotSent", "ParseError",
    "PermissionDenied", "TooLarge", "TooManyWaiting", "ValidationError", "bad_body", "bad_query",
    "damaged", "error",
}  # fmt: skip


def plain(text: str) -> str:
    """Return the text with … for each placeholder."""
    text = re.sub(r"\{%\s*translate\s+['\"](.*?)['\"].*?%\}", r"\1", text)
    text = re.sub(r"%\(\w+\)[sdr]|%[sdr]|\{\{.*?\}\}|\{%.*?%\}", "…", text, flags=re.DOTALL)
    return " ".join(text.split())


def sentence(node: ast.AST) -> str:
    """Return the sentence of a text or f-string, "" for other nodes and single words."""
    if isinstance(node, ast.JoinedStr):
        parts = [str(one.value) if isinstance(one, ast.Constant) else "…" for one in node.values]
        text = "".join(parts)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
    else:
        return ""
    return plain(text) if re.search(r"\w \w", text) else ""


def sentences(tree: ast.AST) -> Iterator[str]:
    texts = [node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr)]
    inside = {id(part) for text in texts for part in text.values}
    for node in ast.walk(tree):
        if id(node) not in inside and (found := sentence(node)):
            yield found


def assigned(name: str, path: str) -> set[str]:
    """Return the sentences in what the module assigns to this name."""
    values = [
        node.value
        for node in TREES[REPOSITORY / path].body
        if isinstance(node, ast.Assign | ast.AnnAssign) and node.value
        if name in map(ast.unparse, node.targets if isinstance(node, ast.Assign) else [node.target])
    ]
    return {said for value in values for said in sentences(value)}


def raised(names: Iterable[str]) -> set[str]:
    """Return the sentences with which exceptions of these names are raised."""
    raises = [
        node.exc
        for tree in TREES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call)
    ]
    return {
        said
        for call in raises
        if ast.unparse(call.func).split(".")[-1] in names
        for said in sentences(call)
    }


# Rows of single words are the names of states and the like.
ROWS = [
    message
    for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE)
    for message in re.findall(r"`(.+?)`", row)
    if " " in message
]


@pytest.mark.parametrize(
    "told",
    [
        assigned("SENTENCES", "annotation/common/error_messages.py"),
        assigned("CLAUSES", "evaluation/web/report_texts.py"),
        raised(TOLD),
        raised({"ImproperlyConfigured"}),
    ],
    ids=["files", "reasons", "refusals", "settings"],
)
def test_each_message_has_a_row(told: set[str]) -> None:
    assert sorted(said for said in told if not any(said.startswith(row) for row in ROWS)) == []


def test_each_row_is_said() -> None:
    templates = [*(REPOSITORY / "templates").rglob("*.html")]
    said = " ".join(
        [
            *(plain(path.read_text(encoding="utf-8")) for path in templates),
            *(one for tree in TREES.values() for one in sentences(tree)),
            plain((REPOSITORY / "manage.py").read_text(encoding="utf-8")),
        ]
    )
    assert [row for row in ROWS if row not in said] == []
