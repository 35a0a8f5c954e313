"""Files of tutorials: what SegRanks ships, and what is refused."""

import json
from collections.abc import Iterator

import pytest
from django.conf import settings

from annotation.formats.errors import InputError
from annotation.formats.span_notation import SEVERITIES, plain_spans
from annotation.formats.tutorial_files import (
    TutorialParagraph,
    TutorialTranslation,
    by_language,
    read_tutorial,
    spans_of,
)
from annotation.kinds.typology import FREITAG
from annotation.projects.tutorials import SHIPPED, shipped_pairs


@pytest.fixture(params=shipped_pairs())
def shipped(request):
    path = SHIPPED / f"{request.param}.json"
    tutorial = read_tutorial(path.read_bytes(), path.name)
    assert tutorial.languages == request.param
    return tutorial


def translations(tutorial) -> Iterator[tuple[TutorialParagraph, TutorialTranslation]]:
    for document in tutorial.documents:
        for paragraph in document.paragraphs:
            yield from ((paragraph, one) for one in paragraph.translations)


def test_each_mark_is_of_the_words_that_it_names_and_of_whole_words(shipped):
    for paragraph, one in translations(shipped):
        for span, mark in spans_of(one, paragraph.source):
            text = paragraph.source if span.side == "source" else one.text
            assert span.start is not None
            assert span.end is not None
            assert text[span.start : span.end] == mark.words
            around = text[span.start - 1 : span.start] + text[span.end : span.end + 1]
            assert not any(map(str.isalnum, around)), mark.words


def test_marks_have_severities_and_categories_of_all_kinds_and_stay_apart(shipped):
    for paragraph, one in translations(shipped):
        spans = [span for span, _mark in spans_of(one, paragraph.source)]
        assert {span.severity for span in spans} <= set(SEVERITIES)
        assert {span.category for span in spans} <= set(FREITAG.categories)
        assert len(plain_spans(spans, len(one.text))) == len(spans)


def test_ranges_of_scores_follow_from_the_worst_mark(shipped):
    for _paragraph, one in translations(shipped):
        lowest, highest = one.score
        assert 10 <= highest - lowest <= 35
        severities = {mark.severity for mark in one.marks}
        assert (highest == 100) == (not severities)
        assert (highest < 80) == ("major" in severities)


def test_a_tutorial_is_explained_in_english_and_wholly_in_each_other_language(shipped):
    reasons = [
        by_language(why)
        for _paragraph, one in translations(shipped)
        for why in (one.why, *(mark.why for mark in one.marks))
    ]
    languages = reasons[0].keys()
    assert {"en"} < languages <= {code for code, _name in settings.LANGUAGES}
    for texts in reasons:
        assert texts.keys() == languages
        assert len(set(texts.values())) == len(languages)


def test_five_documents_have_errors_of_many_kinds_and_a_flawless_first_translation(shipped):
    assert len(shipped.documents) == 5
    firsts = [
        paragraph.translations[0]
        for document in shipped.documents
        for paragraph in document.paragraphs
    ]
    assert not all(one.marks for one in firsts)
    found = {mark.category for _paragraph, one in translations(shipped) for mark in one.marks}
    assert {
        *("Accuracy/Mistranslation", "Accuracy/Omission", "Accuracy/Addition"),
        *("Accuracy/Untranslated text", "Fluency/Grammar", "Style/Awkward"),
        "Terminology/Inappropriate for context",
    } <= found


# --- what is refused --------------------------------------------------------------------------

MARK = {"words": "vidí psa", "severity": "major", "why": "It is a cat."}
TRANSLATION = {"text": "Ona vidí psa.", "score": [40, 70], "why": "One word is wrong."}


def file_of(*translations, source="She sees a cat."):
    paragraph = {"source": source, "translations": translations}
    document = {"name": "cat", "paragraphs": [paragraph]}
    return json.dumps({"languages": "en-cs", "documents": [document]}).encode()


def test_a_reason_in_one_language_is_for_all_readers():
    tutorial = read_tutorial(file_of(TRANSLATION | {"marks": [MARK]}), "own.json")
    one = tutorial.documents[0].paragraphs[0].translations[0]
    assert by_language(one.why) == {"": "One word is wrong."}
    ((span, _mark),) = spans_of(one, "She sees a cat.")
    assert span[:3] == (4, 12, "major")


def test_the_second_of_equal_places_can_be_marked():
    marks = [MARK | {"words": "psa", "nth": 2}]
    content = file_of(TRANSLATION | {"text": "psa psa", "marks": marks})
    one = read_tutorial(content, "own.json").documents[0].paragraphs[0].translations[0]
    assert [span.start for span, _mark in spans_of(one, "")] == [4]


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"[]", "Expected `object`"),
        (b"x" * 1_000_001, "1000000 bytes"),
        (file_of(TRANSLATION | {"marks": [MARK | {"words": "kočku"}]}), "“kočku” is not in"),
        (file_of(TRANSLATION | {"marks": [MARK | {"words": "i", "nth": 3}]}), "“i” is not in"),
        (file_of(TRANSLATION | {"marks": [MARK | {"words": "a"}]}), "several times"),
        (file_of(TRANSLATION | {"marks": [MARK, MARK]}), "overlap"),
        (file_of(TRANSLATION | {"marks": [MARK | {"side": "whole"}]}), "has no words"),
        (
            file_of(
                TRANSLATION
                | {
                    "marks": [
                        MARK | {"side": "missing", "words": ""},
                        MARK | {"side": "source", "words": "cat"},
                    ]
                }
            ),
            "one mark for what is missing",
        ),
        (
            file_of(TRANSLATION | {"marks": [MARK | {"side": "whole", "words": ""}, MARK]}),
            "no other mark",
        ),
        (file_of(TRANSLATION | {"score": [70, 40]}), "lowest score first"),
        (file_of(TRANSLATION | {"score": [70, 101]}), "Expected `int` <= 100"),
        (file_of(TRANSLATION | {"why": " "}), "a reason has 1 to"),
        (file_of(TRANSLATION | {"why": {}}), "no text"),
        (file_of(TRANSLATION | {"why": {"zz1": "x"}}), "not a known language code"),
        (file_of(TRANSLATION, TRANSLATION), "equal"),
        (file_of(TRANSLATION, source=" "), "matching regex"),
        (file_of(TRANSLATION).replace(b"en-cs", b"en"), "not a pair"),
    ],
)
def test_a_wrong_file_is_refused_with_its_place(content, says):
    with pytest.raises(InputError, match=r"own\.json") as refused:
        read_tutorial(content, "own.json")
    assert says in str(refused.value)


def test_paragraphs_have_the_same_number_of_translations():
    paragraphs = [
        {"source": "a", "translations": [TRANSLATION]},
        {"source": "b", "translations": [TRANSLATION, TRANSLATION | {"text": "x"}]},
    ]
    document = {"name": "cat", "paragraphs": paragraphs}
    content = json.dumps({"languages": "en-cs", "documents": [document]}).encode()
    with pytest.raises(InputError, match="document “cat”: give each paragraph"):
        read_tutorial(content, "own.json")
