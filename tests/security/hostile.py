"""A project in which all texts that people can enter are hostile: see `tricks`."""

from dataclasses import dataclass
from pathlib import Path

from django.utils import timezone

from annotation.formats.errors import InputError
from annotation.judging import submission
from annotation.judging.assignment import skip
from annotation.judging.control_items import make_controls
from annotation.judging.drafts import save_draft
from annotation.judging.practice import answer_sheet, make_practice
from annotation.judging.sheet import cards_of, sheet
from annotation.models import (
    Assignment,
    Candidate,
    Job,
    Media,
    Project,
    Sentence,
    System,
    Translation,
    Upload,
    UploadedFile,
    User,
)
from annotation.models.secret_links import hash_token
from annotation.projects.instructions import write_instructions
from annotation.projects.media import add_media
from annotation.uploads import folders
from annotation.uploads.file_detection import shown_name
from api.tokens import create_token
from crowd.models import Participant, StartLink
from evaluation.findings.options import ReportOptions
from evaluation.findings.serialisation import to_json
from evaluation.models import SentenceJudgement, SentencePlacement, SharedLink, StoredReport
from evaluation.services.report_kinds import kind_of, make_report, shape_of_data
from people.email_change import LINK_LIFETIME
from people.invitations import invite
from people.models import NewAddress
from tests.crowd.coming import make_link
from tests.evaluation.projects import submit, submit_control
from tests.factories import assign_next, make_annotator, make_project, places
from tests.media_files import opened, png
from tests.security.tricks import MARKUP, OVERRIDE, name, paragraphs, text
from tests.security.world import make_delivery, make_shared_link
from webhooks.models import Attempt, Delivery


@dataclass(frozen=True)
class Hostile:
    """The rows that addresses name."""

    project: Project
    administrator: User
    annotator: User
    open: Assignment
    done: Assignment
    practised: Assignment
    practice: Sentence
    medium: Media
    upload: Upload
    failed: Project
    adding: Project
    invitation_token: str
    shared: SharedLink
    shared_token: str
    address_token: str
    link: StartLink
    delivery: Delivery


def make_hostile() -> Hostile:
    project = _project()
    boss = make_annotator(project, "@SUM(1)", "administrator")
    jana = make_annotator(project, "+cmd")
    create_token(user=boss, name=name("L-token", longest=100), scope="read", project=project)
    for user, label in ((boss, "L-boss"), (jana, "L-jana")):
        user.display_name = name(label, longest=149) + OVERRIDE
        # A quoted local part may contain almost any character.
        user.email = f'"<xss-probe><script>xss()</script>{label}-mail"@b.example'
        user.save()
    write_instructions(project=project, author=boss, text=paragraphs("L-instructions"))
    practice = _practice(project)
    practised = _submitted(jana, project, practice, Assignment.Kind.PRACTICE)
    ranks: dict[str, list[int | None]] = {"0 1": [1, 2, None], "2 3": [1, 1, 2]}
    done = submit(project, jana, 1, ranks, seconds=30)
    for number in (2, 3):
        submit(project, boss, number, ranks, seconds=20)
        submit(project, jana, number, ranks, seconds=20)
    make_controls(project=project, count=2, seed=1)
    submit_control(project, jana, 1, passes=False)
    _skip(boss, project)
    opened = assign_next(jana, project)
    save_draft(
        annotator=jana, project=project, assignment_id=opened.pk, base=0,
        choices={next(iter(cards_of(opened.pk))): 1},
    )  # fmt: skip
    _judge_whole_sentences(project)
    _store_reports(project)
    return Hostile(
        project=project,
        administrator=boss,
        annotator=jana,
        open=opened,
        done=done,
        practised=practised,
        practice=practice,
        medium=_medium(project),
        upload=_upload(boss),
        failed=_failed(boss),
        adding=_adding(boss),
        invitation_token=_invitation(project, boss),
        shared=make_shared_link(project, boss, "shared-hostile"),
        shared_token="shared-hostile",
        address_token=_want_address(boss),
        link=_start_link(project),
        delivery=_delivery(project),
    )


