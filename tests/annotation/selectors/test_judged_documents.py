"""The texts of a project by document, with the answers that count."""

from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from django.utils import timezone

from annotation.models import Assignment, ErrorSpan, Judgement, Placement, Project, Sentence
from annotation.projects.documents import set_documents
from annotation.selectors import judged_documents
from annotation.selectors.judged_documents import (
    DocumentPage,
    Output,
    Words,
    document_page,
    documents_page,
    found_page,
)
from tests.annotation.judging.practice_setting import practise_with
from tests.annotation.kinds.assessed_project import prepared
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

SENTENCE = {"0 1 2 3 4 5 6": ("starý dům", "dům", "domek")}
NAMES = ("a", "b", "c")


def shown(project: Project, line: int = 1, systems: Collection[str] = "ABC") -> DocumentPage:
    rows = dict(project.systems.order_by("pk").values_list("pk", "name"))

    def annotators(users: Collection[int]) -> Mapping[int, str]:
        return {user: f"#{user}" for user in sorted(users)}

    def mean(ranks: object) -> str:
        return ",".join(map(str, ranks)) if isinstance(ranks, list) else ""

    words = Words(systems=rows, annotators=annotators, mean=mean)
    chosen = {pk for pk, name in rows.items() if name in systems}
    page = document_page(project, line, systems=chosen, words=words)
    assert page
    return page


def answers(output: Output) -> list[tuple[str, int | None]]:
    return [(one.annotator, one.rank) for one in output.answers if one]


def name_documents(project: Project, *names: str) -> None:
    for number, name in enumerate(names, start=1):
        project.sentences.filter(number=number, purpose="judge").update(document=name)


def test_documents_have_their_lines_and_the_judgements_that_count() -> None:
    project = make_project(sentences=5)
    name_documents(project, "news", "news", "", "blog", "blog")
    jana = make_annotator(project)
    for number in (1, 2, 5):
        submit(project, jana, number, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})
    project.sentences.filter(number=2).update(excluded=True)
    Assignment.objects.filter(sentence__number=5).update(
        state="discarded", discarded_with_annotator=True
    )

    _page, rows = documents_page(project, 1)

    assert [(row.name, row.first, row.last, row.lines, row.judgements) for row in rows] == [
        ("news", 1, 1, 1, 2),
        ("", 3, 3, 1, 0),
        ("blog", 4, 5, 2, 0),
    ]
    assert {row.begins for row in rows} == {project.sentences.first().text}  # type: ignore[union-attr]


def test_a_project_without_documents_has_parts_of_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged_documents, "LINES_PER_PAGE", 2)
    project = make_project(sentences=5)
    submit(project, make_annotator(project), 4, {"0 1 2": [1, 2, 3], "4 5 6": [1, 2]})

    _page, rows = documents_page(project, 1)

    parts = [(row.first, row.last, row.lines, row.judgements) for row in rows]
    assert parts == [(1, 2, 2, 0), (3, 4, 2, 2), (5, 5, 1, 0)]
    page = shown(project, 4)
    assert [line.number for line in page.lines] == [3, 4]
    assert (page.before, page.after, page.first, page.last, page.count) == (1, 5, 3, 4, 5)
    last = shown(project, 5)
    assert (last.before, last.after, last.last) == (3, None, 5)


def test_only_the_lines_of_the_document_are_on_its_page() -> None:
    project = make_project(sentences=4)
    name_documents(project, "news", "blog", "news", "blog")

    page = shown(project, 3)

    assert page.document == "news"
    assert [line.number for line in page.lines] == [1, 3]
    assert (page.before, page.after) == (None, None)


@pytest.mark.parametrize("line", [0, 9, 2, 2**31, 10**30])
def test_a_line_that_is_unknown_or_excluded_has_no_page(line: int) -> None:
    project = make_project(sentences=3)
    project.sentences.filter(number=2).update(excluded=True)
    words = Words(systems={}, annotators=lambda users: {}, mean=lambda ranks: "")

    assert document_page(project, line, systems=(), words=words) is None


