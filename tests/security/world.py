"""Two projects with all that a project can have, and somebody of each kind of people."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import connection
from django.test import Client
from django.utils import timezone

from annotation.judging.assignment import next_assignment, skip
from annotation.judging.control_items import make_controls
from annotation.models import (
    Assignment,
    Candidate,
    Job,
    Project,
    Sentence,
    System,
    Upload,
    UploadedFile,
    User,
)
from annotation.projects.instructions import write_instructions
from annotation.uploads import folders
from api.models import Token
from api.tokens import create_token
from crowd.models import StartLink
from evaluation.models import StoredReport
from evaluation.report.options import ReportOptions
from evaluation.services.report_computation import MadeReport, make_report
from people.email_change import LIFETIME
from people.invitations import invite
from people.models import Invitation, NewAddress, SignedIn
from people.sign_in_links import hash_token
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.crowd.coming import make_link
from tests.evaluation.projects import submit
from tests.factories import make_annotator, make_project
from webhooks.models import Delivery, Event, Webhook

# That webhooks may be sent to; the name is nobody's.
HOOK_HOST = "hooks.example"
STORED, TEXT = "f" * 32, "the old house\n"
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}


@dataclass
class Parts:
    """What one project has, as the addresses name it."""

    project: Project
    annotator: User
    administrator: User
    # The annotator's, in his hands.
    open: Assignment
    # The annotator's, submitted.
    done: Assignment
    practised: Assignment
    # The last ones, whose numbers only the larger project has.
    practice: Sentence
    control: Sentence
    sentence: Sentence
    system: System
    link: StartLink
    # The number of the latest version.
    instructions: int
    # The administrator's.
    upload: Upload
    # Made by the administrator, for several.
    invitation: Invitation
    invitation_token: str
    # Of the link by which the annotator confirms another mail address.
    address_token: str
    # Where the annotator is signed in.
    signed_in: SignedIn
    delivery: Delivery
    token: Token


@dataclass
class World:
    """`mine` is asked for; `other` is what its people have nothing to do with."""

    mine: Parts
    other: Parts
    people: dict[str, User | None]
    # Of those who are signed in, by their roles.
    sessions: dict[str, str]

    def client(self, role: str, **options: Any) -> Client:
        """Return a browser of this person, who signed in once for all tests."""
        client = Client(**options)
        if role in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return client


def make_world() -> World:
    mine, other = make_parts("houses"), make_parts("castles", sentences=16, copies=3)
    people = {
        "anonymous": None,
        "stranger": User.objects.create(username="stranger"),
        "other annotator": other.annotator,
        "annotator": mine.annotator,
        "observer": make_annotator(mine.project, "observer", "observer"),
        "other administrator": other.administrator,
        "administrator": mine.administrator,
        "owner": make_annotator(mine.project, "owner", "owner"),
        "superuser": User.objects.create_superuser("root"),
    }
    sessions = {role: _session(user) for role, user in people.items() if user}
    return World(mine, other, people, sessions)


def make_parts(name: str, *, sentences: int = 8, copies: int = 1) -> Parts:
    """Make a project of which the first sentence is judged, and another in somebody's hands."""
    project = make_project(name, sentences=sentences, queue_order="document")
    _make_different(project)
    annotator = make_annotator(project, f"annotator-of-{name}")
    administrator = make_annotator(project, f"administrator-of-{name}", "administrator")
    practice = practise_with(project, *range(sentences - copies + 1, sentences + 1))[-1]
    practised = practise_one(annotator, project)
    control = make_controls(project=project, count=copies, seed=1)[-1]
    done = submit(project, annotator, 1, RANKS)
    submit(project, administrator, 1, RANKS)
    skip(
        annotator=administrator,
        project=project,
        assignment_id=_take(administrator, project).pk,
        reason="other",
        comment="I know who wrote it.",
    )
    # They came by a link, and may be helped by another one.
    annotator.set_unusable_password()
    annotator.save()
    address = invite(project=project, by=administrator, role="annotator", most_uses=3)
    token = address.rstrip("/").rpartition("/")[2]
    for version in range(1, copies + 1):
        write_instructions(project=project, author=administrator, text=f"Version {version}.")
    Job.objects.create(project=project, state=Job.State.DONE)
    parts = Parts(
        project=project,
        annotator=annotator,
        administrator=administrator,
        open=_take(annotator, project),
        done=done,
        practised=practised,
        practice=practice,
        control=control,
        sentence=project.sentences.get(purpose="judge", number=sentences),
        system=project.systems.earliest("pk"),
        link=make_link(project),
        instructions=copies,
        upload=make_upload(administrator),
        invitation=Invitation.objects.get(project=project),
        invitation_token=token,
        address_token=_want_address(annotator),
        signed_in=_sign_in(annotator),
        delivery=make_delivery(project),
        token=create_token(user=administrator, name="nightly", scope="read")[0],
    )
    _store_report(project)
    return parts


