"""Projects that mark aligned words, from files to the report."""

from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from annotation.common.exceptions import NotPossible
from annotation.formats.errors import InputError
from annotation.judging.assignment import create_assignment
from annotation.judging.control_items import make_controls
from annotation.judging.sheet import sheet
from annotation.kinds import KINDS
from annotation.models import Assignment, Project, Translation
from annotation.pipeline.jobs import Outcome
from annotation.pipeline.system_candidates import project_new_system
from annotation.projects.administration import change_settings
from annotation.projects.creation import create_project
from annotation.projects.options import PrepareOptions, Texts
from annotation.projects.provenance import is_aligned, provenance_of
from evaluation.findings.options import ReportOptions
from evaluation.services.report_kinds import make_report
from tests.annotation.judging.judged_next import judge
from tests.annotation.pipeline.system_files import store
from tests.factories import assign_next, make_annotator, make_project, places
from tests.jobs import run_job

pytestmark = [pytest.mark.django_db, pytest.mark.databases]

LINES = {
    "source": ["the old house .", "we saw it ."],
    "reference": ["starý dům .", "viděli jsme ho ."],
    "A": ["dům starý .", "viděli jsme to ."],
    "B": ["starý barák .", "my to viděli ."],
}
LINKS = {
    "reference": ["1-0 2-1 3-2", "1-0 0-1 2-2 3-3"],
    "A": ["2-0 1-1 3-2", "1-0 0-1 2-2 3-3"],
    "B": ["1-0 2-1 3-2", "0-0 2-1 1-2 3-3"],
}


def new_project(
    folder: Path, *, kind: str = "sentence_ranking", given: bool = True, **options: Any
) -> Project:
    """Return a project that marks words: with given links, or those of an aligner."""
    for name, lines in LINES.items():
        (folder / name).write_text("".join(f"{line}\n" for line in lines))
    for name, lines in LINKS.items():
        (folder / f"{name}.links").write_text("".join(f"{line}\n" for line in lines))
    options = {"highlights": True, "aligner": "pharaoh" if given else "auto"} | options
    job = create_project(
        name="Words",
        kind=kind,
        languages="en-cs",
        texts=Texts(
            source=folder / "source",
            references=[folder / "reference"],
            systems={name: folder / name for name in "AB"},
            alignments={name: folder / f"{name}.links" for name in LINKS} if given else {},
        ),
        intra_rate=0,
        inter_rate=0,
        options=PrepareOptions(tokenized=True, **options),
    )
    assert run_job(job.pk) is Outcome.DONE
    return Project.objects.get(pk=job.project_id)


def links_of(assignment: Assignment) -> dict[str, str | None]:
    """Return the links of all texts of the sheet by the text."""
    shown = sheet(assignment)
    texts: list[Any] = [*shown.references, *(card for one in shown.segments for card in one.cards)]
    return {one.text: one.words and one.words.links for one in texts}


def assignment_of(project: Project, number: int) -> Assignment:
    sentence = project.sentences.get(number=number, purpose="judge")
    annotator = make_annotator(project, f"judge of {number}")
    return create_assignment(annotator, project, Assignment.Kind.FIRST, sentence, 1)


@pytest.mark.parametrize("kind", ["sentence_ranking", "direct_assessment_source"])
def test_whole_sentences_are_aligned_to_mark_words(tmp_path: Path, kind: str) -> None:
    project = new_project(tmp_path, kind=kind, given=False)
    assert not Translation.objects.filter(system__isnull=False, alignment="").exists()
    made = provenance_of(project)
    assert made.aligner
    assert made.aligner.name in ("eflomal", "systran")
    assert made.quality
    assert made.quality.gapped == 0


def test_whole_sentences_are_not_aligned_for_nothing(tmp_path: Path) -> None:
    project = new_project(tmp_path, given=False, highlights=False)
    assert not project.highlights
    assert not is_aligned(project)
    assert not Translation.objects.exclude(alignment="").exists()


def test_links_of_whole_sentences_are_refused_where_no_words_are_marked(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="add --highlights"):
        new_project(tmp_path, highlights=False)


@pytest.mark.parametrize("kind", [name for name, kind in KINDS.items() if not kind.shown.source])
def test_it_refuses_kinds_that_do_not_show_the_source(tmp_path: Path, kind: str) -> None:
    with pytest.raises(InputError, match="do not see the source"):
        new_project(tmp_path, kind=kind, given=False)


def test_a_system_that_is_added_is_aligned_too(tmp_path: Path) -> None:
    project = new_project(tmp_path, given=False)
    (tmp_path / "C").write_text("stařičký dům .\nviděli ji .\n")
    system = store(project, "C", tmp_path / "C", tokenized=True)
    project_new_system(system=system)
    added = Translation.objects.filter(system__name="C")
    assert all(added.values_list("alignment", flat=True))


