"""Every text for people is there in every language, and what was compiled is what was written."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest
from django.conf import settings
from django.utils.translation import gettext, ngettext, override
from django.utils.translation.template import templatize
from langcodes import Language

BASE = Path(settings.BASE_DIR)
CATALOGUES = sorted(path.parent.parent.name for path in BASE.glob("locale/*/*/django.po"))
PROGRAMS = [
    path
    for room in sorted(path.parent for path in BASE.glob("*/__init__.py"))
    if room.name != "tests"
    for path in sorted(room.rglob("*.py"))
]
TEMPLATES = sorted(
    path for path in (BASE / "templates").rglob("*.*") if path.suffix in {".html", ".txt"}
)
FUNCTIONS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
STRING = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
# What Django makes of a template for gettext: calls with one or two literal strings.
CALL = re.compile(rf"\b(?:_|gettext|ngettext)\(\s*u?({STRING})(?:\s*,\s*u?({STRING}))?")
PLACEHOLDER = re.compile(r"%\(\w+\)[sdr]|</?\w+>")
NO_TEXT = re.compile(r"<kbd>.*?</kbd>|<[^>]*>|&\w+;|%\(\w+\)[sdr]")
# U+00A0 belongs before : ; ! ? % and inside « ».
BREAKING_SPACE = re.compile(r" [:;!?%»]|« |\w[;!?»]|«\w")


def texts_of_program(source: str) -> Iterator[tuple[str, ...]]:
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        if name not in FUNCTIONS:
            continue
        wanted = call.args[: 2 if name.startswith("ngettext") else 1]
        yield tuple(ast.literal_eval(argument) for argument in wanted)


def texts_of_template(source: str) -> Iterator[tuple[str, ...]]:
    for match in CALL.finditer(templatize(source)):
        yield tuple(ast.literal_eval(text) for text in match.groups() if text)


def texts_in_use() -> set[tuple[str, ...]]:
    found: set[tuple[str, ...]] = set()
    for path in PROGRAMS:
        found.update(texts_of_program(path.read_text()))
    for path in TEMPLATES:
        found.update(texts_of_template(path.read_text()))
    return found


def path_of(language: str) -> Path:
    return BASE / "locale" / language / "LC_MESSAGES" / "django.po"


@pytest.fixture(scope="module")
def in_use() -> set[tuple[str, ...]]:
    return texts_in_use()


@pytest.fixture(scope="module", params=CATALOGUES)
def language(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def catalogue_of(language: str) -> polib.POFile:
    return polib.pofile(str(path_of(language)))


@pytest.fixture(scope="module")
def catalogue(language: str) -> polib.POFile:
    return catalogue_of(language)


def test_every_language_has_a_catalogue():
    assert {"en", *CATALOGUES} == {code for code, _name in settings.LANGUAGES}


def test_images_keep_what_packages_have_in_every_language():
    kept = re.findall(r"-not -path '\*/(\w+)/\*'", (BASE / "tools/images/trim.sh").read_text())
    assert set(kept) == {code for code, _name in settings.LANGUAGES}


def test_every_language_is_named_in_itself():
    for code, name in settings.LANGUAGES:
        assert name.casefold() == Language.get(code).display_name(code).casefold()


def test_every_text_in_use_is_in_the_catalogue_and_nothing_else_is(catalogue, in_use):
    written = {
        (entry.msgid, entry.msgid_plural) if entry.msgid_plural else (entry.msgid,)
        for entry in catalogue
    }
    assert len(in_use) > 100
    assert sorted(in_use - written) == [], "untranslated: write them into django.po"
    assert sorted(written - in_use) == [], "no longer used: take them out of django.po"


def test_every_text_is_translated_in_all_its_forms(catalogue):
    rule = re.match(r"nplurals=(\d);", catalogue.metadata["Plural-Forms"])
    assert rule
    unfinished = [
        entry.msgid
        for entry in catalogue
        if entry.fuzzy
        or entry.obsolete
        or not all(entry.msgstr_plural.values() if entry.msgid_plural else [entry.msgstr])
        or (entry.msgid_plural and len(entry.msgstr_plural) != int(rule[1]))
    ]
    assert unfinished == []


def test_translations_have_the_same_placeholders_and_tags(catalogue):
    for entry in catalogue:
        expected = set(PLACEHOLDER.findall(entry.msgid_plural or entry.msgid))
        for form, text in (entry.msgstr_plural or {0: entry.msgstr}).items():
            found = set(PLACEHOLDER.findall(text))
            # "One judgement" needs no number.
            assert found == expected or (entry.msgid_plural and form == 0 and found <= expected), (
                entry.msgid
            )


def test_french_has_no_break_spaces_where_its_typography_asks_for_spaces():
    texts = [
        NO_TEXT.sub("", text)
        for entry in catalogue_of("fr")
        for text in (entry.msgstr_plural or {0: entry.msgstr}).values()
    ]
    assert [text for text in texts if BREAKING_SPACE.search(text)] == []


def test_what_was_compiled_is_what_was_written(catalogue, language):
    path = path_of(language)
    compiled = path.with_suffix(".mo").read_bytes()
    assert compiled == catalogue.to_binary(), (
        f"compile it: python -c \"import polib; polib.pofile('locale/{language}/LC_MESSAGES/"
        f"django.po').save_as_mofile('locale/{language}/LC_MESSAGES/django.mo')\""
    )


def test_django_uses_the_catalogue():
    with override("cs"):
        assert gettext("Garbage") == "Odpad"
        one, many = "%(n)d hour", "%(n)d hours"
        assert [ngettext(one, many, number) % {"n": number} for number in (1, 3, 7)] == [
            "1 hodina",
            "3 hodiny",
            "7 hodin",
        ]


@pytest.mark.parametrize(
    ("asked", "language"),
    [
        ("cs", "cs"),
        ("cs-CZ,en;q=0.5", "cs"),
        ("de-AT", "de"),
        ("es-MX", "es"),
        ("fr-CA", "fr"),
        ("en", "en"),
        ("fi", "en"),
        ("", "en"),
    ],
)
def test_the_browser_chooses_the_language(client, db, asked, language):
    page = client.get("/sign-in/", headers={"Accept-Language": asked})
    html = page.content.decode()
    assert f'<html lang="{language}"' in html
    assert ("Přihlásit se" in html) == (language == "cs")
    assert page.headers["Content-Language"] == language
