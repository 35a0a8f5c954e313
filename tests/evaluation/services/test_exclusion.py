"""A project with excluded texts or discarded judgements has the figures of one without them."""

from collections.abc import Mapping, Sequence
from typing import Any, NoReturn
from zoneinfo import ZoneInfo

import pytest

from annotation.formats.errors import InputError
from annotation.judging.discarding import discard_judgements, restore_judgements
from annotation.models import Candidate, Project, Projection, Segment, Translation, User
from annotation.projects.exclusion import set_excluded
from evaluation.findings.options import ReportOptions
from evaluation.findings.serialisation import to_json
from evaluation.services import reports
from evaluation.services.agreement import agreement_so_far
from evaluation.services.findings import provenance, ranking_now, statistics_of
from evaluation.services.loading import load
from evaluation.services.metric_scores import load_whole_texts
from evaluation.services.overview import overview_of
from evaluation.services.project_texts import load_texts
from evaluation.services.report_kinds import make_report
from evaluation.stats.judgements import GARBAGE, MISSING
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, 1], "4 5 6": [1, 2]}
OTHERS: Mapping[str, Sequence[int | None]] = {"0 1 2": [2, None, 1], "4 5 6": [2, 2]}
# What is about time, ids and names and not about judgements; `excluded` is the one difference.
OF_THE_RUN = {"made", "seconds", "signature", "segment", "id", "name", "excluded", "assignments"}


def new_project(name: str) -> Project:
    project = make_project(name, sentences=4, numbered=True)
    Translation.objects.bulk_create(
        Translation(sentence=sentence, system=system, text=f"{system.name} {sentence.number}")
        for sentence in project.sentences.all()
        for system in project.systems.all()
    )
    return project


def people(project: Project) -> tuple[User, User]:
    return tuple(make_annotator(project, f"{name}-{project.name}") for name in ("jana", "petr"))  # type: ignore[return-value]


def part(project: Project, number: int, indices: str = "", place: int = 0) -> dict[str, int]:
    """Return the arguments of `set_excluded` for a sentence, segment or candidate."""
    sentence = project.sentences.get(purpose="judge", number=number)
    found = {"sentence": sentence.pk}
    if indices:
        segment = sentence.segments.get(token_indices=indices)
        found["segment"] = segment.pk
        if place:
            candidates = segment.candidates.order_by("pk")
            found["candidate"] = candidates[place - 1].pk
    return found


@pytest.fixture
def excluding() -> Project:
    """A judged project without a sentence, a segment and a candidate, which are excluded."""
    project = new_project("excluding")
    jana, petr = people(project)
    for number in (1, 2, 3, 4):
        submit(project, jana, number, RANKS)
    for number in (1, 2, 3):
        submit(project, petr, number, OTHERS)
    for wanted in (part(project, 2), part(project, 3, "4 5 6"), part(project, 1, "0 1 2", 2)):
        set_excluded(project=project, by=jana, excluded=True, **wanted)
    return project


@pytest.fixture
def without() -> Project:
    """The same project, which never had them."""
    project = new_project("without")
    gone = Segment.objects.get(pk=part(project, 3, "4 5 6")["segment"])
    candidate = Candidate.objects.get(pk=part(project, 1, "0 1 2", 2)["candidate"])
    Projection.objects.filter(segment=gone).delete()
    Candidate.objects.filter(segment=gone).delete()
    gone.delete()
    Projection.objects.filter(candidate=candidate).delete()
    candidate.delete()
    removed = project.sentences.get(number=2)
    Projection.objects.filter(segment__sentence=removed).delete()
    Candidate.objects.filter(segment__sentence=removed).delete()
    removed.segments.all().delete()
    removed.translations.all().delete()
    removed.delete()
    jana, petr = people(project)
    for who, ranks, numbers in ((jana, RANKS, (1, 3, 4)), (petr, OTHERS, (1, 3))):
        for number in numbers:
            kept = dict(ranks)
            if number == 1:
                kept["0 1 2"] = [ranks["0 1 2"][0], ranks["0 1 2"][2]]
            if number == 3:
                del kept["4 5 6"]
            submit(project, who, number, kept)
    return project


def figures(value: Any, project: Project) -> Any:
    """Return what a report says, without what is of its run, and with the names of people."""
    if isinstance(value, dict):
        return {key: figures(part, project) for key, part in value.items() if key not in OF_THE_RUN}
    if isinstance(value, list):
        return [figures(part, project) for part in value]
    if isinstance(value, str):
        return value.replace(project.name, "")
    return value


def report_of(project: Project) -> Any:
    project.refresh_from_db()
    return to_json(make_report(project, ReportOptions(resamples=100)).data)


