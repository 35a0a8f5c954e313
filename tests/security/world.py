"""Two projects with every kind of row, and a person of every role."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.cache import caches
from django.test import Client
from django.test.client import ClientHandler
from django.utils import timezone

from annotation.formats.errors import InputError
from annotation.judging.assignment import skip
from annotation.judging.control_items import make_controls
from annotation.models import (
    Assignment,
    Candidate,
    Job,
    Media,
    Project,
    Sentence,
    StoredPreview,
    System,
    Upload,
    UploadedFile,
    User,
)
from annotation.models.secret_links import hash_token
from annotation.projects.instructions import write_instructions
from annotation.uploads import folders
from api.models import Token
from api.tokens import create_token
from crowd.models import StartLink
from evaluation.findings.options import MetricsOptions, ReportOptions
from evaluation.findings.serialisation import to_json
from evaluation.models import QualityFlag, RuleKind, SharedLink, StoredReport
from evaluation.services.report_kinds import (
    MadeReport,
    kind_of,
    make_metrics,
    make_report,
    shape_of_data,
)
from evaluation.services.score_file_changes import add_score_files
from people.email_change import LINK_LIFETIME
from people.invitations import invite
from people.models import Invitation, NewAddress, SignedIn
from tests.annotation.judging.practice_setting import practise_one, practise_with
from tests.crowd.coming import make_link
from tests.evaluation.judged_outputs import add_outputs
from tests.evaluation.projects import submit
from tests.factories import assign_next, make_annotator, make_project
from tests.media_files import png, with_media
from tests.security.contents import Contents, contents
from tests.transactions import undone
from webhooks.models import Delivery, Event, Webhook

WEBHOOK_HOST = "hooks.example"
STORED_NAME, TEXT = "f" * 32, "the old house\n"
RANKS: Mapping[str, Sequence[int | None]] = {"0 1 2": [1, 2, None], "4 5 6": [1, 1]}


@dataclass
class Parts:
    """The rows of a project that addresses name."""

    project: Project
    # Has the assignments, and is signed in at `signed_in`.
    annotator: User
    # Has the upload, the invitation and the token.
    administrator: User
    open: Assignment
    done: Assignment
    practised: Assignment
    # The last ones: only the larger project has such high numbers.
    practice: Sentence
    control: Sentence
    sentence: Sentence
    system: System
    medium: Media
    link: StartLink
    # The number of the latest version.
    instructions: int
    upload: Upload
    preview: StoredPreview
    invitation: Invitation
    invitation_token: str
    shared: SharedLink
    shared_token: str
    # Of the link that confirms a new mail address of the annotator.
    address_token: str
    signed_in: SignedIn
    delivery: Delivery
    token: Token


@dataclass
class World:
    """Requests are about `mine`; its people have nothing to do with `other`."""

    mine: Parts
    other: Parts
    people: dict[str, User | None]
    # Session keys by role.
    sessions: dict[str, str]
    contents: Contents
    # Loaded middleware, by whether CSRF tokens are checked.
    handlers: dict[bool, ClientHandler] = field(default_factory=dict)

    def client(self, role: str, **options: Any) -> Client:
        """Return a browser in which the person is signed in, without signing in again."""
        client = Client(**options)
        # Loading the middleware again for each browser takes a tenth of a request's time.
        checks = client.handler.enforce_csrf_checks
        client.handler = self.handlers.setdefault(checks, client.handler)
        if role in self.sessions:
            client.cookies[settings.SESSION_COOKIE_NAME] = self.sessions[role]
        return client

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Undo in the end what was done inside, so that one test can try every address.

        The other cache stays: without it, each page would write when its session was last used.
        """
        caches["throttles"].clear()
        with undone():
            yield
        self.restore_files()

    def restore_files(self) -> None:
        """Write the uploaded files again, since a rollback does not bring them back."""
        for parts in (self.mine, self.other):
            (folders.folder_of(parts.upload) / STORED_NAME).write_text(TEXT)


def make_world() -> World:
    mine, other = make_parts("houses"), make_parts("castles", sentences=16, copies=3)
    report = make_report(mine.project, ReportOptions(resamples=100))
    add_outputs(mine.project)
    metrics = make_metrics(mine.project, MetricsOptions(metrics=("bleu",), resamples=100))
    for parts in (mine, other):
        add_score_files(project=parts.project, files=[("M.score", b"M\ten-cs\ttest\tA\t1\n")])
        # Adding them has requested an evaluation, which is the one below.
        StoredReport.objects.filter(project=parts.project).delete()
        _store_report(parts.project, report, ReportOptions())
        _store_report(parts.project, metrics, MetricsOptions())
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
    sessions = {role: _sign_in(user) for role, user in people.items() if user}
    return World(mine, other, people, sessions, contents())


