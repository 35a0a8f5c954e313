"""A valid request to every address: existing ids, and fields that would be accepted."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotation.formats.judgement_lines import GARBAGE
from annotation.judging.practice import answer_sheet, may_serve
from annotation.judging.sheet import sheet
from annotation.models import Assignment, Sentence
from tests.annotation.uploads.upload_files import SEGMENTS
from tests.crowd.coming import PID
from tests.media_files import png
from tests.security.addresses import Address
from tests.security.world import WEBHOOK_HOST, Parts

# The parameters of addresses, and addresses in which a parameter means something else.
IDS: dict[str, Callable[[Parts], object]] = {
    "pk": lambda parts: parts.project.pk,
    "project_pk": lambda parts: parts.project.pk,
    "assignment_pk": lambda parts: parts.done.pk,
    "user_pk": lambda parts: parts.annotator.pk,
    "flag_pk": lambda parts: parts.project.quality_flags.get().pk,
    "system_pk": lambda parts: parts.system.pk,
    "medium_pk": lambda parts: parts.medium.pk,
    "signed_in_pk": lambda parts: parts.signed_in.pk,
    "invitation_pk": lambda parts: parts.invitation.pk,
    "preview_pk": lambda parts: parts.preview.pk,
    "shared_pk": lambda parts: parts.shared.pk,
    "link_pk": lambda parts: parts.link.pk,
    "report_pk": lambda parts: parts.project.reports.get(kind="report").pk,
    "origin_pk": lambda parts: parts.project.given_origins.get().pk,
    "score_file_pk": lambda parts: parts.project.score_files.get().pk,
    "webhook_pk": lambda parts: parts.delivery.webhook_id,
    "delivery_pk": lambda parts: parts.delivery.pk,
    "token": lambda parts: parts.upload.token,
    "uidb64": lambda parts: "MQ",
    "token_pk": lambda parts: parts.token.pk,
    "rest": lambda parts: "nowhere/",
    "name": lambda parts: "agreement",
    "extension": lambda parts: "csv",
}
OTHER_IDS: dict[tuple[str, str], Callable[[Parts], object]] = {
    ("practice-feedback", "assignment_pk"): lambda parts: parts.practised.pk,
    ("release-assignment", "assignment_pk"): lambda parts: parts.open.pk,
    ("start", "token"): lambda parts: parts.link.token,
    ("change-practice", "number"): lambda parts: parts.practice.number,
    ("retire-practice", "number"): lambda parts: parts.practice.number,
    ("api-settle", "sheet"): lambda parts: parts.sentence.number,
    ("settle", "number"): lambda parts: parts.sentence.number,
    ("retire-control", "number"): lambda parts: parts.control.number,
    ("sentence", "number"): lambda parts: parts.sentence.number,
    ("return-sentence", "number"): lambda parts: parts.sentence.number,
    ("report-figure", "name"): lambda parts: "win-rates",
    ("report-image", "name"): lambda parts: "win-rates",
    ("report-image", "extension"): lambda parts: "pdf",
    **{
        (f"shared-report{kind}", "token"): lambda parts: parts.shared_token
        for kind in ("", "-json", "-zip", "-figure", "-image", "-table")
    },
    ("shared-documents", "token"): lambda parts: parts.shared_token,
    ("shared-document", "token"): lambda parts: parts.shared_token,
    ("shared-document", "number"): lambda parts: parts.sentence.number,
    ("document", "number"): lambda parts: parts.sentence.number,
    ("shared-report-figure", "name"): lambda parts: "win-rates",
    ("shared-report-image", "name"): lambda parts: "win-rates",
    ("shared-report-image", "extension"): lambda parts: "svg",
    ("metrics-image", "name"): lambda parts: "scatter-bleu",
    ("metrics-image", "extension"): lambda parts: "png",
    ("metrics-figure", "name"): lambda parts: "scatter-bleu",
    ("metrics-table", "name"): lambda parts: "metric-scores",
    ("invitation", "token"): lambda parts: parts.invitation_token,
    ("confirm-address", "token"): lambda parts: parts.address_token,
    ("api-figure", "name"): lambda parts: "win-rates",
    ("api-export", "name"): lambda parts: "csv",
    ("export", "name"): lambda parts: "csv",
    ("draft", "pk"): lambda parts: parts.open.pk,
    ("submission", "pk"): lambda parts: parts.open.pk,
    ("skip", "pk"): lambda parts: parts.open.pk,
    ("revision", "pk"): lambda parts: parts.done.pk,
    ("api-release", "assignment_pk"): lambda parts: parts.open.pk,
    ("api-instructions-version", "number"): lambda parts: parts.instructions,
    ("api-control", "number"): lambda parts: parts.control.number,
    ("api-judged-sentence", "number"): lambda parts: parts.sentence.number,
    ("api-sentence-excluded", "number"): lambda parts: parts.sentence.number,
    ("api-sentence-returned", "number"): lambda parts: parts.sentence.number,
    ("api-practice-one", "number"): lambda parts: parts.practice.number,
    ("api-practice-answers", "number"): lambda parts: parts.practice.number,
    ("api-practice-sheet", "number"): lambda parts: (
        may_serve(parts.project).latest("number").number
    ),
}
SETTINGS = {
    "given_share": 100,
    "description": "New",
    "judges_per_sentence": 2,
    "intra_rate": 0,
    "inter_rate": 0,
    "control_rate": 0,
    "queue_order": "document",
    "shown_references": "first",
    "block_size": 10,
    "lease_minutes": 60,
    "practice_tries": 1,
}
NEW_CAMPAIGN = {"name": "c", "source_language": "en", "target_language": "cs"}
GIVEN_ERRORS = {"name": "metric", "by": "program"}
CONFIRMED = {"confirmed": "yes"}
QUALITY_RULES = {
    f"{kind}-{name}": value
    for kind in ("seconds", "controls", "one_rank", "kappa", "shown_order", "practice")
    for name, value in (("limit", 1), ("after", 5), ("action", "flag"))
}
NEW_PROJECT = {"name": "New", "source_language": "en", "target_language": "cs"}
PASSWORD = "nine-quiet-rivers"
NEWCOMER = {"username": "newcomer", "password1": PASSWORD, "password2": PASSWORD}
START_LINK = {
    "platform": "Pool",
    "id_parameter": "who",
    "most_participants": "10",
    "currency": "EUR",
}
QUESTIONNAIRE = {
    "consent": "We store **what** you answer.",
    "questions-TOTAL_FORMS": 1,
    "questions-INITIAL_FORMS": 0,
    "questions-0-text": "What is your native language?",
    "questions-0-kind": "text",
    "questions-0-ORDER": 1,
}
# JSON of the judging page.
JSON_FIELDS: dict[str, Callable[[Parts], dict[str, Any]]] = {
    "draft": lambda parts: {"base": 0, "choices": {}},
    "submission": lambda parts: {"token": str(uuid4()), "choices": _places(parts.open)},
    "revision": lambda parts: {"token": str(uuid4()), "choices": _places(parts.done)},
    "skip": lambda parts: {"reason": "other", "comment": ""},
}
# JSON of the API, by address and method; its forms with files are among FIELDS.
API_FIELDS: dict[tuple[str, str], Callable[[Parts], dict[str, Any]]] = {
    ("api-project", "PATCH"): lambda parts: {"block_size": 3},
    ("api-project-copies", "POST"): lambda parts: {"name": "Copied houses"},
    ("api-acceptance-projects", "POST"): lambda parts: {"name": "Accepted houses"},
    ("api-project-state", "PUT"): lambda parts: {"state": "closed"},
    ("api-second-pass", "POST"): lambda parts: {"judged_in": parts.project.pk},
    ("api-settle", "PUT"): lambda parts: {"answer_of": 1},
    ("api-sample", "POST"): lambda parts: {"segments": 1},
    ("api-system-sample", "POST"): lambda parts: {"segments": 1},
    ("api-undecided", "PUT"): lambda parts: {"undecided": ["A", "B"]},
    ("api-sentence-excluded", "PUT"): lambda parts: {"excluded": True},
    ("api-sentence-returned", "PUT"): lambda parts: {"returned": True},
    ("api-member-paused", "PUT"): lambda parts: {"paused": True},
    ("api-member-discarded", "PUT"): lambda parts: {"discarded": True},
    ("api-member-sentences", "PUT"): lambda parts: {"sentences": [_free_sentence(parts).number]},
    ("api-members", "POST"): lambda parts: {"username": "stranger", "role": "annotator"},
    ("api-member", "PUT"): lambda parts: {"role": "observer"},
    ("api-member", "PATCH"): lambda parts: {"sentence_limit": 30},
    ("api-anonymise", "POST"): lambda parts: {"username": parts.annotator.username},
    ("api-invitations", "POST"): lambda parts: {"role": "annotator"},
    ("api-invite-list", "POST"): lambda parts: {
        "addresses": "new@example.org",
        "role": "annotator",
    },
    ("api-start-links", "POST"): lambda parts: {"platform": "MTurk", "id_parameter": "workerId"},
    ("api-start-link", "PATCH"): lambda parts: {"is_on": False},
    ("api-pay", "PUT"): lambda parts: {"pay_per_hour": "12.50"},
    ("api-instructions", "POST"): lambda parts: {"text": "Be kind."},
    ("api-instructions-preview", "POST"): lambda parts: {"text": "Be kind."},
    ("api-controls", "POST"): lambda parts: {"count": 1},
    ("api-control", "PUT"): lambda parts: {"retired": True},
    ("api-quality-rules", "PUT"): lambda parts: {
        "rules": [{"kind": "seconds", "limit": 2, "after": 5, "action": "pause"}]
    },
    ("api-practice", "POST"): lambda parts: _sent_answers(_free_sentence(parts), new=True),
    ("api-practice-answers", "PUT"): lambda parts: _sent_answers(parts.practice),
    ("api-practice-one", "PUT"): lambda parts: {"retired": True},
    ("api-reports", "POST"): lambda parts: {"resamples": 100},
    ("api-shared-links", "POST"): lambda parts: {"days": None},
    ("api-metrics-refresh", "POST"): lambda parts: {"resamples": 100},
    ("api-annotator-models-refresh", "POST"): lambda parts: {"resamples": 100},
    ("api-schedule", "PUT"): lambda parts: {"every": "day"},
    ("api-webhooks", "POST"): lambda parts: _webhook("new"),
    ("api-webhook", "PATCH"): lambda parts: {"active": False},
}
# Query strings, by address and method.
QUERIES: dict[tuple[str, str], Callable[[Parts], dict[str, str]]] = {
    ("api-project", "DELETE"): lambda parts: {"confirm": parts.project.name},
    ("start", "GET"): lambda parts: {"PROLIFIC_PID": PID},
    ("start", "POST"): lambda parts: {"PROLIFIC_PID": PID},
}
# Fields of forms.
FIELDS: dict[str, Callable[[Parts], dict[str, Any]]] = {
    "judge": lambda parts: _judgement(parts.open),
    "revise": lambda parts: _judgement(parts.done),
    "skip-sentence": lambda parts: {"skip": parts.open.pk, "reason": "other"},
    "project-state": lambda parts: {"state": "closed"},
    "project-settings": lambda parts: SETTINGS,
    "choose-systems": lambda parts: {
        "sheet_choice": "balanced",
        "sheets_of_document": 2,
        "first_documents": 20,
    },
    "project-instructions": lambda parts: {"text": "Be kind."},
    "people": lambda parts: {"username": "stranger", "role": "annotator"},
    "change-role": lambda parts: {"role": "observer"},
    "invite-list": lambda parts: {
        "addresses": "new@example.org",
        "role": "annotator",
        "days": 7,
    },
    "questionnaire": lambda parts: QUESTIONNAIRE,
    "reminders": lambda parts: {"days": 7, "text": "Please go on."},
    "set-automatic-reminders": lambda parts: {"remind_after_days": 7},
    "set-reminders": lambda parts: {"wants_reminders": "on"},
    "limit-member": lambda parts: {"sentence_limit": 30},
    "sentences": lambda parts: {"action": "exclude", "number": parts.sentence.number},
    "sentence": lambda parts: {"action": "exclude"},
    "rename-project": lambda parts: {"name": "Other houses"},
    "copy-project": lambda parts: {"name": "Copied houses", "texts": "with"},
    "accept-edits": lambda parts: {"name": "Accepted houses"},
    "delete-project": lambda parts: {"name": parts.project.name},
    "preparing-cancel": lambda parts: CONFIRMED,
    "new-project-discard": lambda parts: CONFIRMED,
    "remove-member": lambda parts: CONFIRMED,
    "discard-judgements": lambda parts: CONFIRMED,
    "release-assignment": lambda parts: CONFIRMED,
    "revoke-invitation": lambda parts: CONFIRMED,
    "revoke-token": lambda parts: CONFIRMED,
    "remove-webhook": lambda parts: CONFIRMED,
    "remove-medium": lambda parts: CONFIRMED,
    "revoke-shared-report": lambda parts: CONFIRMED,
    "remove-scores": lambda parts: CONFIRMED,
    "remove-given-errors": lambda parts: CONFIRMED,
    "new-practice": lambda parts: _answers(_free_sentence(parts)),
    "change-practice": lambda parts: _answers(parts.practice),
    "retire-practice": lambda parts: {"retired": "yes"} | CONFIRMED,
    "quality-rules": lambda parts: QUALITY_RULES,
    "retire-control": lambda parts: {"retired": "yes"} | CONFIRMED,
    "control-sentences": lambda parts: {"count": 1},
    "add-system": lambda parts: _files(parts, "text_file") | {"system_name": "D"},
    "import-judgements": lambda parts: _files(parts, "file"),
    "given-errors": lambda parts: _files(parts, "file") | GIVEN_ERRORS,
    "api-given-errors": lambda parts: _files(parts, "file") | GIVEN_ERRORS,
    "api-imported-judgements": lambda parts: _files(parts, "file"),
    "api-campaigns": lambda parts: _files(parts, "file") | NEW_CAMPAIGN,
    "second-pass": lambda parts: {"pass-judged_in": parts.project.pk},
    "import-archive": lambda parts: _files(parts, "file"),
    "import-campaign": lambda parts: _files(parts, "file"),
    "tutorial": lambda parts: {"shipped": "yes"},
    "api-tutorial": lambda parts: {"file": SimpleUploadedFile("own.json", b"{}")},
    "project-media": lambda parts: {"file": SimpleUploadedFile("2.png", png())},
    "api-media": lambda parts: {"file": SimpleUploadedFile("2.png", png())},
    "add-reference": lambda parts: _files(parts, "text_file"),
    "new-project": lambda parts: _files(parts, "files"),
    "new-project-add": lambda parts: _files(parts, "files"),
    "tokens": lambda parts: {"name": "mine", "scope": "read", "days": 90},
    "api-projects": lambda parts: _new_project(),
    "api-project-preview": lambda parts: _ready_made_project(),
    "api-systems": lambda parts: _files(parts, "text_file") | {"system_name": "D"},
    "api-reference": lambda parts: _files(parts, "text_file"),
    "add-scores": lambda parts: {"score_files": _scores()},
    "api-score-files": lambda parts: {"file": _scores()},
    "report-schedule": lambda parts: {"every": "day"},
    "report-sharing": lambda parts: {"pages": "report", "days": "30"},
    "account": lambda parts: {"display_name": "New"},
    "new-address": lambda parts: {"email": "new@example.org", "password": PASSWORD},
    "invitation": lambda parts: NEWCOMER,
    "project-invitations": lambda parts: {"role": "annotator", "days": 7, "use_limit": 1},
    "new-start-link": lambda parts: START_LINK | {"platform": "MTurk"},
    "start-link": lambda parts: START_LINK,
    "crowd-pay": lambda parts: {"pay_per_hour": "12.50", "currency": "EUR"},
    "anonymise-me": lambda parts: {"username": parts.annotator.username},
    "anonymise-member": lambda parts: {"username": parts.annotator.username},
    "new-webhook": lambda parts: _webhook("new"),
    "change-webhook": lambda parts: _webhook("other") | {"active": "on"},
    "set_language": lambda parts: {"language": "cs", "next": "/"},
}


def ids(address: Address, parts: Parts) -> dict[str, object]:
    """Return the parameters of the address."""
    return {
        name: OTHER_IDS.get((address.name, name), IDS.get(name, _nothing))(parts)
        for name in address.parameters
    }


def send(client: Client, address: Address, method: str, parts: Parts, **changed: object) -> Any:
    """Send a valid request; `changed` are parameters to replace."""
    path = reverse(address.name, kwargs=ids(address, parts) | changed)
    if query := QUERIES.get((address.name, method)):
        path += f"?{urlencode(query(parts))}"
    if method == "GET":
        return client.get(path)
    if fields := API_FIELDS.get((address.name, method)):
        body = json.dumps(fields(parts))
        return client.generic(method, path, body, content_type="application/json")
    if address.name in JSON_FIELDS:
        body = json.dumps(JSON_FIELDS[address.name](parts))
        return client.generic(method, path, body, content_type="application/json")
    if method == "POST" and address.name in FIELDS:
        return client.post(path, FIELDS[address.name](parts))
    if method == "POST" and not address.name.startswith("api-"):
        return client.post(path)
    return client.generic(method, path)


def _nothing(parts: Parts) -> object:
    raise AssertionError("Add the parameter to IDS.")


def _places(assignment: Assignment) -> dict[str, object]:
    return {card.key: GARBAGE for segment in sheet(assignment).segments for card in segment.cards}


def _judgement(assignment: Assignment) -> dict[str, Any]:
    cards = {f"card-{key}": place for key, place in _places(assignment).items()}
    return {"assignment": assignment.pk, "token": str(uuid4())} | cards


def _answers(sentence: Sentence) -> dict[str, Any]:
    cards = {
        f"card-{card.key}": GARBAGE
        for segment in answer_sheet(sentence, sentence.project).segments
        for card in segment.cards
    }
    return {"sentence": sentence.number} | cards


def _sent_answers(sentence: Sentence, *, new: bool = False) -> dict[str, Any]:
    cards = [
        card.key
        for segment in answer_sheet(sentence, sentence.project).segments
        for card in segment.cards
    ]
    which = {"sentence": sentence.number} if new else {}
    return {"placements": dict.fromkeys(cards), **which}


def _webhook(path: str) -> dict[str, Any]:
    return {"address": f"https://{WEBHOOK_HOST}/{path}", "events": ["project.prepared"]}


def _free_sentence(parts: Parts) -> Sentence:
    return parts.project.sentences.get(purpose="judge", number=4)


def _new_project() -> dict[str, Any]:
    texts = {
        name: SimpleUploadedFile(f"{name}.txt", b"the old house\n")
        for name in ("source", "systems")
    }
    return NEW_PROJECT | texts


def _ready_made_project() -> dict[str, Any]:
    return NEW_PROJECT | {"ready_segments": SimpleUploadedFile("s.tsv", SEGMENTS.encode())}


def _scores() -> SimpleUploadedFile:
    return SimpleUploadedFile("N.score", b"N\ten-cs\ttest\tA\t1\n")


def _files(parts: Parts, name: str) -> dict[str, Any]:
    lines = parts.project.sentences.filter(purpose="judge").count()
    return {name: SimpleUploadedFile("text.txt", b"dum\n" * lines)}