def test_outputs_of_sentences_are_in_the_columns_of_their_systems() -> None:
    project = make_project(kind="sentence_ranking", sentences=1, segments=SENTENCE)
    petr, jana = make_annotator(project, "petr"), make_annotator(project)
    (segment,) = SENTENCE
    submit(project, jana, 1, {segment: [1, 2, None]})
    submit(project, petr, 1, {segment: [2, 1, 3]})
    # B has the text of A.
    first, second, _third = project.systems.order_by("pk")
    candidate = first.projections.get().candidate
    second.projections.update(candidate=candidate)

    (line,) = shown(project, systems="AB").lines

    assert line.references[0].text == "reference"
    assert not line.segments
    assert [column.system for column in line.columns] == ["A", "B"]
    for column, other in zip(line.columns, "BA", strict=True):
        (output,) = column.outputs
        assert (output.text, list(output.systems)) == ("starý dům", [other])
        # In the order of the annotators, not of time.
        assert answers(output) == [(f"#{petr.pk}", 2), (f"#{jana.pk}", 1)]
        assert output.mean == "2,1"


def test_what_does_not_count_is_not_shown() -> None:
    project = make_project(kind="sentence_ranking", sentences=2, segments=SENTENCE)
    (segment,) = SENTENCE
    people = [make_annotator(project, name) for name in NAMES]
    made = [submit(project, one, 1, {segment: [1, 2, 3]}) for one in people]
    practise_with(project, 2)
    practised = project.sentences.get(purpose=Sentence.Purpose.PRACTICE)
    Assignment.objects.filter(pk=made[0].pk).update(
        state="discarded", discarded_with_annotator=True
    )
    made[1].submissions.update(current=False)
    Assignment.objects.create(
        project=project,
        sentence=practised,
        annotator=people[0],
        kind="practice",
        state="submitted",
        created=timezone.now(),
        submitted=timezone.now(),
    )
    excluded = project.systems.get(name="C").projections.get(segment__sentence__number=1)
    assert excluded.candidate
    excluded.candidate.excluded = True
    excluded.candidate.save()

    first, second = shown(project).lines

    assert [answers(column.outputs[0]) for column in first.columns[:2]] == [
        [(f"#{people[2].pk}", 1)],
        [(f"#{people[2].pk}", 2)],
    ]
    assert not first.columns[2].outputs
    assert not any(output.answers for column in second.columns for output in column.outputs)


def test_candidates_of_segments_are_below_the_line_the_best_first() -> None:
    project = make_project(sentences=1)
    jana, petr = make_annotator(project), make_annotator(project, "petr")
    submit(project, jana, 1, {"0 1 2": [3, 1, None], "4 5 6": [1, 1]})
    submit(project, petr, 1, {"0 1 2": [2, 1, 3], "4 5 6": [2, 1]})

    (line,) = shown(project).lines

    assert [text for text, inside in line.source if inside] == ["the old house", "near the river"]
    segment, _other = line.segments
    assert [text for text, inside in segment.pieces if inside] == ["the old house"]
    assert [name for name, _repeat in segment.judgements] == [f"#{jana.pk}", f"#{petr.pk}"]
    assert [(one.text, list(one.systems), one.mean) for one in segment.candidates] == [
        ("stará dům", ["B"], "1,1"),
        ("starý dům", ["A"], "3,2"),
        ("dům", ["C"], "None,3"),
    ]


