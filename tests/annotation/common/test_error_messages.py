"""Errors of readers in the language of the page."""

from annotation.common.error_messages import localize_error
from annotation.formats.errors import InputError, Template


def test_a_sentence_begins_with_a_capital_but_a_file_name_keeps_its_case() -> None:
    assert localize_error(InputError("the file is empty")).words == "The file is empty"
    error = InputError(Template("%(file)s has no line %(line)d"), file="short.txt", line=3)
    assert localize_error(error).words == "short.txt has no line 3"


def test_its_text_is_the_sentence_with_its_place() -> None:
    assert str(localize_error(InputError("the file is empty"))) == "The file is empty"
    assert str(localize_error(InputError("it is empty", "a.txt"))) == "a.txt: It is empty"
