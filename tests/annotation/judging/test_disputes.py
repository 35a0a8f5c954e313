"""Documents with one more annotator, disputed answers, and what a curator decides."""

from typing import Any

import pytest

from annotation.common.exceptions import NotPossible
from annotation.formats.documents import domain_of
from annotation.import_export.archive_export import archive
from annotation.import_export.archive_import import import_project
from annotation.judging.disputes import answers_to, settle
from annotation.kinds import kind_of
from annotation.models import Assignment, Placement, Sentence, SettledPlacement, Settlement, User
from annotation.projects.administration import change_settings
from annotation.projects.deletion import delete_project
from annotation.projects.overlap import overlapping
from annotation.selectors.project_progress import submitted_of
from tests.annotation.kinds.document_project import judge, prepared
from tests.factories import make_annotator, next_assignment

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

# Two documents of a domain, and one of another.
DOCUMENTS = ("news 1", "news 2", "talk 3")
SIDE_BY_SIDE = "contrastive_error_spans"


def another(project):
    return make_annotator(project, f"annotator {User.objects.count()}")


def judge_all(project, score):
    """Let one more annotator judge all sheets they get; return the documents."""
    annotator, documents = another(project), []
    while assignment := next_assignment(annotator=annotator, project=project):
        judge(annotator, assignment, score=score)
        documents.append(assignment.sentence.document)
    return sorted(documents)


def disputed_project(folder, *scores, **settings):
    """Return a project with one sheet, which annotators have given these scores."""
    project = prepared(folder, kind=SIDE_BY_SIDE, documents=("news 1", "news 1"))
    values = {"judges_per_sentence": len(scores), "disputed_from": 20} | settings
    change_settings(project=project, values=values)
    project.refresh_from_db()
    for score in scores:
        assert judge_all(project, score) == ["news 1"]
    return project


@pytest.mark.parametrize(
    ("document", "domain"),
    [
        ("news 12", "news"),
        ("news_###_doc_###_3", "doc"),
        ("en-cs_CZ_#_social_#_name", "social"),
        ("speech-4", "speech"),
        ("17", ""),
    ],
)
def test_the_domain_stands_before_the_name_of_a_document(document, domain):
    assert domain_of(document) == domain


def test_each_domain_has_the_same_share_of_documents_with_another_annotator():
    documents = [f"{domain} {number}" for domain in ("news", "talk") for number in range(50)]
    few, many = (overlapping(documents, share, seed=3) for share in (0.1, 0.3))
    assert [sum(one.startswith(domain) for one in many) for domain in ("news", "talk")] == [15, 15]
    assert few < many
    assert few == overlapping(documents[::-1], 0.1, seed=3) != overlapping(documents, 0.1, seed=4)
    assert len(overlapping([f"{number}" for number in range(7)], 0.5, seed=0)) == 4


def test_documents_of_the_share_get_one_more_annotator(tmp_path):
    project = prepared(tmp_path, kind=SIDE_BY_SIDE, documents=DOCUMENTS)
    change_settings(project=project, values={"overlap_share": 2 / 3})
    project.refresh_from_db()
    assert submitted_of(project) == (0, 5)
    assert judge_all(project, 70) == sorted(DOCUMENTS)
    twice = judge_all(project, 70)
    assert len(twice) == 2
    assert judge_all(project, 70) == []
    assert submitted_of(project) == (5, 5)
    change_settings(project=project, values={"overlap_share": 0.0})
    assert not Sentence.objects.filter(further_judges__gt=0).exists()


@pytest.mark.parametrize(("scores", "third"), [((80, 60), []), ((80, 59), ["news 1"])])
def test_a_third_annotator_judges_where_two_differ_by_more(tmp_path, scores, third):
    project = disputed_project(tmp_path, *scores, third_judge=True)
    assert judge_all(project, 70) == third
    assert judge_all(project, 70) == []


def test_the_difference_is_that_of_the_system_on_which_annotators_differ_most(tmp_path):
    project = disputed_project(tmp_path, 80, 60)
    of_a = Placement.objects.filter(candidate__projections__system__name="A")
    first = Assignment.objects.order_by("pk").first()
    of_a.filter(judgement__submission__assignment=first).update(rank=1)
    (answers,) = answers_to(project).values()
    assert answers.largest_difference(kind_of(project).answer) == 40
    assert sorted(answers.differences(kind_of(project).answer).values()) == [20, 20, 40]