def make_parts(name: str, *, sentences: int = 8, copies: int = 1) -> Parts:
    """Make a project whose first sentence is judged, and another one is open."""
    project = make_project(name, sentences=sentences, queue_order="document")
    make_candidates_different(project)
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
        assignment_id=assign_next(administrator, project).pk,
        reason="other",
        comment="I know who wrote it.",
    )
    # Without a password they can be given a sign-in link.
    annotator.set_unusable_password()
    annotator.save()
    address = invite(project=project, by=administrator, role="annotator", use_limit=3)
    for version in range(1, copies + 1):
        write_instructions(project=project, author=administrator, text=f"Version {version}.")
    Job.objects.create(project=project, state=Job.State.DONE)
    project.given_origins.create(name="a metric", created=timezone.now())
    NewAddress.objects.create(
        user=annotator,
        email=f"{annotator.username}@example.org",
        token_hash=hash_token(annotator.username),
        expires=timezone.now() + LINK_LIFETIME,
    )
    QualityFlag.objects.create(
        project=project,
        user=annotator,
        kind=RuleKind.SECONDS,
        value=0.5,
        limit=3,
        sentences=10,
        raised=timezone.now(),
    )
    _sign_in(annotator)
    return Parts(
        project=project,
        annotator=annotator,
        administrator=administrator,
        open=assign_next(annotator, project),
        done=done,
        practised=practised,
        practice=practice,
        control=control,
        sentence=project.sentences.get(purpose="judge", number=sentences),
        system=project.systems.earliest("pk"),
        medium=with_media(project, _1_png=png())[0],
        link=make_link(project),
        instructions=copies,
        upload=make_upload(administrator),
        preview=make_preview(administrator),
        invitation=Invitation.objects.get(project=project),
        invitation_token=address.rstrip("/").rpartition("/")[2],
        shared=make_shared_link(project, administrator, f"shared-{name}"),
        shared_token=f"shared-{name}",
        address_token=annotator.username,
        signed_in=SignedIn.objects.get(user=annotator),
        delivery=make_delivery(project),
        token=create_token(user=administrator, name="nightly", scope="read")[0],
    )


def make_candidates_different(project: Project) -> None:
    """Add a number to each word, so that a control can take a candidate of another sentence."""
    candidates = list(Candidate.objects.filter(segment__sentence__project=project))
    for number, candidate in enumerate(candidates):
        candidate.text = " ".join(f"{word}{number}" for word in candidate.text.split())
    Candidate.objects.bulk_update(candidates, ["text"])


def make_upload(owner: User) -> Upload:
    """Make an upload of one file, from which no project can be created yet."""
    upload = Upload.objects.create(owner=owner)
    UploadedFile.objects.create(
        upload=upload,
        role="source",
        name="source.txt",
        stored=STORED_NAME,
        kind="text",
        size=len(TEXT),
        lines=1,
        sha256="0" * 64,
    )
    (folders.folder_of(upload) / STORED_NAME).write_text(TEXT)
    return upload


def make_preview(owner: User) -> StoredPreview:
    """Make a preview of the API that failed."""
    upload = Upload.objects.create(owner=owner, is_temporary=True)
    error = InputError("It failed.").to_json()
    return StoredPreview.objects.create(upload=upload, owner=owner, state="failed", error=error)


def make_shared_link(project: Project, by: User, token: str) -> SharedLink:
    """Make a link to documents and to the report with default options, which is not requested.

    The project is open, so its readers do not see the documents.
    """
    options = ReportOptions()
    return SharedLink.objects.create(
        project=project,
        pages=SharedLink.Pages.BOTH,
        key=options.key,
        options=to_json(options),
        token_hash=hash_token(token),
        created_by=by,
    )


def make_delivery(project: Project) -> Delivery:
    """Make a webhook with a delivered message."""
    webhook = Webhook.objects.create(
        project=project,
        address=f"https://{WEBHOOK_HOST}/{project.pk}",
        events=[Event.CLOSED],
        salt="0" * 32,
        seen_state=project.state,
    )
    return Delivery.objects.create(
        webhook=webhook,
        event=Event.CLOSED,
        body="{}",
        state=Delivery.State.DELIVERED,
        due=timezone.now(),
        ended=timezone.now(),
    )


def _store_report(
    project: Project, report: MadeReport[Any], options: ReportOptions | MetricsOptions
) -> None:
    StoredReport.objects.create(
        project=project,
        kind=kind_of(options),
        key=options.key,
        options=to_json(options),
        made=timezone.now(),
        state="done",
        data=to_json(report.data),
        shape=shape_of_data(kind_of(options)),
        judgements=report.judgements,
        last_submission=report.last_submission,
    )


def _sign_in(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value
