"""Campaigns and annotations of Pearmut, the "Platform for Evaluation and Reviewing of Multilingual
Tasks", as its version 1.1.6 reads and writes them.

A file of campaigns is a JSON object, or a list of them. Annotations are JSON lines
(`data/annotations/CAMPAIGN.jsonl` on its server), or the object {CAMPAIGN: [annotation, …]} that
its dashboard downloads.
Pearmut numbers the characters of a text as JavaScript does, in which those outside the Basic
Multilingual Plane count twice; special tokens such as "[missing]" have the numbers after the text.
`end_i` is the last character of a span. Here, places are those of Python. Before version 1.1.5,
line ends were not counted, so places in texts with line ends are wrong in older annotations.
Source: README.md, server/cli.py and web/src of zouharvi/pearmut.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Raw, Struct
from msgspec.json import Decoder

from annotation.formats import strict_json
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.marked_errors import MISSING, MarkedError
from annotation.formats.names import Spellings, plain_name
from annotation.formats.plain_text import open_binary

T = TypeVar("T")

TASK_BASED: Final = "task-based"
DEFAULT_PROTOCOL: Final = "cESA"
# Those in which MISSING can be marked if a campaign does not say anything else.
WITH_MISSING: Final = ("ESA", "cESA", "MQM")
Assignment = Literal["task-based", "single-stream", "dynamic"]
# What an annotation says if earlier ones of this user (and document) do not count any more.
RESET: Final = "__RESET__"
SKIPPED: Final = "submit_skip"
# Seconds between two actions that count at most, as in Pearmut.
LONGEST_PAUSE: Final = 60.0
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"

# --- campaigns ---


Range = tuple[int | float, int | float]


class Slider(NamedTuple):
    """A scale beside or instead of the score from 0 to 100."""

    name: str
    least: int | float
    most: int | float
    step: int | float


@dataclass(frozen=True, slots=True)
class Check:
    """What an annotator's answer for one system must be, in a tutorial or an attention check.

    `score` is the least and the greatest that passes, and so are those of `sliders` by name;
    `greater_than` names a system that must have a lower score; `spans` are as in the file, where a
    place may be a range. Without a `warning`, the annotator is not told of a failure.
    """

    score: Range | None = None
    greater_than: str = ""
    spans: tuple[Mapping[str, Any], ...] = ()
    warning: str = ""
    sliders: Mapping[str, Range] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Item:
    """A segment with the outputs of systems; texts that the file does not have are ""."""

    outputs: Mapping[str, str]
    source: str = ""
    reference: str = ""
    item_id: str = ""
    instructions: str = ""
    marked: Mapping[str, tuple[MarkedError, ...]] = field(default_factory=dict)
    checks: Mapping[str, Check] = field(default_factory=dict)
    skippable: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question about the annotator; `form` is "string", "number", "choices", "script" or ""."""

    text: str
    form: str
    choices: tuple[str, ...] = ()
    script: str = ""


Document = tuple[Item, ...] | tuple[Question, ...]


@dataclass(frozen=True)
class Campaign:
    """A campaign: `tasks` are lists of documents, one for each user, or only one for all users.

    `users` are their names, or their number. Whole numbers of failed checks that a user may have,
    or a share of all checks below 1, are `validation_threshold`. `welcome` are documents that come
    before all others, `goodbye` those that come after them, `random` those that are inserted at
    random. `categories` are of MQM, by main category, or "input" where annotators write them;
    `severities` are None where the campaign has the usual ones, and () where errors have none.
    `settings` are all other keys of "info".
    """

    campaign_id: str
    assignment: Assignment
    tasks: tuple[tuple[Document, ...], ...]
    protocol: str = DEFAULT_PROTOCOL
    sliders: tuple[Slider, ...] | None = None
    categories: Mapping[str, tuple[str, ...]] | Literal["input"] = field(default_factory=dict)
    severities: tuple[str, ...] | None = None
    special_tokens: tuple[str, ...] = (MISSING,)
    validation_threshold: int | float | None = None
    users: int | tuple[str, ...] = 1
    welcome: tuple[Document, ...] = ()
    goodbye: tuple[Document, ...] = ()
    random: tuple[Document, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)


class _Span(Struct):
    start_i: int
    end_i: int
    severity: str | None = None
    category: str | None = None


class _Check(Struct):
    score: Range | None = None
    score_greaterthan: str | None = None
    error_spans: list[dict[str, Any]] = []
    warning: str | None = None