def make_upload(owner: User) -> Upload:
    """Make an upload of one file, which is not ready to become a project."""
    upload = Upload.objects.create(owner=owner)
    UploadedFile.objects.create(
        upload=upload,
        role="source",
        name="source.txt",
        stored=STORED,
        kind="text",
        size=len(TEXT),
        lines=1,
        sha256="0" * 64,
    )
    (folders.folder_of(upload) / STORED).write_text(TEXT)
    return upload


def make_delivery(project: Project) -> Delivery:
    """Make a webhook of which a message was delivered."""
    webhook = Webhook.objects.create(
        project=project,
        address=f"https://{HOOK_HOST}/{project.pk}",
        events=[Event.CLOSED],
        salt="0" * 32,
        seen_state=project.state,
    )
    return Delivery.objects.create(
        webhook=webhook,
        event=Event.CLOSED,
        key=f"{Event.CLOSED}:1",
        body="{}",
        state=Delivery.State.DELIVERED,
        due=timezone.now(),
        ended=timezone.now(),
    )


def put_files_back(world: World) -> None:
    """Write the files of uploads again, which stay away when what removed them is undone."""
    for parts in (world.mine, world.other):
        (folders.folder_of(parts.upload) / STORED).write_text(TEXT)


Contents = dict[str, list[dict[str, Any]]]


def contents() -> Contents:
    """Return all rows of SegRanks' own tables, to see whether something changed.

    Without when somebody was there last, and where he is signed in, which signing in writes. They
    are read only where something was written since, as the database itself counts.
    """
    if _last.get("written") != written():
        _last.update(written=written(), contents=_read_all())
    found: Contents = _last["contents"]
    return found


def written() -> object:
    """Return what is another value once this connection has written a row."""
    if connection.vendor == "sqlite":
        return connection.connection.total_changes
    return object()


@contextmanager
def undoing() -> Iterator[None]:
    """Read anew after this, where something was written in it: undoing that does not count."""
    before = written()
    yield
    if written() != before:
        _last.clear()


# What was read last.
_last: dict[str, Any] = {}


def _read_all() -> Contents:
    return {
        model.__name__: [
            {name: value for name, value in row.items() if name != "last_login"}
            for row in model._default_manager.order_by("pk").values()
        ]
        for app in ("annotation", "api", "crowd", "evaluation", "people", "webhooks")
        for model in apps.get_app_config(app).get_models()
        if model is not SignedIn
    }


def _make_different(project: Project) -> None:
    """Let sentences say other things, so that candidates can be made worse with them."""
    for number, candidate in enumerate(
        Candidate.objects.filter(segment__sentence__project=project)
    ):
        candidate.text = " ".join(f"{word}{number}" for word in candidate.text.split())
        candidate.save()


def _want_address(user: User) -> str:
    NewAddress.objects.create(
        user=user,
        email=f"{user.username}@example.org",
        token_hash=hash_token(user.username),
        expires=timezone.now() + LIFETIME,
    )
    return user.username


def _sign_in(user: User) -> SignedIn:
    _session(user)
    return SignedIn.objects.get(user=user)


def _session(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def _take(annotator: User, project: Project) -> Assignment:
    given = next_assignment(annotator=annotator, project=project)
    assert given
    return given


def _store_report(project: Project) -> None:
    now = timezone.now()
    options = ReportOptions()
    made = _report_of_any_project(lambda: make_report(project, ReportOptions(resamples=20)))
    StoredReport.objects.create(
        project=project,
        key=options.key,
        options=options.as_json(),
        made=now,
        data=made.data,
        judgements=made.judgements,
        last_submission=made.last_submission,
    )


_made: list[MadeReport] = []


def _report_of_any_project(make: Callable[[], MadeReport]) -> MadeReport:
    """Return the report that was made first: computing it for each test takes long."""
    if not _made:
        _made.append(make())
    return _made[0]
