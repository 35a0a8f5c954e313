"""A user whose personal data are in all tables, in a project that others judge, too."""

import pytest
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse
from django.utils import timezone

from annotation.judging.assignment import skip
from annotation.judging.drafts import save_draft
from annotation.judging.sheet import cards_of
from annotation.models import Judgement, Project, Upload, User
from annotation.projects.instructions import write_instructions
from annotation.uploads import folders
from crowd.models import Participant
from evaluation.findings.options import ReportOptions
from evaluation.findings.serialisation import to_json
from evaluation.models import StoredReport
from evaluation.services.quality import check
from evaluation.services.report_kinds import kind_of, make_report, shape_of_data
from people.models import NewAddress
from people.sign_in_links import sign_in_path
from tests.crowd.coming import PID, come, judge, make_link, user_of
from tests.factories import assign_next, make_annotator, make_project

# Texts that identify the user, and occur nowhere else.
TRACES = (
    "jananovakova",
    "Zdislava",
    "Vopičková",
    "zv@example.org",
    "zv@new.example",
    "kolega-Emil",
    PID,
    "visit-77",
)


@pytest.fixture(autouse=True)
def uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture
def project() -> Project:
    project = make_project(sentences=8, numbered=True, judges_per_sentence=2)
    judge(make_annotator(project, "petr"), project, 6)
    return project


@pytest.fixture
def jana(project: Project) -> User:
    """A user whose personal data are in all tables."""
    link = make_link(project)
    client = come(link)
    Participant.objects.update(visit="visit-77")
    User.objects.filter(pk=user_of(link).pk).update(
        username="jananovakova", display_name="Zdislava V.", first_name="Zdislava",
        last_name="Vopičková", email="zv@example.org", last_login=timezone.now(),
    )  # fmt: skip
    jana = user_of(link)
    assert client.get(reverse("judge", args=[project.pk])).status_code == 200
    judge(jana, project, 5)
    Judgement.objects.filter(submission__assignment__annotator=jana).update(
        comment="Ask kolega-Emil."
    )
    given = assign_next(jana, project)
    skip(
        annotator=jana, project=project, assignment_id=given.pk, reason="other",
        comment="That is by kolega-Emil.",
    )  # fmt: skip
    given = assign_next(jana, project)
    save_draft(
        annotator=jana, project=project, assignment_id=given.pk, base=0,
        choices={next(iter(cards_of(given.pk))): 1},
    )  # fmt: skip
    write_instructions(project=project, author=jana, text="Be kind.")
    sign_in_path(jana)
    upload = Upload.objects.create(owner=jana, settings={"name": "kolega-Emil"})
    (folders.folder_of(upload) / "file").write_text("x")
    LogEntry.objects.create(
        user=User.objects.create_superuser("root"), action_flag=CHANGE,
        content_type=ContentType.objects.get_for_model(User), object_id=str(jana.pk),
        object_repr="jananovakova",
    )  # fmt: skip
    NewAddress.objects.create(
        user=jana, email="zv@new.example", token_hash="a", expires=timezone.now()
    )
    options = ReportOptions(resamples=100)
    made = make_report(project, options)
    StoredReport.objects.create(
        project=project, key=options.key, options=to_json(options), made=timezone.now(),
        data=to_json(made.data), shape=shape_of_data(kind_of(options)), state="done",
        created_by=jana, requested_by=jana,
    )  # fmt: skip
    check(project)
    return jana
