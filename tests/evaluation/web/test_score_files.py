import gzip

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from annotation.projects.deletion import delete_project
from evaluation.findings.options import MetricsOptions
from evaluation.models import ScoreFile, StoredReport
from evaluation.services import reports, score_file_changes
from tests.evaluation.judged_outputs import make_judged_project
from tests.evaluation.web.pages import element
from tests.factories import make_annotator

pytestmark = pytest.mark.django_db
OF_SYSTEMS = "M\ten-cs\ttest\tA\t2\nM\ten-cs\ttest\tB\t1\nM\ten-cs\ttest\tC\t3\n"


@pytest.fixture
def project():
    return make_judged_project()


@pytest.fixture(autouse=True)
def boss(project, client):
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    return boss


def upload(client, project, files, **fields):
    """Upload files by name and text; return the messages of the page that follows."""
    given = [
        SimpleUploadedFile(name, text if isinstance(text, bytes) else text.encode())
        for name, text in files.items()
    ]
    fields["score_files"] = given
    answer = client.post(reverse("add-scores", args=[project.pk]), fields, follow=True)
    return [(message.level_tag, str(message)) for message in answer.context["messages"]]


def evaluated(project):
    stored = reports.report_of(project, MetricsOptions())
    reports.compute(stored.pk)
    stored.refresh_from_db()
    assert stored.state == StoredReport.State.DONE, stored.error
    return stored.data


def shown(client, project):
    return client.get(reverse("metrics", args=[project.pk])).content.decode()


def test_uploaded_scores_are_evaluated_and_removed(client, project):
    reports.report_of(project, MetricsOptions(metrics=("ter",)))

    ((level, _words),) = upload(client, project, {"M.sys.score": OF_SYSTEMS})

    assert level == "success"
    # Evaluations with other options lack the new scores.
    assert StoredReport.objects.get().key == MetricsOptions().key
    row = evaluated(project)["metrics"][-1]
    assert (row["metric"], row["scores"]) == ("M", {"A": 2.0, "B": 1.0, "C": 3.0})
    page = shown(client, project)
    assert element(page, "id", "imported-table")
    assert element(page, "data-name", "scatter-11-m")

    stored = ScoreFile.objects.get()
    client.post(reverse("remove-scores", args=[project.pk, stored.pk]), {"confirmed": "yes"})

    assert not ScoreFile.objects.exists()
    assert StoredReport.objects.get().state == StoredReport.State.WAITING
    assert "M" not in [row["metric"] for row in evaluated(project)["metrics"]]


def test_lower_scores_can_be_better(client, project):
    upload(client, project, {"M.sys.score": OF_SYSTEMS}, lower_is_better="yes")

    row = evaluated(project)["metrics"][-1]

    assert row["scores"] == {"A": -2.0, "B": -1.0, "C": -3.0}


def test_problems_of_scores_are_shown_without_the_folder(client, project):
    text = gzip.compress(f"{OF_SYSTEMS}M\ten-cs\ttest\tA\t2\n".encode())

    upload(client, project, {"M.sys.score.gz": text})

    (problem,) = evaluated(project)["problems"]
    assert problem.startswith("M.sys.score.gz, line 4: M: ")
    assert element(shown(client, project), "id", "score-problems")


BAD = {
    "no layout": ({"M.score": "one two three"}, "M.score, line 1"),
    "no number": ({"M.score": OF_SYSTEMS + "M\ten-cs\ttest\tA\tx\n"}, "M.score, line 4"),
    "another pair": ({"M.score": OF_SYSTEMS.replace("en-cs", "de-cs")}, "en-cs"),
    "other systems": ({"M.score": "M\ten-cs\ttest\tX\t2\n"}, "A, B, C"),
    "people": ({"M.rank": "1\ten-cs\tA\ten-cs\tB\n"}, "M.rank"),
    "empty": ({"M.score": gzip.compress(b"")}, "M.score"),
    "damaged": ({"M.score": gzip.compress(OF_SYSTEMS.encode())[:-9]}, "M.score"),
    "no file": ({}, ""),
    "long name": ({"m" * 201 + ".score": OF_SYSTEMS}, "200"),
    "one of two": ({"M.score": OF_SYSTEMS, "N.score": "nothing"}, "N.score"),
}


@pytest.mark.parametrize(("files", "named"), BAD.values(), ids=BAD)
def test_it_refuses_files_and_stores_none(client, project, files, named):
    ((level, words),) = upload(client, project, files)

    assert level == "error"
    assert named in words
    assert "/" not in words
    assert not ScoreFile.objects.exists()


def test_it_refuses_a_second_file_of_the_same_name(client, project):
    upload(client, project, {"M.score": OF_SYSTEMS})

    ((level, words),) = upload(client, project, {"M.score": OF_SYSTEMS})

    assert level == "error"
    assert "M.score" in words


def test_it_refuses_too_much(client, project, monkeypatch):
    many = gzip.compress(OF_SYSTEMS.encode() * 50_000)
    ((level, words),) = upload(client, project, {"M.score": many})
    assert (level, str(score_file_changes.MANY_LINES) in words.replace(",", "")) == ("error", True)
    monkeypatch.setattr(score_file_changes, "MOST_METRICS", 1)
    two = OF_SYSTEMS + OF_SYSTEMS.replace("M", "N")
    assert upload(client, project, {"M.score": two})[0][0] == "error"
    monkeypatch.setattr(score_file_changes, "MOST_BYTES", len(OF_SYSTEMS))
    packed = gzip.compress(OF_SYSTEMS.encode() + b" ")
    assert upload(client, project, {"M.score": packed})[0][0] == "error"
    assert not ScoreFile.objects.exists()
    assert upload(client, project, {"M.score": OF_SYSTEMS})[0][0] == "success"


def test_observers_see_files_and_no_forms(client, project):
    upload(client, project, {"M.score": OF_SYSTEMS})
    client.force_login(make_annotator(project, "olga", "observer"))

    page = shown(client, project)

    assert element(page, "id", "imported-table")
    assert not element(page, "action", reverse("add-scores", args=[project.pk]))


@pytest.mark.databases
def test_files_are_deleted_with_their_project(client, project):
    upload(client, project, {"M.score": OF_SYSTEMS})

    delete_project(project)

    assert not ScoreFile.objects.exists()


def test_each_wrong_line_of_each_file_is_a_message(client, project):
    wrong = OF_SYSTEMS + "".join(f"M\ten-cs\ttest\tA\tx{n}\n" for n in range(25))

    found = upload(client, project, {"M.score": wrong, "N.score": "nothing"})

    assert {level for level, _words in found} == {"error"}
    assert "M.score, line 4" in found[0][1]
    # As many as of one file, and how many more there are.
    assert len(found) == 21
    assert "6" in found[-1][1]