def test_the_sheet_of_whole_sentences_has_the_links_of_all_texts(tmp_path: Path) -> None:
    assignment = assignment_of(new_project(tmp_path), 1)
    shown = sheet(assignment)
    assert shown.words
    assert (shown.words.places, shown.words.links) == ("3 3 5 1", None)
    assert links_of(assignment) == {
        "starý dům .": "1 2 3",
        "dům starý .": "2 1 3",
        "starý barák .": "1 2 3",
    }


def test_a_further_translation_of_a_line_has_its_links(tmp_path: Path) -> None:
    project = new_project(tmp_path, kind="error_spans")
    further = project.sentences.filter(source_line=2).get()
    found = links_of(assignment_of(project, 2)) | links_of(assignment_of(project, further.number))
    assert found == {
        "viděli jsme ho .": "1 0 2 3",
        "viděli jsme to .": "1 0 2 3",
        "my to viděli .": "0 2 1 3",
    }


def test_candidates_have_the_links_of_their_words() -> None:
    project = segments_with_translation("starý dům tu stojí", "1-0 2-1 3-3")
    cards = {card.text: card for card in sheet(assignment_of(project, 1)).segments[0].cards}
    assert cards["starý dům"].words == ("5 3", "1 2")
    # As of a degraded candidate, which must not look special.
    assert cards["stará dům"].words == ("5 3", "1 2")


def test_candidates_in_context_have_the_links_of_the_whole_translation() -> None:
    project = segments_with_translation(
        "starý dům tu stojí", "1-0 2-1 3-3", kind="constituents_in_context"
    )
    shown = sheet(assignment_of(project, 1)).segments[0]
    card = next(card for card in shown.cards if card.text == "starý dům")
    assert card.whole_words == [("5 3 2 5", "1 2  3")]


def segments_with_translation(text: str, alignment: str, **fields: Any) -> Project:
    project = make_project(highlights=True, sentences=1, **fields)
    for sentence in project.sentences.all():
        Translation.objects.create(
            sentence=sentence,
            system=project.systems.get(name="A"),
            text=text,
            tokens=places(text),
            alignment=alignment,
        )
    return project


def test_control_sentences_have_links_like_all_others(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    make_controls(project=project, count=1, seed=1)
    copy = project.sentences.get(purpose="control")
    jana = make_annotator(project)
    assignment = create_assignment(jana, project, Assignment.Kind.CONTROL, copy)
    assert None not in links_of(assignment).values()
    assert "" not in links_of(assignment).values()


def test_an_assignment_keeps_what_its_page_had(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    jana = make_annotator(project)
    assignment = assign_next(jana, project)
    assert assignment.aids == {"highlights": True}
    change_settings(project=project, values={"highlights": False})
    again = assign_next(jana, project)
    assert again.pk == assignment.pk
    assert sheet(again).words

    petr = make_annotator(project, "petr")
    without = assign_next(petr, Project.objects.get(pk=project.pk))
    assert without.aids == {}
    shown = sheet(without)
    assert shown.words is None
    assert not any(card.words for one in shown.segments for card in one.cards)


def test_marking_words_takes_no_query_where_references_are_shown(tmp_path: Path) -> None:
    assignment = assignment_of(new_project(tmp_path), 1)

    def queries() -> int:
        cache.clear()
        fresh = Assignment.objects.select_related("project", "sentence__copy_of").get(
            pk=assignment.pk
        )
        with CaptureQueriesContext(connection) as taken:
            sheet(fresh)
        return len(taken)

    with_words = queries()
    Assignment.objects.update(aids={})
    assert with_words == queries()


def test_words_that_are_not_aligned_cannot_be_marked(tmp_path: Path) -> None:
    project = new_project(tmp_path, given=False, highlights=False)
    with pytest.raises(NotPossible, match="not aligned"):
        change_settings(project=project, values={"highlights": True})
    project.refresh_from_db()
    assert not project.highlights
    Project.objects.update(kind="fluency")
    with pytest.raises(NotPossible, match="do not see the source"):
        change_settings(project=Project.objects.get(), values={"highlights": True})


def test_reports_count_judgements_with_and_without_marked_words(tmp_path: Path) -> None:
    project = new_project(tmp_path)
    jana = make_annotator(project)
    judge(jana, project)
    change_settings(project=project, values={"highlights": False})
    project.refresh_from_db()
    options = ReportOptions(resamples=100)
    report = make_report(project, options).data
    assert report.judged.aids == {"highlights": (1, 0)}
    assert "aids: highlights in 1 of 1 judgements" in report.signature

    judge(jana, project)
    report = make_report(project, options).data
    assert report.judged.aids == {"highlights": (1, 1)}
    assert "aids: highlights in 1 of 2 judgements" in report.signature

    Assignment.objects.update(aids={})
    report = make_report(project, options).data
    assert report.judged.aids == {}
    assert "aids" not in report.signature
