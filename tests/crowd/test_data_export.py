"""The export of personal data."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from annotation.models import Assignment, User
from tests.crowd.coming import PID, judge
from tests.crowd.traces import TRACES, jana, project, uploads
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["jana", "project", "uploads"]

pytestmark = pytest.mark.django_db


def data_of(client: Client, path: str) -> dict[str, Any]:
    answer = client.get(path)
    assert answer.headers["Content-Type"] == "application/json"
    assert answer.headers["Content-Disposition"].startswith("attachment")
    data: dict[str, Any] = json.loads(answer.getvalue())
    return data


def test_a_user_gets_everything_stored_about_them(client, project, jana):
    client.force_login(jana)
    data = data_of(client, reverse("my-data-json"))
    text = json.dumps(data, ensure_ascii=False)
    assert [trace for trace in TRACES if trace not in text] == []
    assert (data["mail"], data["mail_to_confirm"]) == ("zv@example.org", "zv@new.example")
    assert data["memberships"] == [
        {"project": "houses", "role": "annotator", "sentence_limit": None}
    ]
    assert data["crowd"][0]["participant_id"] == PID
    assert len(data["sign_in_links"]) == len(data["unfinished_projects"]) == 1
    assert data["instructions_written"][0]["version"] == 1
    assert [row["options"]["resamples"] for row in data["reports_requested"]] == [100]
    states = [row["state"] for row in data["assignments"]]
    assert states == ["submitted"] * 5 + ["skipped", "open"]
    judged = data["assignments"][0]["submissions"][0]["judgements"]
    assert [row["segment"] for row in judged] == ["the old house", "near the river"]
    assert judged[1]["ranks"][0][1] == 1
    assert data["assignments"][5]["skipped"]["comment"] == "That is by kolega-Emil."
    assert data["assignments"][6]["draft"]["choices"]


def test_annotators_do_not_learn_the_kind_of_a_sentence(client, project, jana):
    Assignment.objects.filter(annotator=jana).filter(state="submitted").update(kind="first")
    client.force_login(jana)
    rows = data_of(client, reverse("my-data-json"))["assignments"]
    assert not any("kind" in row for row in rows)
    boss = make_annotator(project, "boss", "administrator")
    client.force_login(boss)
    rows = data_of(client, reverse("member-data", args=[project.pk, jana.pk]))["assignments"]
    assert {row["kind"] for row in rows} == {"first"}


def test_administrators_get_the_data_of_their_project_only(client, project):
    jana = make_annotator(project)
    User.objects.filter(pk=jana.pk).update(
        email="zv@example.org", last_login=timezone.now(), display_name="Zdislava V.",
        first_name="Zdislava", last_name="Vopičková", date_joined="2024-02-29T12:00:00Z",
    )  # fmt: skip
    other = make_project("castles")
    make_annotator(other, "jana")
    judge(jana, project, 1)
    judge(jana, other, 1)
    client.force_login(make_annotator(project, "boss", "administrator"))
    data = data_of(client, reverse("member-data", args=[project.pk, jana.pk]))
    text = json.dumps(data, ensure_ascii=False)
    traces = ("castles", "zv@example.org", "Zdislava", "Vopičková", "2024-02-29")
    assert [trace for trace in traces if trace in text] == []
    assert data["user_name"] == "jana"
    assert "last_signed_in" not in data
    assert [row["project"] for row in data["assignments"]] == ["houses"]