class _ExpectedSpan(Struct):
    start_i: int | tuple[int, int]
    end_i: int | tuple[int, int]
    severity: str
    category: str | None = None


class _Item(Struct):
    tgt: dict[str, str] | None = None
    src: str | None = None
    ref: str | None = None
    item_id: str | int | None = None
    instructions: str | None = None
    error_spans: dict[str, list[_Span]] = {}
    validation: dict[str, dict[str, Any]] = {}
    skippable: bool = False
    text: str | None = None
    form: str | None = None
    choices: list[str] = []
    script: str | None = None


class _Slider(Struct):
    name: str
    min: int | float
    max: int | float
    step: int | float


class _User(Struct):
    user_id: str


class _Info(Struct):
    assignment: Assignment = "single-stream"
    protocol: str = DEFAULT_PROTOCOL
    sliders: list[_Slider] | None = None
    mqm_categories: dict[str, list[str]] | Literal["input"] = {}
    mqm_severities: list[str] | None = None
    special_tokens: tuple[str, ...] | None = None
    validation_threshold: int | float | None = None
    users: int | list[str | _User] = 1


class _Campaign(Struct):
    campaign_id: str
    data: Raw
    info: Raw = Raw(b"{}")
    data_welcome: list[list[Raw]] = []
    data_goodbye: list[list[Raw]] = []
    data_random: list[list[Raw]] = []


_campaign = Decoder(_Campaign)
_campaigns = Decoder(list[Raw])
_info = Decoder(_Info)
_info_keys = Decoder(dict[str, Any])
# Items are read one by one, so that all wrong ones are found.
_one_item = Decoder(_Item)
_tasks = Decoder(list[list[list[Raw]]])
# What Pearmut makes of the tasks when the campaign is added.
_tasks_by_user = Decoder(dict[str, list[list[Raw]]])
_pool = Decoder(list[list[Raw]])


def read_campaigns(path: Path, *, on_error: OnError = raise_error) -> list[Campaign]:
    """Return the campaigns of a file. Keys of items that `Item` does not have are left out.

    Calls `on_error` for each item and each campaign that cannot be used, and leaves it out. Raises
    InputError for a file that is no JSON.
    """
    text = read_json(path)
    texts = {str(path): text}
    if text.lstrip().startswith(b"["):
        of_file = strict_json.decode(text, _campaigns, str(path))
        texts = {f"{path}, campaign {number}": bytes(one) for number, one in enumerate(of_file)}
    found = []
    for where, one in texts.items():
        try:
            found.append(_campaign_of(one, where, on_error))
        except InputError as problem:
            on_error(problem)
    return found


def _campaign_of(text: bytes, where: str, on_error: OnError) -> Campaign:
    read = strict_json.decode(text, _campaign, where)
    info = strict_json.decode(bytes(read.info), _info, f"{where}, key 'info'")
    data, place = bytes(read.data), f"{where}, key 'data'"
    users: int | tuple[str, ...] = (
        info.users
        if isinstance(info.users, int)
        else tuple(plain_name(one if isinstance(one, str) else one.user_id) for one in info.users)
    )
    if info.assignment != TASK_BASED:
        tasks = [strict_json.decode(data, _pool, place)]
    elif data.startswith(b"{"):
        by_user = strict_json.decode(data, _tasks_by_user, place)
        users, tasks = tuple(map(plain_name, by_user)), list(by_user.values())
    else:
        tasks = strict_json.decode(data, _tasks, place)
    tokens = info.special_tokens
    if tokens is None:
        tokens = _default_tokens(info.protocol)
    settings = strict_json.decode(bytes(read.info), _info_keys, where)
    spellings = Spellings()

    def documents(found: Sequence[Sequence[Raw]], at: str) -> tuple[Document, ...]:
        return _documents(found, tokens, at, spellings, on_error)

    return Campaign(
        campaign_id=plain_name(read.campaign_id),
        assignment=info.assignment,
        tasks=tuple(documents(task, f"{place}, task {t}") for t, task in enumerate(tasks)),
        protocol=info.protocol,
        sliders=None
        if info.sliders is None
        else tuple(Slider(one.name, one.min, one.max, one.step) for one in info.sliders),
        categories="input"
        if info.mqm_categories == "input"
        else {name: tuple(names) for name, names in info.mqm_categories.items()},
        severities=None if info.mqm_severities is None else tuple(info.mqm_severities),
        special_tokens=tokens,
        validation_threshold=info.validation_threshold,
        users=users,
        welcome=documents(read.data_welcome, f"{where}, key 'data_welcome'"),
        goodbye=documents(read.data_goodbye, f"{where}, key 'data_goodbye'"),
        random=documents(read.data_random, f"{where}, key 'data_random'"),
        settings={
            key: value for key, value in settings.items() if key not in _Info.__struct_fields__
        },
    )