def test_a_curator_takes_over_an_answer_with_its_marks(tmp_path):
    project = disputed_project(tmp_path, 80, 40)
    second = Assignment.objects.order_by("pk")[1].annotator
    before = Placement.objects.count()
    settle(project=project, by=second, number=1, answer_of=second.pk, comment=" Right. ")
    settled = SettledPlacement.objects.all()
    assert {kind_of(project).answer.score_of(one.rank) for one in settled} == {40}
    assert {one.detail for one in settled} == {"0-3 minor"}
    assert Settlement.objects.get().comment == "Right."
    assert Placement.objects.count() == before


def test_a_later_decision_with_own_scores_replaces_an_earlier_one(tmp_path):
    project = disputed_project(tmp_path, 80, 40)
    curator = make_annotator(project, "curator", role="administrator")
    (answers,) = answers_to(project).values()
    for rank in (1, 2):
        ranks = dict.fromkeys(answers.offered, rank)
        settle(project=project, by=curator, number=1, ranks=ranks)
    assert set(SettledPlacement.objects.values_list("rank", flat=True)) == {2}
    assert Settlement.objects.get().answer_of is None


@pytest.mark.parametrize("wrong", ["no such annotator", "no scores", "missing", "no such score"])
def test_what_is_no_decision_is_refused(tmp_path, wrong):
    project = disputed_project(tmp_path, 80, 40)
    curator = make_annotator(project, "curator", role="administrator")
    (answers,) = answers_to(project).values()
    ranks = dict.fromkeys(answers.offered, 1)
    decisions: dict[str, dict[str, Any]] = {
        "no such annotator": {"answer_of": curator.pk},
        "no scores": {},
        "missing": {"ranks": dict(list(ranks.items())[1:])},
        "no such score": {"ranks": ranks | {next(iter(ranks)): 102}},
    }
    with pytest.raises(NotPossible):
        settle(project=project, by=curator, number=1, **decisions[wrong])
    assert not Settlement.objects.exists()


def test_a_sheet_of_one_annotator_is_not_settled(tmp_path):
    project = disputed_project(tmp_path, 80)
    annotator = Assignment.objects.get().annotator
    with pytest.raises(NotPossible):
        settle(project=project, by=annotator, number=1, answer_of=annotator.pk)


def test_archives_have_decisions(tmp_path):
    project = disputed_project(tmp_path, 80, 40, third_judge=True, overlap_share=1.0)
    annotator = Assignment.objects.order_by("pk")[1].annotator
    settle(project=project, by=annotator, number=1, answer_of=annotator.pk)
    (tmp_path / "archive").write_bytes(b"".join(archive(project)))
    restored = import_project(path=tmp_path / "archive", name="Restored")
    rows = [
        list(
            SettledPlacement.objects.filter(settlement__sheet__project=one)
            .order_by("pk")
            .values_list("candidate__text", "rank", "ranks_offered", "detail")
        )
        for one in (project, restored)
    ]
    assert rows[0] == rows[1] != []
    assert (restored.disputed_from, restored.third_judge) == (20, True)
    assert restored.sentences.get(number=1).further_judges == 1
    for one in (project, restored):
        delete_project(one)
    assert not Settlement.objects.exists()


def test_a_third_judge_stays_when_the_share_of_overlap_is_stored(tmp_path):
    project = disputed_project(tmp_path, 90, 20, third_judge=True)
    further = project.sentences.filter(sheet=None, further_judges=1)
    assert further.count() == 1
    change_settings(project=project, values={"overlap_share": 0.0})
    assert further.count() == 1


@pytest.mark.parametrize("comment", ["x" * (Settlement.LONGEST_COMMENT + 1), "a\0b"])
def test_a_comment_that_cannot_be_stored_whole_is_refused(tmp_path, comment):
    project = disputed_project(tmp_path, 90, 20)
    sheet = project.sentences.get(sheet=None, settlement=None, number=1)
    answers = answers_to(project, [sheet.pk])[sheet.pk]
    with pytest.raises(NotPossible, match="comment"):
        settle(
            project=project,
            by=another(project),
            number=1,
            answer_of=next(iter(answers.ranks)),
            comment=comment,
        )
