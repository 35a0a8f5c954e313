"""Ratings for tasks of metrics, and preferences for programs that learn, of stored judgements."""

import json
import uuid
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.import_export.export_formats import EXPORT_FORMATS, pieces_of
from annotation.judging.sheet import cards_of
from annotation.judging.submission import submit
from annotation.kinds import KINDS
from annotation.models import Candidate, Project
from annotation.projects.instructions import write_instructions
from tests.annotation.kinds.assessed_project import assess_all, prepared
from tests.factories import assign_next, make_annotator, make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]
ESA = KINDS["error_spans"]
GOOD, BAD = "Starý dům stojí u řeky", "Dům u řeky"


@pytest.fixture
def project() -> Project:
    """Two annotators give the good one 90 and 80, and the bad one, which has an error, 40 twice."""
    project = make_project(
        kind=ESA.name,
        sentences=1,
        segments={"0 1 2 3 4 5 6": [GOOD, BAD]},
        judges_per_sentence=2,
    )
    project.sentences.update(document="news-1")
    for name, of_good in (("jana", 90), ("petr", 80)):
        annotator = make_annotator(project, name)
        assignment = assign_next(annotator, project)
        texts = {
            key: Candidate.objects.get(pk=card.candidate_ids[0]).text
            for key, card in cards_of(assignment.pk).items()
        }
        submit(
            annotator=annotator,
            project=project,
            assignment_id=assignment.pk,
            token=str(uuid.uuid4()),
            choices={
                key: ESA.answer.rank_of(of_good if text == GOOD else 40)
                for key, text in texts.items()
            },
            details={key: "0-3 minor" for key, text in texts.items() if text == BAD},
        )
    return project


def lines_of(project: Project, name: str, **options: float) -> list[dict[str, Any]]:
    written = "".join(map(str, pieces_of(project, name, **options)))
    return [json.loads(line) for line in written.splitlines()]


def test_ratings_have_errors_documents_domains_and_numbered_annotators(project: Project) -> None:
    author = make_annotator(project, "boss", "owner")
    write_instructions(project=project, author=author, text="Mark.\n\n# Documents: news\n\nNews.")

    rows = lines_of(project, "ratings")

    assert [(row["system_id"], row["rater_id"], row["score"]) for row in rows] == [
        ("A", "rater1", 90),
        ("A", "rater2", 80),
        ("B", "rater1", 40),
        ("B", "rater2", 40),
    ]
    assert {(row["document_id"], row["domain"], row["segment_id"]) for row in rows} == {
        ("news-1", "news", 0)
    }
    [error] = rows[2]["errors"]
    assert rows[2]["hypothesis"][error["start"] : error["end"]] == "Dům"
    assert error["severity"] == "minor"
    assert "jana" not in json.dumps(rows)


def test_preferences_are_of_annotators_who_judged_both(project: Project) -> None:
    [pair] = lines_of(project, "preferences")

    assert (pair["chosen"], pair["rejected"]) == (GOOD, BAD)
    assert (pair["margin"], pair["annotators"], pair["preferred"]) == (45, 2, 2)
    assert (pair["document"], pair["line"]) == ("news-1", 1)
    assert lines_of(project, "preferences", minimum_margin=46) == []


def test_translations_that_are_judged_one_by_one_are_compared(tmp_path: Path) -> None:
    project = prepared(tmp_path, kind=ESA.name)
    assess_all(make_annotator(project), project)

    pairs = lines_of(project, "preferences")

    assert pairs
    assert all(pair["chosen"] != pair["rejected"] for pair in pairs)
    assert [pair["line"] for pair in pairs] == sorted(pair["line"] for pair in pairs)


def test_command_page_and_header_say_what_is_left_out(
    project: Project, client, tmp_path: Path
) -> None:
    output = StringIO()
    options = ["--format", "preferences", "--minimum-margin", "46"]
    call_command("export_project", project.pk, str(tmp_path / "file"), *options, stdout=output)
    assert output.getvalue().endswith("0 lines. Left out: below the margin 1.\n")

    client.force_login(make_annotator(project, "boss", "administrator"))
    answer = client.get(reverse("export", args=[project.pk, "preferences"]) + "?minimum_margin=46")
    assert (b"".join(answer), answer["Left-Out"]) == (b"", "below the margin=1")
    page = reverse("exports", args=[project.pk]) + "?count=preferences"
    assert client.get(page).context["counts"] == (1, {})
    shown = client.get(page + "&minimum_margin=46")
    assert shown.context["counts"] == (0, {"below the margin": 1})
    assert "below the margin 1" in shown.content.decode()
    wrong = client.get(reverse("export", args=[project.pk, "preferences"]) + "?minimum_margin=x")
    assert wrong.status_code == 302


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_kinds_that_correct_texts_prefer_none_and_only_scores_and_errors_are_rated(kind) -> None:
    of_kind = {one.name for one in EXPORT_FORMATS.values() if one.has_kind(kind)}
    assert ("preferences" in of_kind) == (kind.name not in ("post_editing", "edit_acceptance"))
    rated = kind.answer.score_of(1) is not None or kind.answer.takes_given_errors
    assert ("ratings" in of_kind) == rated
