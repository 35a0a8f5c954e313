"""What is wrong with files: in English for commands, in parts for pages, which translate it."""

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import gettext, override

from annotation.formats.errors import InputError, Template

BASE = Path(settings.BASE_DIR) / "annotation"
# What reads files that come through pages, or works on them: all that it says can be translated.
ROOMS = [
    *sorted((BASE / "preparation").rglob("*.py")),
    *(
        BASE / "formats" / f"{name}.py"
        for name in ("conllu", "files", "pharaoh", "segment_files", "source_segments", "texts")
    ),
    BASE / "formats" / "tab_separated.py",
    BASE / "system_texts.py",
    BASE / "uploads" / "previewing.py",
]
PLACE = re.compile(r"%\((\w+)\)[sdr]")
# The error, and the one that stands for a failure of ours.
ERRORS = {"InputError", "Failed"}
# Parameters of InputError that are no values.
PARTS = {"said", "where"}


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in ROOMS:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ERRORS:
                yield f"{path.name}, line {node.lineno}", node


def template_of(call: ast.Call) -> str:
    said = call.args[0]
    assert isinstance(said, ast.Call)
    assert isinstance(said.func, ast.Name)
    assert said.func.id == "_"
    template = ast.literal_eval(said.args[0])
    assert isinstance(template, str)
    return template


def test_all_that_readers_say_can_be_translated() -> None:
    found = list(calls())
    assert len(found) > 60
    for where, call in found:
        if any(keyword.arg is None for keyword in call.keywords):
            # One that is said again, of another place.
            continue
        template = template_of(call)
        values = {str(keyword.arg) for keyword in call.keywords} - PARTS
        assert set(PLACE.findall(template)) == values, where
        # A sign of its own would be one too many where nothing is filled in.
        assert "%" not in PLACE.sub("", template), where


def test_all_of_it_is_translated_into_czech() -> None:
    templates = {template_of(call) for _where, call in calls()}
    with override("cs"):
        assert [template for template in templates if gettext(template) == template] == []


def test_a_sentence_has_its_place_before_it_and_its_values_in_it() -> None:
    problem = InputError(Template("%(count)d lines of %(name)r"), "a, line 3", count=2, name="b")
    assert str(problem) == "a, line 3: 2 lines of 'b'"
    assert str(InputError("100 % of it")) == "100 % of it"
    assert str(problem.at("c")) == "c: 2 lines of 'b'"


@pytest.mark.parametrize("said", [Template("%(file)s is 100 %%"), "/tmp/x is 100 %"])
def test_files_can_be_called_otherwise(said: str) -> None:
    problem = InputError(said, "/tmp/x, line 3", file="/tmp/x", count=1)
    assert str(problem.calling({"/tmp/x": "mine"})) == "mine, line 3: mine is 100 %"


@pytest.mark.parametrize("said", [Template("%(count)d lines"), "2 lines"])
def test_it_goes_from_one_process_to_another(said: str) -> None:
    problem = InputError(said, "a, line 3", count=2)
    again = InputError.from_json(json.loads(json.dumps(problem.to_json())))
    assert str(again) == str(problem) == "a, line 3: 2 lines"
    assert isinstance(again.said, Template) == isinstance(said, Template)
