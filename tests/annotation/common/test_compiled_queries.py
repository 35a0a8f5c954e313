"""Whatever is ready-made answers as the query that it was made from."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.db.models import Count, F, QuerySet

from annotation.common.compiled_queries import ReadyMadeChange, ReadyMadeInsert, ReadyMadeRead
from annotation.judging.assignment import next_assignment
from annotation.models import (
    Assignment,
    Candidate,
    Draft,
    Project,
    Segment,
    Sentence,
    Submission,
)
from tests.factories import make_annotator, make_project

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 1, 12, 0, 0, 123456, tzinfo=UTC)


@ReadyMadeRead
def sentences_from(project: int, number: int) -> QuerySet[Sentence]:
    """Return the project's sentences from this number on."""
    return Sentence.objects.filter(project=project, number__gte=number).order_by("number")


@ReadyMadeRead
def texts(sentence: Sentence) -> QuerySet[Candidate, tuple[int, str]]:
    candidates = Candidate.objects.filter(segment__sentence=sentence)
    return candidates.order_by("pk").values_list("segment", "text")


@ReadyMadeRead
def drafts_of(name: str, until: datetime) -> QuerySet[Draft, Any]:
    drafts = Draft.objects.filter(assignment__annotator__username=name, saved__lte=until)
    return drafts.select_related("assignment__project").annotate(
        candidates=Count("assignment__shown_candidates")
    )


@ReadyMadeChange
def put(assignment: int, choices: dict, seconds: float, now: datetime) -> Any:  # type: ignore[type-arg]
    drafts = Draft.objects.filter(assignment=assignment).exclude(choices=choices)
    fields = {"choices": choices, "active_seconds": seconds, "saved": now}
    return drafts, fields | {"version": F("version") + 1}


@pytest.fixture
def project() -> Project:
    return make_project("ready", sentences=3, segments={"0 1 2": ("a", "b"), "3 4 5": ("c",)})


def ids(rows: list[Any]) -> list[int]:
    return [row.pk for row in rows]


def test_a_read_yields_whole_models_and_changes_with_its_values(project: Project) -> None:
    for number in (1, 2, 4):
        asked = list(sentences_from.build(project.pk, number))
        read = sentences_from(project.pk, number)
        assert read == asked
        assert [vars(row) | {"_state": 0} for row in read] == [
            vars(row) | {"_state": 0} for row in asked
        ]
        assert not any(row._state.adding for row in read)
    assert len(sentences_from(project.pk, 1)) == 3
    assert sentences_from(project.pk + 1, 1) == []
    assert sentences_from.first(project.pk, 4) is None


def test_a_read_of_values_yields_tuples(project: Project) -> None:
    sentence = project.sentences.first()
    assert sentence
    assert texts(sentence) == list(texts.build(sentence))
    assert [text for _segment, text in texts(sentence)] == ["a", "b", "c"]


def test_a_change_counts_the_rows_and_stores_what_update_would(project: Project) -> None:
    assignment = next_assignment(annotator=make_annotator(project), project=project)
    assert assignment
    Draft.objects.create(assignment=assignment, version=1, choices={"1-1": 1}, saved=NOON)
    later = NOON + timedelta(seconds=1)
    assert put(assignment.pk, {"1-1": 1}, 2.5, later) == 0
    assert put(assignment.pk, {"1-1": "garbage", "1-2": 2}, 2.5, later) == 1
    assert put(assignment.pk + 1, {"1-1": 2}, 2.5, later) == 0
    draft = Draft.objects.get()
    assert (draft.version, draft.active_seconds, draft.saved) == (2, 2.5, later)
    assert draft.choices == {"1-1": "garbage", "1-2": 2}


def test_what_the_database_stores_otherwise_is_read_as_it_was(project: Project) -> None:
    jana = make_annotator(project)
    assignment = next_assignment(annotator=jana, project=project)
    assert assignment
    Draft.objects.create(assignment=assignment, version=1, choices={"1-1": 1}, saved=NOON)
    assert drafts_of(jana.username, NOON - timedelta(microseconds=1)) == []
    [draft] = drafts_of(jana.username, NOON)
    assert (draft.choices, draft.saved) == ({"1-1": 1}, NOON)
    assert draft.candidates == 3
    assert Assignment.project.is_cached(draft.assignment)
    assert draft.assignment.project == project


def test_an_argument_that_the_query_does_not_have_is_an_error(project: Project) -> None:
    @ReadyMadeRead
    def forgotten(project: int, number: int) -> QuerySet[Sentence]:
        return Sentence.objects.filter(project=project)

    with pytest.raises(TypeError, match="forgotten"):
        forgotten(project.pk, 1)


def test_of_a_model_only_its_id_can_be_asked(project: Project) -> None:
    @ReadyMadeRead
    def by_setting(project: Project) -> QuerySet[Sentence]:
        return project.sentences.filter(number__lte=project.judges_per_sentence)

    with pytest.raises(Project.DoesNotExist):
        by_setting(project)


def test_an_insert_returns_ids_in_order_however_many_there_are(project: Project) -> None:
    sentence = project.sentences.first()
    assert sentence
    store = ReadyMadeInsert(Segment, "sentence", "token_indices", "round")
    indices = [f"{number} {number + 1}" for number in range(1000)]
    stored = store([(sentence.pk, words, 1) for words in indices])
    assert len(stored) == len(set(stored)) == 1000
    assert [Segment.objects.get(pk=pk).token_indices for pk in stored[::99]] == indices[::99]
    assert store([]) == []


def test_an_insert_stores_what_the_database_keeps_otherwise(project: Project) -> None:
    assignment = next_assignment(annotator=make_annotator(project), project=project)
    assert assignment
    token = uuid4()
    store = ReadyMadeInsert(
        Submission, "assignment", "number", "current", "token", "created", "active_seconds"
    )
    [pk] = store([(assignment.pk, 1, True, token, NOON, None)])
    submission = Submission.objects.get(pk=pk)
    assert (submission.token, submission.created, submission.current) == (token, NOON, True)
    assert submission.active_seconds is None


def test_one_row_that_is_stored_is_known_as_it_is_in_the_database(project: Project) -> None:
    assignment = next_assignment(annotator=make_annotator(project), project=project)
    assert assignment
    fields = ["assignment", "number", "current", "token", "created", "active_seconds"]
    submission = Submission(assignment=assignment, token=uuid4(), created=NOON)
    ReadyMadeInsert(Submission, *fields).store(submission)
    stored = Submission.objects.get()
    assert submission == stored
    assert [getattr(submission, name) for name in fields] == [
        getattr(stored, name) for name in fields
    ]
    submission.active_seconds = 7.5
    submission.save(force_update=True)
    assert Submission.objects.get().active_seconds == 7.5


@pytest.mark.django_db(transaction=True)
def test_rows_are_never_locked_for_a_moment_only(project: Project) -> None:
    @ReadyMadeRead
    def locked(project: Project) -> QuerySet[Sentence]:
        return Sentence.objects.filter(project=project).select_for_update()

    with transaction.atomic():
        assert len(locked(project)) == 3
    with pytest.raises(transaction.TransactionManagementError):
        locked(project)
