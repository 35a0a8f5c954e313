"""Texts of any language on pages: their attributes, and how they are shortened."""

import re
from pathlib import Path

import pytest
from django.conf import settings

from annotation.models import Project
from annotation.templatetags.languages import beginning, needs_fonts, text_attributes

TEMPLATES = sorted((Path(settings.BASE_DIR) / "templates").rglob("*.html"))


@pytest.mark.parametrize(
    ("language", "direction"),
    [
        ("en", "ltr"),
        ("ja", "ltr"),
        ("zh-Hant-TW", "ltr"),
        ("ar", "rtl"),
        ("fa", "rtl"),
        ("ur", "rtl"),
        ("he", "rtl"),
        ("yi", "rtl"),
        ("ckb", "rtl"),
        # The same language in two scripts.
        ("pa", "ltr"),
        ("pa-PK", "rtl"),
        ("az-Arab", "rtl"),
        # Of a language that is not known, the text decides.
        ("und", "auto"),
        ("", "auto"),
    ],
)
def test_the_direction_is_that_of_the_language(language, direction):
    attributes = text_attributes(language)

    assert attributes == f' lang="{language}" dir="{direction}" translate="no"'


@pytest.mark.parametrize(
    ("source", "target", "needed"),
    [
        ("en", "cs", False),
        ("el", "uk", False),
        ("en", "zh", True),
        ("ur", "de", True),
        ("und", "en", True),
    ],
)
def test_fonts_are_for_projects_with_other_scripts(source, target, needed):
    assert needs_fonts(Project(source_language=source, target_language=target)) == needed


def test_pages_of_no_project_have_all_fonts():
    assert needs_fonts("")


def test_templates_have_these_attributes_from_one_place():
    by_hand = re.compile(r'lang="{[{%][^"]*_language')

    assert [path.name for path in TEMPLATES if by_hand.search(path.read_text())] == []


@pytest.mark.parametrize(
    ("text", "length", "shown"),
    [
        ("Old house", 9, "Old house"),
        ("Old house stands", 10, "Old house…"),
        # No letter without its vowels, and no half of an emoji.
        ("ผู้ที่", 1, "ผู้…"),
        ("👨‍👩‍👧𠮷野家", 2, "👨‍👩‍👧𠮷…"),
    ],
)
def test_a_text_is_shortened_by_what_people_see(text, length, shown):
    assert beginning(text, length) == shown