def test_the_report_is_that_of_a_project_that_never_had_it(
    excluding: Project, without: Project
) -> None:
    report = report_of(excluding)
    expected = figures(report_of(without), without)
    found = figures(report, excluding)
    # The last item of what says how texts were prepared is what is excluded.
    assert found["project"].pop("prepared") == ["excluded 1 sentences, 1 segments, 1 candidates"]
    assert expected["project"].pop("prepared") == []

    assert found == expected

    assert found["judged"]["judgements"] == 8
    counts = {"sentences": 1, "segments": 1, "candidates": 1, "discarded": 0}
    assert report["excluded"] == counts
    assert report["signature"].endswith("|excluded 1 sentences, 1 segments, 1 candidates")


def test_statistics_ranking_and_overview_are_too(excluding: Project, without: Project) -> None:
    def found(project: Project) -> list[Any]:
        project.refresh_from_db()
        now, zone = project.created, ZoneInfo("UTC")
        overview = overview_of(project, now=now, zone=zone)
        agreement = agreement_so_far(project)
        return [
            figures(to_json(statistics_of(project)), project),
            figures(to_json(ranking_now(project, "ratio_of_wins", ReportOptions())), project),
            overview.sentences,
            (overview.work.sentences, overview.work.submitted, overview.work.wanted),
            (overview.submitted.sentences, overview.submitted.judgements),
            overview.together.segments,
            agreement and (agreement.intra, agreement.inter),
        ]

    assert found(excluding) == found(without)


def test_texts_of_metrics_and_predictions_are_too(excluding: Project, without: Project) -> None:
    texts, expected = load_whole_texts(excluding), load_whole_texts(without)
    assert (texts.outputs, texts.sentence_numbers) == (expected.outputs, expected.sentence_numbers)
    parts, others = load_texts(excluding), load_texts(without)
    assert parts.candidate_texts == others.candidate_texts
    assert parts.system_candidates.tolist() == others.system_candidates.tolist()


def test_included_again_everything_counts(excluding: Project) -> None:
    jana = excluding.memberships.all()[0].user
    for wanted in (part(excluding, 2), part(excluding, 3, "4 5 6"), part(excluding, 1, "0 1 2", 2)):
        set_excluded(project=excluding, by=jana, excluded=False, **wanted)

    judgements = load(excluding)

    assert len(judgements) == 14
    assert judgements.candidate_ranks[0].tolist() == [1, 2, 1]
    assert provenance(excluding) == []


def test_a_judgement_may_rank_excluded_candidates_only() -> None:
    project = make_project(sentences=1)
    jana = make_annotator(project)
    submit(project, jana, 1, {"0 1 2": [1, None, 2], "4 5 6": [1, 2]})
    for place in (1, 3):
        wanted = part(project, 1, "0 1 2", place)
        set_excluded(project=project, by=jana, excluded=True, **wanted)

    assert load(project).candidate_ranks.tolist() == [[GARBAGE, MISSING], [1, 2]]
    assert report_of(project)["judged"]["judgements"] == 2


def test_discarded_judgements_are_in_no_figure_until_they_are_restored() -> None:
    project, other = new_project("discarding"), new_project("of-jana")
    jana, petr = people(project)
    (alone, _nothing) = people(other)
    for number in (1, 2):
        submit(other, alone, number, RANKS)
        submit(project, jana, number, RANKS)
        submit(project, petr, number, OTHERS)
    before = figures(report_of(project), project)

    assert discard_judgements(project=project, by=jana, annotator=petr) == 2
    report = report_of(project)
    found, expected = figures(report, project), figures(report_of(other), other)
    assert found["project"].pop("prepared") == ["excluded 4 judgements"]
    assert expected["project"].pop("prepared") == []
    assert found == expected
    assert report["excluded"]["discarded"] == 4

    assert restore_judgements(project=project, by=jana, annotator=petr) == 2
    assert figures(report_of(project), project) == before


def test_reports_are_outdated_by_exclusion(excluding: Project) -> None:
    report = reports.report_of(excluding, ReportOptions(resamples=100))
    reports.compute(report.pk)
    report = reports.report_of(excluding, ReportOptions(resamples=100))
    assert not reports.is_outdated(report)

    user = User.objects.order_by("pk")[0]
    set_excluded(project=excluding, by=user, excluded=False, **part(excluding, 2))

    report.project.refresh_from_db()
    assert reports.is_outdated(report)

    def fail(*_given: object) -> NoReturn:
        raise InputError("No.")

    # The data are as old as before where they could not be computed again.
    reports.request(report)
    reports.compute(report.pk, fail)
    report = reports.report_of(report.project, ReportOptions(resamples=100))
    assert report.state == "failed"
    assert reports.is_outdated(report)