def _delivery(project: Project) -> Delivery:
    """Make a message to a webhook with a failed attempt."""
    delivery = make_delivery(project)
    Delivery.objects.filter(pk=delivery.pk).update(attempt_count=1)
    now = timezone.now()
    Attempt.objects.create(
        delivery=delivery, number=1, started=now, finished=now, error=text("L-delivery")
    )
    return delivery


def _project() -> Project:
    candidates = tuple(text(f"L-candidate-{number}") for number in range(3))
    project = make_project(
        name("L-project"),
        sentences=9,
        segments={"0 1": candidates, "2 3": candidates},
        queue_order="document",
        show_neighbours=True,
        description=paragraphs("L-description"),
    )
    project.provenance = {
        "parser": {"name": text("L-parser"), "version": text("L-version")},
        "aligner": {"name": text("L-aligner"), "version": "1", "effort": text("L-effort")},
        "coverage": text("L-coverage"),
        "counts": {"sentences": 9},
    }
    project.save()
    for number, system in enumerate(System.objects.filter(project=project)):
        system.name = name(f"L-system-{number}")
        system.save()
    for sentence in project.sentences.all():
        words = ["=1+1", "+1", "-1", "@1", *text("L-source").split(" ")]
        sentence.text = " ".join(words)
        sentence.tokens = places(sentence.text)
        sentence.save()
    reference, whole = text("L-reference"), text("L-whole")
    Translation.objects.update(text=reference, tokens=places(reference))
    for system in System.objects.filter(project=project):
        for sentence in project.sentences.all():
            Translation.objects.create(
                sentence=sentence, system=system, text=whole, tokens=places(whole)
            )
    # Different texts, so that controls can take a candidate of another sentence.
    for number, candidate in enumerate(
        Candidate.objects.filter(segment__sentence__project=project)
    ):
        candidate.text = f"{candidate.text} x{number} y{number}"
        candidate.save()
    return project


def _practice(project: Project) -> Sentence:
    original = project.sentences.get(purpose="judge", number=9)
    shown = answer_sheet(original, project)
    return make_practice(
        project=project,
        number=9,
        choices={card.key: 1 for segment in shown.segments for card in segment.cards},
        explanations={0: paragraphs("L-explanation"), 1: ""},
    )


def _start_link(project: Project) -> StartLink:
    """Make a start link with a participant who has finished."""
    link = make_link(
        project,
        platform=name("L-platform", longest=49) + OVERRIDE,
        contact=text("L-contact")[:199] + OVERRIDE,
        code=name("L-code", longest=99) + OVERRIDE,
    )
    user = User.objects.create(username="participant-1")
    Participant.objects.create(
        link=link, user=user, participant_id="P-person", code=link.code,
        started=timezone.now(), completed=timezone.now(),
    )  # fmt: skip
    return link


def _submitted(
    annotator: User, project: Project, sentence: Sentence, kind: Assignment.Kind
) -> Assignment:
    given = assign_next(annotator, project, practise=True)
    assert (given.kind, given.sentence) == (kind, sentence)
    submission.submit(
        annotator=annotator,
        project=project,
        assignment_id=given.pk,
        token=sheet(given).token,
        choices=dict.fromkeys(cards_of(given.pk), None),
    )
    return given


def _skip(annotator: User, project: Project) -> None:
    given = assign_next(annotator, project)
    skip(
        annotator=annotator,
        project=project,
        assignment_id=given.pk,
        reason="other",
        comment=paragraphs("L-skip"),
    )


def _judge_whole_sentences(project: Project) -> None:
    for number in (1, 2, 3):
        sentence = project.sentences.get(purpose="judge", number=number)
        judged = SentenceJudgement.objects.create(
            project=project, sentence=sentence, judge=name("L-judge"), key=str(number)
        )
        for rank, system in enumerate(project.systems.order_by("-pk"), start=1):
            SentencePlacement.objects.create(judgement=judged, system=system, rank=rank)


