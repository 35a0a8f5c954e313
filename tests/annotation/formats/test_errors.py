import json

import pytest

from annotation.formats.errors import InputError, Template


def test_the_message_has_place_and_values() -> None:
    problem = InputError(Template("%(count)d lines of %(name)r"), "a, line 3", count=2, name="b")
    assert str(problem) == "a, line 3: 2 lines of 'b'"
    assert str(InputError("100 % of it")) == "100 % of it"
    assert str(problem.at("c")) == "c: 2 lines of 'b'"


@pytest.mark.parametrize("said", [Template("%(file)s is 100 %%"), "/tmp/x is 100 %"])
def test_paths_are_replaced_by_names(said: str) -> None:
    problem = InputError(said, "/tmp/x, line 3", file="/tmp/x", count=1)
    assert str(problem.with_names({"/tmp/x": "mine"})) == "mine, line 3: mine is 100 %"


@pytest.mark.parametrize("said", [Template("%(count)d lines"), "2 lines"])
def test_json_keeps_the_template_and_its_values(said: str) -> None:
    problem = InputError(said, "a, line 3", count=2)
    again = InputError.from_json(json.loads(json.dumps(problem.to_json())))
    assert str(again) == str(problem) == "a, line 3: 2 lines"
    assert isinstance(again.template, Template) == isinstance(said, Template)