def test_translations_that_are_judged_alone_are_one_line(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    names = tmp_path / "documents.txt"
    names.write_text("news\nnews\nblog\nblog\nblog\nblog\n")
    set_documents(project=project, path=names)
    jana = make_annotator(project)
    further = project.sentences.filter(source_line=1).order_by("number")[0]
    segment = further.segments.get()
    submit(project, jana, further.number, {segment.token_indices: [5]}, steps=101)

    _page, rows = documents_page(project, 1)
    assert [(row.name, row.lines, row.judgements) for row in rows] == [
        ("news", 2, 1),
        ("blog", 4, 0),
    ]
    page = shown(project, systems="ABCDE")
    assert [line.number for line in page.lines] == [1, 2]
    (judged,) = segment.candidates.all()
    outputs = [output for column in page.lines[0].columns for output in column.outputs]
    assert [answers(one) for one in outputs if one.text == judged.text] == [[(f"#{jana.pk}", 5)]]
    assert not [one for one in outputs if one.text != judged.text and one.answers]


def test_an_excluded_translation_is_not_shown_though_its_line_is(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    head = project.sentences.get(number=1)
    text = head.segments.get().candidates.get().text
    head.excluded = True
    head.save()

    line = shown(project, systems="ABCDE").lines[0]

    outputs = [output.text for column in line.columns for output in column.outputs]
    assert line.number == 1
    assert outputs
    assert text not in outputs


def test_marks_of_several_annotators_cover_their_words() -> None:
    project = make_project(
        kind="error_spans", sentences=1, segments={"0 1 2 3 4 5 6": ("abcdefgh",)}
    )
    people = [make_annotator(project, name) for name in NAMES[:2]]
    for person in people:
        submit(project, person, 1, {"0 1 2 3 4 5 6": [11]}, steps=101)
    first, second = Placement.objects.order_by("judgement")
    category = "accuracy/mistranslation"
    for placement, side, start, end, severity in (
        (first, "target", 0, 4, "minor"),
        (second, "target", 2, 6, "critical"),
        (second, "missing", None, None, "major"),
        (second, "source", 4, 7, "neutral"),
    ):
        ErrorSpan.objects.create(
            placement=placement,
            side=side,
            start=start,
            end=end,
            severity=severity,
            category=category,
        )

    (output,) = shown(project, systems="A").lines[0].columns[0].outputs

    assert [(piece.text, len(piece.marks)) for piece in output.pieces] == [
        ("ab", 1),
        ("cd", 2),
        ("ef", 1),
        ("gh", 0),
    ]
    assert [piece.is_minor for piece in output.pieces[:3]] == [True, False, False]
    one, other = output.answers
    assert one
    assert other
    assert [(mark.text, mark.severity, mark.category) for mark in one.marks] == [
        ("abcd", "minor", category)
    ]
    marks = {mark.side: mark.text for mark in other.marks}
    assert marks == {"target": "cdef", "missing": "", "source": "old"}


def test_words_are_found_in_sources_and_outputs_once_a_line(tmp_path: Path) -> None:
    project = prepared(tmp_path)
    head = project.sentences.get(number=1)
    output = head.translations.filter(system__name="C").get().text

    _page, by_output = found_page(project, output, 1)
    _page, by_number = found_page(project, "2", 1)

    assert 1 in [line.number for line in by_output]
    assert len({line.number for line in by_output}) == len(by_output)
    assert 2 in [line.number for line in by_number]
    assert not found_page(project, "nowhere to be found", 1)[1]


@pytest.mark.parametrize("sentences", [2, 20])
def test_a_page_needs_as_many_queries_whatever_is_on_it(
    sentences: int, django_assert_num_queries
) -> None:
    project = make_project(
        kind="error_spans", sentences=sentences, segments={"0 1 2 3 4 5 6": ("abc",)}
    )
    for name in NAMES:
        annotator = make_annotator(project, name)
        for number in range(1, sentences + 1):
            submit(project, annotator, number, {"0 1 2 3 4 5 6": [11]}, steps=101)
    assert Judgement.objects.count() == 3 * sentences

    # Systems by `shown`; the document, its lines, their rows, translations, candidates,
    # projections, placements, marks.
    with django_assert_num_queries(9):
        shown(project)
    # Whether there are documents, how many lines, these, their judgements, the first texts.
    with django_assert_num_queries(5):
        documents_page(project, 1)