def _default_tokens(protocol: str) -> tuple[str, ...]:
    return (MISSING,) if protocol in WITH_MISSING else ()


def read_json(path: Path) -> bytes:
    """Return the text of a file. Raises InputError."""
    with open_binary(path) as file:
        return file.read().removeprefix(_BYTE_ORDER_MARK)


def _documents(
    documents: Sequence[Sequence[Raw]],
    tokens: Sequence[str],
    where: str,
    spellings: Spellings,
    on_error: OnError,
) -> tuple[Document, ...]:
    found: list[Document] = []
    for number, texts in enumerate(documents):
        place = f"{where}, document {number}"
        if not texts:
            on_error(InputError(_("the document has no items: leave it out."), place))
            continue
        read: dict[str, _Item] = {}
        for item_number, text in enumerate(texts):
            of_item = f"{place}, item {item_number}"
            try:
                read[of_item] = strict_json.decode(bytes(text), _one_item, of_item)
            except InputError as problem:
                on_error(problem)
        if all(one.text is not None and one.tgt is None for one in read.values()):
            questions = (
                Question(one.text or "", one.form or "", tuple(one.choices), one.script or "")
                for one in read.values()
            )
            found.append(tuple(questions))
            continue
        items = []
        for of_item, one in read.items():
            try:
                items.append(_item(one, tokens, of_item, spellings))
            except InputError as problem:
                on_error(problem)
        found.append(tuple(items))
    return tuple(found)


def _item(read: _Item, tokens: Sequence[str], where: str, spellings: Spellings) -> Item:
    if not read.tgt:
        raise InputError(_("the item has no translations: “tgt” needs one for each system."), where)
    outputs = _by_system(read.tgt, where, spellings)
    marked = _by_system(read.error_spans, where, spellings)
    checks = _by_system(read.validation, where, spellings)
    _check_translated((*marked, *checks), outputs, where)
    return Item(
        outputs=outputs,
        source=read.src or "",
        reference=read.ref or "",
        item_id="" if read.item_id is None else plain_name(str(read.item_id)),
        instructions=read.instructions or "",
        marked={
            system: tuple(_marked(span, outputs[system], tokens, where) for span in spans)
            for system, spans in marked.items()
        },
        checks={system: _check_of(rule, where) for system, rule in checks.items()},
        skippable=read.skippable,
    )


def _by_system(values: Mapping[str, T], where: str, spellings: Spellings) -> dict[str, T]:
    """Return the values by plain names of systems. Raise InputError."""
    return {spellings.system(name, where): value for name, value in values.items()}


def _check_translated(systems: Iterable[str], outputs: Collection[str], where: str) -> None:
    for system in systems:
        if system not in outputs:
            raise InputError(
                _("the system %(name)r has no translation in “tgt”."), where, name=system[:60]
            )


def _check_of(rule: Mapping[str, Any], where: str) -> Check:
    known = _Check.__struct_fields__
    try:
        read = msgspec.convert(rule, _Check)
        sliders = {
            name: msgspec.convert(value, Range)
            for name, value in rule.items()
            if name not in known and isinstance(value, list)
        }
    except msgspec.ValidationError as problem:
        raise InputError(f"{problem}.", where) from None
    spans = tuple(read.error_spans)
    return Check(
        read.score, plain_name(read.score_greaterthan or ""), spans, read.warning or "", sliders
    )


