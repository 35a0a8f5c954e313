import pytest

from annotation.models import Project
from annotation.preparation.tokens import VERSION
from annotation.projects.tokens import target_tokenizer, target_tokens


@pytest.mark.parametrize(
    ("language", "provenance", "text", "words", "named"),
    [
        ("cs", {}, "Dům, domy.", ["Dům", ",", "domy", "."], VERSION),
        ("cs", {"tokens": "given"}, "Dům, domy .", ["Dům,", "domy", "."], "given"),
        ("cs", {"segments": "ready-made"}, "Dům, domy .", ["Dům,", "domy", "."], "given"),
        ("zh", {"segments": "ready-made"}, "座位宽度，", ["座位", "宽度", "，"], "given"),
    ],
)
def test_texts_are_cut_as_those_of_the_project(
    language: str, provenance: dict[str, str], text: str, words: list[str], named: str
) -> None:
    project = Project(target_language=language, provenance=provenance)
    assert target_tokenizer(project)(text).words == words
    assert target_tokens(project) == named
