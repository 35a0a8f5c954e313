import pytest

from annotation.models import Projection, Translation
from annotation.selectors.sentence_texts import system_sentences
from tests.annotation.import_export.exchange_files import add_practice_and_controls, worked_on
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project, places

pytestmark = pytest.mark.django_db

SOURCE = [("the old house", True), (" stands near ", False), ("the river", True)]


def judged_project(**fields):
    project = make_project(segments={"0 1 2": ("starý dům", "dům"), "5 6": ("řeky", "řece")})
    submit(project, make_annotator(project), 2, {"0 1 2": [1, 2], "5 6": [1, 2]})
    return project


def translate(project, number, system, tokens, alignment):
    return Translation.objects.create(
        sentence=project.sentences.get(number=number),
        system=project.systems.get(name=system),
        text=tokens,
        tokens=places(tokens),
        alignment=alignment,
    )


def test_segments_are_marked_in_the_source_and_in_the_translation():
    project = judged_project()
    translate(project, 2, "A", "u řeky stojí starý dům .", "0-3 1-3 2-4 5-1 6-1 4-0 3-2")

    found = system_sentences(project, [(2, "A")])[2, "A"]

    assert (found.number, found.system, found.whole) == (2, "A", True)
    assert found.source == SOURCE
    assert found.translation == [
        ("u ", False),
        ("řeky", True),
        (" stojí ", False),
        ("starý dům", True),
        (" .", False),
    ]
    assert found.references == [(1, "reference")]


def test_without_links_the_translation_is_plain_and_without_tokens_of_a_reference_there_is_none():
    project = judged_project()
    translate(project, 2, "A", "u řeky stojí dům", "")
    Translation.objects.filter(system=None).delete()

    found = system_sentences(project, [(2, "A")])[2, "A"]

    assert found.translation == [("u řeky stojí dům", False)]
    assert not found.references


def test_without_a_translation_the_candidates_stand_there():
    found = system_sentences(judged_project(), [(2, "A"), (2, "C")])

    assert found[2, "A"].translation == [("starý dům", True), (" … ", False), ("řeky", True)]
    assert not found[2, "A"].whole
    assert found[2, "C"].translation == []


def test_unjudged_segments_are_not_marked():
    found = system_sentences(judged_project(), [(1, "A")])[1, "A"]

    assert found.source == [("the old house stands near the river", False)]
    assert found.translation == []


def test_neighbouring_segments_stay_two():
    project = make_project(segments={"0 1 2": ("dům", "domek"), "3 4": ("u", "k")})
    submit(project, make_annotator(project), 1, {"0 1 2": [1, 2], "3 4": [1, 2]})

    assert system_sentences(project, [(1, "A")])[1, "A"].source == [
        ("the old house", True),
        (" ", False),
        ("stands near", True),
        (" the river", False),
    ]


def test_sentences_that_are_gone_are_left_out_and_copies_are_no_sentences():
    project = worked_on()
    add_practice_and_controls(project)

    assert system_sentences(project, [(999, "A")]) == {}
    assert system_sentences(project, []) == {}
    assert system_sentences(project, [(1, "stranger")])[1, "stranger"].translation == []


@pytest.mark.parametrize("number", [1, 3])
def test_it_asks_as_many_queries_however_many_sentences(number, django_assert_num_queries):
    project = judged_project()
    assert Projection.objects.exists()

    with django_assert_num_queries(4):
        system_sentences(project, [(each, name) for each in range(1, number + 1) for name in "ABC"])
