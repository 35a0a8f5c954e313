"""The words of units and answers, which templates take by their names."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from django.conf import settings

from annotation.kinds.answer_words import AnswerWords
from annotation.kinds.unit_words import Words

WORDS = {"unit": Words, "answer": AnswerWords}


def names_in_templates(part: str) -> set[str]:
    folder = Path(settings.BASE_DIR) / "templates"
    texts = (path.read_text() for path in folder.rglob("*.html"))
    return {name for text in texts for name in re.findall(rf"\b{part}\.words\.(\w+)", text)}


@pytest.mark.parametrize("part", WORDS)
def test_templates_name_words_that_exist(part: str) -> None:
    # A template would silently show nothing.
    names = names_in_templates(part)
    assert names
    assert names <= {field.name for field in fields(WORDS[part])}