def _store_reports(project: Project) -> None:
    options = ReportOptions()
    made = make_report(project, ReportOptions(resamples=100))
    StoredReport.objects.create(
        project=project,
        key=options.key,
        options=to_json(options),
        made=timezone.now(),
        data=to_json(made.data),
        shape=shape_of_data(kind_of(options)),
        state="failed",
        error=text("L-report-error"),
        judgements=made.data.left_out.of,
        last_submission=made.last_submission,
    )


def _medium(project: Project) -> Media:
    """Add a picture that is markup from its second part on."""
    named, content = name("L-medium"), png() + MARKUP.encode()
    (row,) = add_media(project=project, files=opened({named: content}), table={named: [1]})
    return row


def _upload(owner: User) -> Upload:
    upload = Upload.objects.create(
        owner=owner,
        settings={
            "name": name("L-new-name"),
            "source_language": "en",
            "target_language": "cs",
            "description": paragraphs("L-new-description"),
            "tokens": "all",
            "parser": "phrases",
            "aligner": "systran",
        },
    )
    line = "<xss-probe> =1+1 L-sent <script>xss()</script> {{7*7}} the old house .\n"
    files = {
        "source": ("source", "", line),
        "north": ("system", name("L-new-system"), line.replace("old", "new")),
        "south": ("system", "south", "\x1b[31m" + line),
        # Links for a system that does not exist.
        "links": ("links", name("L-stranger"), "0-0<xss-probe>L-link\n"),
    }
    for number, (file, (role, system, content)) in enumerate(files.items()):
        _file(upload, number, shown_name(name(f"L-file-{file}") + OVERRIDE), role, system, content)
    return upload


def ready_upload(owner: User) -> Upload:
    """Make an upload that can be previewed."""
    upload = _upload(owner)
    upload.files.filter(role="links").delete()
    return upload


def _file(upload: Upload, number: int, called: str, role: str, system: str, content: str) -> None:
    stored = f"{number:032}"
    (Path(folders.folder_of(upload)) / stored).write_text(content * 2)
    UploadedFile.objects.create(
        upload=upload,
        role=role,
        system=system[:200],
        name=called[:200],
        stored=stored,
        kind="links" if role == "links" else "text",
        size=len(content),
        lines=2,
        sha256="0" * 64,
    )


def _invitation(project: Project, boss: User) -> str:
    address = invite(project=project, by=boss, role="annotator", note=text("L-note")[:500])
    return address.rstrip("/").rpartition("/")[2]


def _want_address(boss: User) -> str:
    NewAddress.objects.create(
        user=boss,
        email='"<xss-probe><script>xss()</script>L-new-mail"@b.example',
        instead_of=boss.email,
        token_hash=hash_token("address"),
        expires=timezone.now() + LINK_LIFETIME,
    )
    return "address"


def _failed(boss: User) -> Project:
    project = Project.objects.create(
        name=name("L-failed"), source_language="en", target_language="cs", state="failed"
    )
    problem = InputError(text("L-error"))
    Job.objects.create(
        project=project,
        state="failed",
        error=str(problem),
        reason=problem.to_json(),
        stage="tokens",
    )
    make_annotator(project, boss.username, "administrator")
    return project


def _adding(boss: User) -> Project:
    project = make_project(name("L-adding"), sentences=1)
    added = System.objects.create(project=project, name=name("L-added"))
    project.provenance = {
        "added": [
            {"system": added.name, "name": text("L-from"), "aligner": {"name": text("L-by")}},
        ]
    }
    project.save()
    Job.objects.create(
        project=project,
        task="add_system",
        state="failed",
        error=text("L-stopped"),
        reason=InputError(text("L-stopped")).to_json(),
        options={"system": added.name},
    )
    make_annotator(project, boss.username, "administrator")
    return project