def write_campaign(campaign: Campaign) -> str:
    """Return the JSON text of a campaign, which `pearmut add` takes.

    Raises InputError for what Pearmut refuses: campaigns with a slash in their names, systems whose
    names are digits only, documents whose items have different systems although they are to be
    shuffled, and documents to insert at random without the setting "data_random_prob".
    """
    if "/" in campaign.campaign_id:
        raise InputError(
            _("Pearmut calls files after the campaign %(name)r, which has a slash: rename it."),
            name=campaign.campaign_id,
        )
    if campaign.random and "data_random_prob" not in campaign.settings:
        raise InputError(
            _("documents that are inserted at random need the setting “data_random_prob”.")
        )
    tokens = campaign.special_tokens
    info: dict[str, Any] = {
        "assignment": campaign.assignment,
        "protocol": campaign.protocol,
        "sliders": None
        if campaign.sliders is None
        else [
            {"name": one.name, "min": one.least, "max": one.most, "step": one.step}
            for one in campaign.sliders
        ],
        "mqm_categories": campaign.categories,
        "mqm_severities": campaign.severities,
        "special_tokens": None if tokens == _default_tokens(campaign.protocol) else tokens,
        "validation_threshold": campaign.validation_threshold,
        "users": campaign.users if campaign.users != 1 else None,
    }
    # Empty lists of these mean that there are none; other empty values are defaults.
    said_if_empty = ("sliders", "mqm_severities", "special_tokens", "validation_threshold")
    kept = {
        key: value
        for key, value in info.items()
        if value or (value is not None and key in said_if_empty)
    }
    shuffled = campaign.settings.get("shuffle", True)
    tasks = [_written(task, tokens, shuffled) for task in campaign.tasks]
    written: dict[str, Any] = {
        "info": kept | dict(campaign.settings),
        "campaign_id": campaign.campaign_id,
        "data": tasks if campaign.assignment == TASK_BASED else [one for t in tasks for one in t],
    }
    # Pearmut does not shuffle these.
    for key, documents in (
        ("data_welcome", campaign.welcome),
        ("data_goodbye", campaign.goodbye),
        ("data_random", campaign.random),
    ):
        if documents:
            written[key] = _written(documents, tokens, False)
    return json.dumps(written, ensure_ascii=False, indent=2) + "\n"


def _written(
    documents: Sequence[Document], tokens: Sequence[str], shuffled: bool
) -> list[list[dict[str, Any]]]:
    for document in documents:
        systems = [one.outputs.keys() for one in document if isinstance(one, Item)]
        for name in {name for names in systems for name in names}:
            if name.isdigit():
                raise InputError(
                    _("Pearmut does not take the system name %(name)r: it has digits only."),
                    name=name,
                )
        if shuffled and any(names != systems[0] for names in systems):
            raise InputError(
                _("Pearmut can only shuffle the systems of a document if all its items have them.")
            )
    return [[_written_item(one, tokens) for one in document] for document in documents]


def _written_item(item: Item | Question, tokens: Sequence[str]) -> dict[str, Any]:
    if isinstance(item, Question):
        question = {"choices": item.choices, "script": item.script}
        return {"text": item.text, "form": item.form or None} | {
            key: value for key, value in question.items() if value
        }
    written: dict[str, Any] = {
        "item_id": item.item_id,
        "src": item.source,
        "ref": item.reference,
        "tgt": dict(item.outputs),
        "instructions": item.instructions,
        "error_spans": {
            system: [
                span for one in errors for span in written_spans(one, item.outputs[system], tokens)
            ]
            for system, errors in item.marked.items()
        },
        "validation": {
            system: {
                key: value
                for key, value in (
                    ("warning", check.warning),
                    ("score", check.score),
                    ("score_greaterthan", check.greater_than),
                    ("error_spans", check.spans),
                    *check.sliders.items(),
                )
                if value
            }
            for system, check in item.checks.items()
        },
        "skippable": item.skippable,
    }
    return {key: value for key, value in written.items() if value or key == "tgt"}


# --- places ---


def _units(text: str) -> list[int]:
    """Return the position in Python of each character that Pearmut numbers."""
    return [
        place
        for place, character in enumerate(text)
        for _half in range(2 if ord(character) > 0xFFFF else 1)
    ]


def _marked(span: _Span, text: str, tokens: Sequence[str], where: str) -> MarkedError:
    units = _units(text)
    last = len(units) + len(tokens) - 1
    if not 0 <= span.start_i <= span.end_i <= last:
        raise InputError(
            _(
                "the error span from %(start)d to %(end)d is not within the text, whose characters "
                "and special tokens have the numbers 0 to %(last)d."
            ),
            where,
            start=span.start_i,
            end=span.end_i,
            last=last,
        )
    severity, category = (span.severity or "").lower(), span.category or ""
    if span.start_i >= len(units):
        return MarkedError(severity, category, token=tokens[span.start_i - len(units)])
    end = units[min(span.end_i, len(units) - 1)] + 1
    return MarkedError(severity, category, ((units[span.start_i], end),))


