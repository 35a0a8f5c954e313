"""Hostile texts on pages and in other answers are only text."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client
from django.urls import reverse

from annotation.formats.media_files import MEDIA_TYPES
from annotation.models import StoredPreview, Upload, User
from annotation.uploads import folders
from annotation.uploads.preview_queue import request
from people.models import Invitation
from tests.previews import make_previews
from tests.security.addresses import Address, own_addresses
from tests.security.expected import expected
from tests.security.hostile import Hostile, ready_upload
from tests.security.pages import Page
from tests.security.requests import PASSWORD
from tests.security.tricks import MARKUP, name, paragraphs, text
from tests.transactions import undone

pytestmark = pytest.mark.django_db
ADDRESSES = {address.name: address for address in own_addresses()}
LOOKED_AT = [address for address, method in expected() if method == "GET"]
# Labels that must appear on some page, or the test would prove nothing about them.
LABELS = {
    *("L-project", "L-description", "L-source", "L-reference", "L-whole", "L-candidate-0"),
    *(
        "L-system-0",
        "L-boss",
        "L-jana",
        "L-boss-mail",
        "L-new-mail",
        "L-instructions",
        "L-explanation",
        "L-skip",
    ),
    *("L-parser", "L-version", "L-aligner", "L-effort", "L-coverage", "L-report-error"),
    *("L-new-name", "L-new-system", "L-stranger", "L-file-source", "L-sent"),
    *("L-new-description", "L-failed", "L-error", "L-adding", "L-added", "L-from", "L-by"),
    *(
        "L-medium",
        "L-stopped",
        "L-note",
        "L-platform",
        "L-contact",
        "L-code",
        "L-token",
        "L-delivery",
    ),
}
JSON = {"application/json", "application/problem+json"}


@dataclass(frozen=True)
class Answer:
    """The answer to a GET request."""

    path: str
    status: int
    headers: Mapping[str, str]
    content: bytes

    @property
    def kind(self) -> str:
        return self.headers.get("Content-Type", "").partition(";")[0]


@pytest.fixture(scope="module")
def answers(made_hostile: Hostile, django_db_blocker: Any) -> list[Answer]:
    """The answers to all GET requests of four people."""
    with django_db_blocker.unblock(), undone():
        return list(all_answers(made_hostile))


def all_answers(hostile: Hostile) -> Iterator[Answer]:
    root = User.objects.create_superuser("root", display_name=name("L-root", longest=150))
    preview = previewed_upload(hostile.administrator)
    for user in (hostile.administrator, hostile.annotator, root, None):
        client = Client()
        if user:
            client.force_login(user)
        for address in LOOKED_AT:
            for path in paths(ADDRESSES[address], hostile, preview.token):
                answer: Any = client.get(path)
                content = b"".join(answer) if answer.streaming else answer.content
                yield Answer(path, answer.status_code, answer.headers, content)


def previewed_upload(owner: User) -> Upload:
    upload = ready_upload(owner)
    request(upload)
    make_previews()
    return upload


def paths(address: Address, hostile: Hostile, preview: str) -> Iterator[str]:
    parts: dict[str, list[object]] = {
        "pk": [hostile.project.pk, hostile.failed.pk, hostile.adding.pk],
        "assignment_pk": [hostile.done.pk, hostile.practised.pk],
        "number": [hostile.practice.number, 9],
        # A sheet that is not disputed.
        "sheet": [hostile.done.sentence.number],
        "token": [
            hostile.upload.token,
            preview,
            hostile.invitation_token,
            hostile.address_token,
            hostile.link.token,
        ],
        "preview_pk": [preview.pk for preview in StoredPreview.objects.all()],
        "uidb64": ["MQ"],
        "link_pk": [hostile.link.pk],
        "shared_pk": [hostile.shared.pk],
        "invitation_pk": [invitation.pk for invitation in Invitation.objects.all()],
        "user_pk": [hostile.annotator.pk],
        "medium_pk": [hostile.medium.pk],
        "report_pk": [report.pk for report in hostile.project.reports.all()],
        "webhook_pk": [hostile.delivery.webhook_id],
        "delivery_pk": [hostile.delivery.pk],
        "rest": ["nowhere/", name("L-address")],
        "name": ["ranking-ratio_of_wins", "win-rates"],
        "extension": ["svg"],
    }
    if "extension" in address.parameters or "name" in address.parameters:
        # Figures and tables are of reports, and only this project has any.
        parts["pk"] = [hostile.project.pk]
    if address.name.endswith("-table"):
        parts["name"] = ["agreement", "annotators", "significance"]
        parts["extension"] = ["tex", "csv", "md"]
    if address.name.startswith("shared-"):
        parts["token"] = [hostile.shared_token]
    asked = {"new-practice": "?sentence=4"}
    asked["new-project-sentences"] = "?min_length=2&max_length=4"
    asked["start"] = "?PROLIFIC_PID=P-person"
    asked["crowd"] = f"?find={quote(name('L-jana'))}"
    filled: list[dict[str, object]] = [{}]
    for parameter in address.parameters:
        filled = [row | {parameter: part} for row in filled for part in parts[parameter]]
    for row in filled:
        path = reverse(address.name, kwargs=row)
        yield path
        if address.name in asked:
            yield path + asked[address.name]


def test_pages_escape_every_text(answers: list[Answer]) -> None:
    seen, pages = "", 0
    problems: dict[str, list[str]] = {}
    for answer in answers:
        assert answer.status < 500, answer.path
        if answer.kind != "text/html":
            continue
        page = Page(answer.content.decode())
        if page.problems:
            problems[answer.path] = page.problems
        seen += page.text
        pages += 1
    assert not problems
    assert pages > 100
    assert LABELS - {label for label in LABELS if label in seen} == set()
    assert "{{7*7}}L-project" in seen
    assert "49L-" not in seen


def test_the_preview_escapes_every_text(hostile: Hostile) -> None:
    client = Client()
    client.force_login(hostile.administrator)
    upload = previewed_upload(hostile.administrator)
    path = reverse("new-project-sentences", args=[upload.token])
    answer = client.get(path, {"min_length": 1, "max_length": 6})
    assert answer.status_code == 200
    page = Page(answer.content.decode())
    assert not page.problems
    assert "<xss-probe> =1+1 L-sent <script>xss()</script>" in page.text


def test_previewed_instructions_are_harmless(hostile: Hostile) -> None:
    client = Client()
    client.force_login(hostile.administrator)
    path = reverse("api-instructions-preview", args=[hostile.project.pk])
    sent = {"text": paragraphs("L-sent")}
    answer = client.post(path, sent, content_type="application/json")
    # Our page isolates its direction in the same way.
    page = Page(f'<div dir="auto">{answer.json()["html"]}</div>')
    assert not page.problems
    assert "L-sent" in page.text


def test_other_answers_have_a_safe_media_type(answers: list[Answer], hostile: Hostile) -> None:
    """JSON parses, files but media are attachments, and uploaded texts are never served."""
    kinds = set()
    uploaded = {path.read_bytes() for path in folders.folder_of(hostile.upload).iterdir()}
    for answer in answers:
        assert answer.content not in uploaded
        if answer.kind in JSON:
            json.loads(answer.content)
        if answer.kind not in {"text/html", ""}:
            assert answer.headers["X-Content-Type-Options"] == "nosniff", answer.path
            kinds.add(answer.kind)
        if answer.kind not in {"text/html", "", *JSON, *MEDIA_TYPES}:
            assert answer.headers["Content-Disposition"].startswith("attachment"), answer.path
    assert {"application/json", "text/csv", "application/zip", "application/x-tex"} <= kinds
    assert kinds & MEDIA_TYPES == {"image/png"}


@pytest.mark.parametrize(
    ("address", "fields"),
    [
        ("project-settings", {"description": paragraphs("L-sent"), "block_size": name("L-sent")}),
        ("project-instructions", {"text": paragraphs("L-sent"), "preview": ""}),
        ("people", {"username": name("L-sent"), "role": name("L-sent")}),
        ("people", {"username": text("L-sent"), "role": "annotator"}),
        ("project-invitations", {"role": name("L-sent"), "note": paragraphs("L-sent")}),
        ("project-invitations", {"role": "annotator", "days": name("L-sent")}),
        ("control-sentences", {"count": name("L-sent")}),
        ("add-system", {"system_name": name("L-sent")}),
        ("new-start-link", {"platform": name("L-sent"), "address": text("L-sent")}),
        ("crowd-pay", {"pay_per_hour": name("L-sent"), "currency": name("L-sent")}),
        ("new-practice", {"sentence": name("L-sent")}),
        ("new-practice", {"sentence": "4", "card-1-1": name("L-sent"), "why-1": text("L-sent")}),
        ("skip-sentence", {"skip": "1", "reason": name("L-sent"), "comment": paragraphs("L-sent")}),
        ("judge", {"assignment": "1", "token": name("L-sent"), name("card-1"): name("L-sent")}),
    ],
)
def test_forms_escape_what_they_repeat(
    hostile: Hostile, address: str, fields: dict[str, str]
) -> None:
    client = Client()
    client.force_login(hostile.administrator)
    answer = client.post(reverse(address, args=[hostile.project.pk]), fields)
    assert answer.status_code in (200, 400, 409)
    assert not Page(answer.content.decode()).problems


def test_a_quoted_mail_address_is_escaped(hostile: Hostile, settings: Any) -> None:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.b.example", "rank@b.example"
    settings.SITE_ADDRESS = "https://rank.b.example"
    hostile.administrator.set_password(PASSWORD)
    hostile.administrator.save()
    client = Client()
    client.force_login(hostile.administrator)
    email = '"<xss-probe><script>xss()</script>L-sent"@b.example'
    for password, status in (("wrong", 400), (PASSWORD, 200)):
        fields = {"email": email, "password": password}
        answer = client.post(reverse("new-address"), fields)
        page = Page(answer.content.decode())
        assert answer.status_code == status
        assert not page.problems
    assert "<xss-probe><script>xss()</script>L-sent" in page.text


@pytest.mark.parametrize("address", ["sign-in", "register"])
def test_public_forms_escape_what_they_repeat(db: None, settings: Any, address: str) -> None:
    settings.SELF_REGISTRATION = True
    fields = {"username": name("L-sent"), "password": "x", "next": name("L-sent")}
    answer = Client().post(reverse(address), fields, query_params={"next": MARKUP})
    page = Page(answer.content.decode())
    assert not page.problems
    assert "L-sent" in page.text


def test_pages_escape_the_address_and_its_query(hostile: Hostile) -> None:
    client = Client()
    client.force_login(hostile.administrator)
    project = hostile.project.pk
    pages = ("project-systems", "report", "new-practice", "my-judgements")
    of_project = [reverse(page, args=[project]) for page in pages]
    for path in ("/nowhere/", "/sign-in/", "/sign-in/link/x/", *of_project):
        names = ("next", "version", "sentence", "method", "minimum_kappa", "page", "look", "all")
        answer = client.get(path + MARKUP, dict.fromkeys(names, MARKUP))
        assert not Page(answer.content.decode()).problems
        answer = client.get(path, dict.fromkeys(names, MARKUP), follow=True)
        assert not Page(answer.content.decode()).problems


def test_the_administration_escapes_every_text(hostile: Hostile) -> None:
    client = Client()
    client.force_login(User.objects.create_superuser("root"))
    for model, pk in (("user", hostile.annotator.pk), ("project", hostile.project.pk),
                      ("membership", hostile.project.memberships.earliest("pk").pk)):  # fmt: skip
        for page, ids in (
            ("changelist", []),
            ("change", [pk]),
            ("history", [pk]),
            ("delete", [pk]),
        ):
            answer = client.get(reverse(f"admin:annotation_{model}_{page}", args=ids))
            html = answer.content.decode()
            assert not re.search(r"<xss-probe|<script>xss|<img/src=x|href=.?javascript:xss", html)
