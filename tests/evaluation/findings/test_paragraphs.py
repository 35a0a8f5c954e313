"""Texts that reports of paragraphs say in place of those that speak of sentences."""

import re

import pytest

from evaluation.findings.paragraphs import PARAGRAPHS
from evaluation.rendering.tables import Column, Table
from evaluation.rendering.text import _

PLACEHOLDER = re.compile(r"%\(\w+\)s|%%")


@pytest.mark.parametrize("message", PARAGRAPHS)
def test_both_texts_have_the_same_placeholders(message: str) -> None:
    other = PARAGRAPHS[message].message
    assert PLACEHOLDER.findall(other) == PLACEHOLDER.findall(message)


def test_headings_notes_captions_and_cells_are_renamed_with_their_values() -> None:
    of = Table.of(
        "name",
        _("Sentences"),
        [Column("a", _("Sentence"), value=lambda row: row)],
        [_("Sentence"), "Sentence"],
        notes=[_("%(number)s sentences", number=3), "Sentence"],
    )
    words = {
        "Sentences": _("Paragraphs"),
        "Sentence": _("Paragraph"),
        "%(number)s sentences": _("%(number)s paragraphs"),
    }
    renamed = of.renamed(words)
    assert (str(renamed.caption), str(renamed.columns[0].heading)) == ("Paragraphs", "Paragraph")
    assert [str(note) for note in renamed.notes] == ["3 paragraphs", "Sentence"]
    assert [str(cell) for (cell,) in renamed.rows] == ["Paragraph", "Sentence"]