def expected_errors(
    check: Check, text: str, tokens: Sequence[str]
) -> tuple[MarkedError, ...] | None:
    """Return errors that pass the check, in the middle of the places that it allows.

    None where it leaves open where an error is, or how severe. Raises InputError for errors that
    are not within the text.
    """
    found = []
    for rule in check.spans:
        try:
            read = msgspec.convert(rule, _ExpectedSpan)
        except msgspec.ValidationError:
            return None
        start, end = (
            place if isinstance(place, int) else sum(place) // 2
            for place in (read.start_i, read.end_i)
        )
        span = _Span(start, end, read.severity, read.category)
        found.append(_marked(span, text, tokens, ""))
    return tuple(found)


def written_spans(error: MarkedError, text: str, tokens: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the spans of an error, one for each place; one of the whole text if it has none."""
    units = _units(text)
    places = []
    for start, end in error.places:
        inside = [number for number, place in enumerate(units) if start <= place < end]
        if inside:
            places.append((inside[0], inside[-1]))
    if not places and error.token in tokens:
        places.append((len(units) + tokens.index(error.token),) * 2)
    elif not places and units:
        places.append((0, len(units) - 1))
    for first, last in places:
        yield {
            "start_i": first,
            "end_i": last,
            "severity": error.severity or None,
            "category": error.category or None,
        }


# --- annotations ---

Origin = Literal["task", "welcome", "random", "goodbye"]


@dataclass(frozen=True, slots=True)
class Annotation:
    """What a user answered for the output of one system in an item.

    `document` is its number for the user or, if all users share the documents, for all; `item`
    that of the item in it, both from 0. Documents of other `origin` than "task" are numbered
    separately. `score` and those of `sliders` are None if not given; `comment` is the text that
    the user wrote or corrected. `checked` says that the item has a rule for the answer, as
    tutorials and attention checks have. `started` and `ended` are seconds since 1970, `seconds` the
    time spent on the whole document, in which pauses count as a minute at most; None if not
    recorded.
    """

    where: str
    campaign_id: str
    user: str
    origin: Origin
    document: int
    item: int
    item_id: str
    system: str
    source: str
    output: str
    score: float | None
    sliders: Mapping[str, float | None]
    errors: tuple[MarkedError, ...]
    comment: str
    checked: bool
    started: float | None
    ended: float | None
    seconds: float | None


class _Response(Struct):
    score: float | None = None
    sliders: dict[str, float | None] = {}
    error_spans: list[_Span] = []
    textfield: str | None = None


class _Action(Struct):
    time: float
    action: str = ""


class _Entry(Struct):
    user_id: str
    annotation: list[Any] | Literal["__RESET__"]
    item_i: int | str | None = None
    item: list[_Item] = []
    actions: list[_Action] = []


_entry = Decoder(_Entry)
_by_campaign = Decoder(dict[str, list[Raw]])
_keys = Decoder(dict[str, Raw])


def read_annotations(
    path: Path,
    *,
    special_tokens: Sequence[str] = (MISSING,),
    on_error: OnError = raise_error,
) -> list[Annotation]:
    """Return the answers that count: a user's last ones for a system's output, without resets.

    `special_tokens` are those of the campaign. Answers to questions and skipped documents and items
    are left out. Calls `on_error` for each line, or entry, that cannot be used, and leaves it out.
    """
    # Of campaign, user, document, item and system.
    answers: dict[tuple[str, str, int | str | None, int, str], Annotation] = {}
    spellings = Spellings()
    for where, campaign_id, entry in _entries(path, on_error):
        user = plain_name(entry.user_id)
        if entry.annotation == RESET:
            sheet = (campaign_id, user, entry.item_i)
            known = len(sheet) - (entry.item_i is None)
            answers = {key: one for key, one in answers.items() if key[:known] != sheet[:known]}
            continue
        try:
            found = list(_answers(where, campaign_id, entry, special_tokens, spellings))
        except InputError as problem:
            on_error(problem)
            continue
        for one in found:
            key = (campaign_id, user, entry.item_i, one.item, one.system)
            answers.pop(key, None)
            answers[key] = one
    return list(answers.values())


def _entries(path: Path, on_error: OnError) -> Iterator[tuple[str, str, _Entry]]:
    """Yield place, campaign ("" in JSON lines) and entry."""
    text = read_json(path)
    if kind_of_json(text) != "annotations by campaign":
        for number, line in enumerate(text.split(b"\n"), start=1):
            if line.strip():
                where = f"{path}, line {number}"
                try:
                    entry = strict_json.decode(line, _entry, where)
                except InputError as problem:
                    on_error(problem)
                else:
                    yield where, "", entry
        return
    try:
        by_campaign = strict_json.decode(text, _by_campaign, str(path))
    except InputError as problem:
        on_error(problem)
        return
    for campaign_id, entries in by_campaign.items():
        for number, one in enumerate(entries):
            where = f"{path}, key {campaign_id!r}, annotation {number}"
            try:
                yield where, plain_name(campaign_id), strict_json.decode(bytes(one), _entry, where)
            except InputError as problem:
                on_error(problem)


def _answers(
    where: str, campaign_id: str, entry: _Entry, tokens: Sequence[str], spellings: Spellings
) -> Iterator[Annotation]:
    origin, document = _origin(entry.item_i, where)
    if any(one.action == SKIPPED for one in entry.actions):
        return
    times = [one.time for one in entry.actions]
    answers = entry.annotation if isinstance(entry.annotation, list) else []
    if len(answers) != len(entry.item):
        raise InputError(
            _("%(answers)d answers to %(items)d items."),
            where,
            answers=len(answers),
            items=len(entry.item),
        )
    for number, (item, answer) in enumerate(zip(entry.item, answers, strict=True)):
        if answer is None or item.tgt is None:
            continue
        try:
            responses = msgspec.convert(answer, dict[str, _Response])
        except msgspec.ValidationError as problem:
            raise InputError(f"{problem}.", f"{where}, item {number}") from None
        outputs = _by_system(item.tgt, where, spellings)
        checked = _by_system(item.validation, where, spellings)
        of_systems = _by_system(responses, where, spellings)
        _check_translated(of_systems, outputs, where)
        for system, response in of_systems.items():
            output = outputs[system]
            yield Annotation(
                where=where,
                campaign_id=campaign_id,
                user=plain_name(entry.user_id),
                origin=origin,
                document=document,
                item=number,
                item_id="" if item.item_id is None else plain_name(str(item.item_id)),
                system=system,
                source=item.src or "",
                output=output,
                score=response.score,
                sliders=response.sliders,
                errors=tuple(_marked(one, output, tokens, where) for one in response.error_spans),
                comment=response.textfield or "",
                checked=system in checked,
                started=min(times, default=None),
                ended=max(times, default=None),
                seconds=sum(min(b - a, LONGEST_PAUSE) for a, b in pairwise(times))
                if times
                else None,
            )


def _origin(item_i: int | str | None, where: str) -> tuple[Origin, int]:
    if isinstance(item_i, int):
        return "task", item_i
    origins: tuple[Origin, ...] = ("welcome", "random", "goodbye")
    kind, _underscore, number = (item_i or "").partition("_")
    for origin in origins:
        if kind == origin and number.isdecimal():
            return origin, int(number)
    raise InputError(
        _("the document %(name)r is neither a number nor such as welcome_0."),
        where,
        name=(item_i or "")[:40],
    )


KindOfJson = Literal["campaign", "annotations", "annotations by campaign"]


def kind_of_json(text: bytes) -> KindOfJson | None:
    """Return what of Pearmut a JSON text may be, by the keys that it or its first line has."""
    if text.lstrip().startswith(b"["):
        try:
            campaigns = [_keys.decode(one) for one in _campaigns.decode(text)]
        except msgspec.MsgspecError:
            return None
        known = campaigns and all({"campaign_id", "data"} <= one.keys() for one in campaigns)
        return "campaign" if known else None
    first_line = text.lstrip().partition(b"\n")[0]
    for piece in (first_line, text):
        try:
            found = _keys.decode(piece)
        except msgspec.MsgspecError:
            continue
        if {"campaign_id", "data"} <= found.keys():
            return "campaign"
        if {"user_id", "annotation"} <= found.keys():
            return "annotations"
        # Other formats map texts to lists, too.
        lists = [value for value in map(bytes, found.values()) if value.startswith(b"[")]
        if lists and len(lists) == len(found) and any(b'"user_id"' in value for value in lists):
            return "annotations by campaign"
    return None
