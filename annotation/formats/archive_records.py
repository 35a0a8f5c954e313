"""The records of an archive; each is a line of JSON, whose key "record" says which kind it is.

Archives of all releases stay readable: a field that is added has a default, and none is taken away.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import pairwise
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import force_setattr

from annotation.formats.documents import LONGEST_DOCUMENT_NAME, LONGEST_ITEM_ID
from annotation.formats.judgement_lines import LONGEST_ANNOTATOR_NAME
from annotation.formats.languages import LONGEST_LANGUAGE_CODE
from annotation.formats.media_files import LONGEST_NAME, Play, Sha256
from annotation.formats.names import LONGEST_SYSTEM_NAME, plain_name
from annotation.formats.strict_json import LARGEST

Small = Annotated[int, Meta(ge=1, le=32_767)]
Number = Annotated[int, Meta(ge=1, le=LARGEST)]
Count = Annotated[int, Meta(ge=0, le=LARGEST)]
Position = Count
Share = Annotated[float, Meta(ge=0, le=1)]
Probability = Annotated[float, Meta(gt=0, le=1)]
Seconds = Annotated[float, Meta(ge=0)]
Time = Annotated[datetime, Meta(tz=True)]
Language = Annotated[str, Meta(min_length=1, max_length=LONGEST_LANGUAGE_CODE)]
ProjectName = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"\S")]
JudgeName = ProjectName
SystemName = Annotated[str, Meta(min_length=1, max_length=LONGEST_SYSTEM_NAME, pattern=r"\S")]
AccountName = Annotated[str, Meta(min_length=1, max_length=LONGEST_ANNOTATOR_NAME, pattern=r"\S")]
CandidateText = Annotated[str, Meta(min_length=1)]
Rank = Small | Literal["garbage"]
# On a segment; PostgreSQL stores no NUL.
Comment = Annotated[str, Meta(max_length=1000, pattern=r"^[^\0]*$")]
Detail = Annotated[str, Meta(min_length=1, max_length=20_000, pattern=r"^[^\0]*$")]
Reason = Annotated[str, Meta(min_length=1, max_length=1000, pattern=r"^[^\0]*$")]
GivenDetail = Annotated[str, Meta(max_length=20_000, pattern=r"^[^\0]*$")]
# Of money, as the database stores it.
Amount = Annotated[str, Meta(pattern=r"^(?:0|[1-9][0-9]{0,5})\.[0-9]{2}\Z")]
Currency = Annotated[str, Meta(pattern=r"^[A-Z]{3}\Z")]
# Of a URL.
Parameter = Annotated[str, Meta(max_length=50, pattern=r"^(?:[A-Za-z][A-Za-z0-9_]*)?\Z")]
UpToAMillion = Annotated[int, Meta(ge=1, le=1_000_000)]
# The fields of records that have the name of an account, a system or another name.
NAMES = frozenset(
    (
        *("name", "system", "document", "annotator", "author", "by", "answer_of", "judge"),
        *("person", "platform"),
    )
)


def _check_in_utc(time: datetime, name: str) -> None:
    """Raise ValueError for a time that is of another year than 1 to 9999 in UTC."""
    try:
        time.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"Expected a time of the years 1 to 9999 in `{name}`") from None


def _plain(name: str, field: str) -> str:
    """Return the plain name. Raise ValueError for one that has only invisible characters."""
    plain = plain_name(name)
    if name and not plain:
        raise ValueError(f"Expected visible characters in `{field}`")
    return plain


class _Part(Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a record. Names are plain, so that later records find what earlier ones name."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if isinstance(value, datetime):
                _check_in_utc(value, name)
            elif name in NAMES and isinstance(value, str):
                force_setattr(self, name, _plain(value, name))


class _Record(_Part, frozen=True, tag_field="record"):
    """One line of an archive."""


class HeaderRecord(_Record, frozen=True, tag="segranks-archive"):
    version: Small


class ProjectRecord(_Record, frozen=True, tag="project"):
    """The project and its settings."""

    name: ProjectName
    description: str
    source_language: Language
    target_language: Language
    judges_per_sentence: Small
    queue_order: Literal["random", "document", "blocks"]
    block_size: Small
    lease_minutes: Number
    shown_references: Literal["none", "first", "all"]
    show_neighbours: bool
    intra_rate: Share
    inter_rate: Share
    control_rate: Share
    practice_required: bool
    min_length: Small
    max_length: Small
    state: Literal["open", "closed", "failed", "archived"]
    created: Time
    provenance: dict[str, Any]
    # When what counts was last changed, by exclusion or by discarding.
    counts_changed: Time | None = None
    show_whole_translations: bool = False
    # The name of the kind of judgement.
    kind: Annotated[str, Meta(min_length=1, max_length=40)] = "segment_ranking"
    # The labels of its own scale, one a line, from the best.
    answer_options: str = ""
    # Percent of right answers that required practice must reach, None for any, and the tries at it.
    practice_share: Annotated[int, Meta(ge=1, le=100)] | None = None
    practice_tries: Small = 1
    given_share: Share = 1.0
    highlights: bool = False
    # Of sheets of documents.
    overlap_share: Share = 0.0
    disputed_from: Annotated[int, Meta(ge=1, le=1000)] | None = None
    third_judge: bool = False


class SystemRecord(_Record, frozen=True, tag="system"):
    name: SystemName


class GivenOriginRecord(_Record, frozen=True, tag="given_origin"):
    """Who or what marked errors before: see `SegmentPart.given_errors`."""

    name: Annotated[str, Meta(min_length=1, max_length=80, pattern=r"\S")]
    by: Literal["program", "annotator"]
    created: Time


class AccountRecord(_Record, frozen=True, tag="account"):
    """A member or former annotator; `role` is None for an account that is no member.

    `sentence_limit` is the member's limit of sentences, None for no limit. A member who is `paused`
    gets no new sentences.
    """

    name: AccountName
    unidentified: bool
    role: Literal["annotator", "observer", "administrator", "owner"] | None
    sentence_limit: Number | None
    paused: bool = False


class InstructionsRecord(_Record, frozen=True, tag="instructions"):
    """One version of the project's instructions; `author` is None where unknown."""

    version: Number
    text: str
    created: Time
    author: str | None


class TranslationPart(_Part, frozen=True):
    """`system` is None for a reference, and `reference` its number, None for a system's output."""

    system: str | None
    reference: Small | None
    text: str
    tokens: str
    alignment: str


class AnswerPart(_Part, frozen=True):
    """The gold answer of a practice segment: a rank or "garbage" for each candidate.

    `details` are by the place of the candidate, from 0, in the notation of the project's kind. Of a
    tutorial, `last_ranks` are the worst ranks of ranges, and `reasons` texts by language: of the
    candidate, then of each error in the detail.
    """

    explanation: str
    ranks: list[Rank]
    details: dict[int, Detail] = {}
    last_ranks: dict[int, Small] = {}
    reasons: dict[int, list[dict[str, Reason]]] = {}


class ControlPart(_Part, frozen=True):
    """What a control segment tests, by the positions of two of its candidates.

    `message` is what annotators are told who do not tell them apart, "" for the usual sentence.
    """

    kind: Literal["degraded", "duplicate", "reference"]
    original: Position
    changed: Position
    message: Annotated[str, Meta(max_length=2000, pattern=r"^[^\0]*$")] = ""


class SegmentPart(_Part, frozen=True):
    """`projections` are (system, position of its candidate, or None if no word was linked).

    `duplicates` are the positions of candidates that duplicate the text of another one. `sampled`
    is False if the project judges a sample of its segments without this one. `excluded` is True if
    an administrator excluded the segment; `excluded_candidates` are the positions of those that
    were excluded apart from it. `given_errors` are those that were marked before, by origin and
    position of the candidate, in the notation of the project's kind, "" for none. `of_document` is
    True for the document of a sheet, which has no indices.
    """

    indices: list[Position]
    candidate_version: Small
    candidates: list[CandidateText]
    duplicates: list[Position]
    projections: list[tuple[str, Position | None]]
    answer: AnswerPart | None
    control: ControlPart | None
    sampled: bool = True
    excluded: bool = False
    excluded_candidates: list[Position] = []
    given_errors: dict[str, dict[Position, GivenDetail]] = {}
    of_document: bool = False

    def __post_init__(self) -> None:
        if self.of_document == bool(self.indices):
            raise ValueError("Expected `indices` of a segment, and none of a document")
        if not all(before < after for before, after in pairwise(self.indices)):
            raise ValueError("Expected ascending token positions in `indices`")
        projections = [(_plain(name, "projections"), place) for name, place in self.projections]
        force_setattr(self, "projections", projections)
        given = {_plain(name, "given_errors"): of for name, of in self.given_errors.items()}
        force_setattr(self, "given_errors", given)


class SentenceRecord(_Record, frozen=True, tag="sentence"):
    """`copy_of` is the number of the sentence to judge which a practice or control item copies.

    It is None for a sentence of a tutorial, which is for practice and copies none.

    `document` is "" where unknown, and in archives of versions that had none. `excluded` is True if
    an administrator excluded the sentence. `source_line` is that of a further translation of a
    line, where one translation is judged at a time. `sheet` is the number of the sentence that
    heads the sheet on which a further row of a document stands. `item_id` is what the file of
    another program calls the line. `further_judges` are those that the sheet which it heads has
    beyond the project's setting. `chosen_systems` are (system, probability) where systems were
    chosen for the sheet, and `sheet_probability` is that of all of them and the document.
    """

    purpose: Literal["judge", "practice", "control"]
    number: Number
    copy_of: Number | None
    retired: bool
    candidate_version: Small
    text: str
    tokens: str
    tree: str
    translations: list[TranslationPart]
    segments: list[SegmentPart]
    document: Annotated[str, Meta(max_length=LONGEST_DOCUMENT_NAME)] = ""
    excluded: bool = False
    source_line: Number | None = None
    sheet: Number | None = None
    item_id: Annotated[str, Meta(max_length=LONGEST_ITEM_ID)] = ""
    further_judges: Annotated[int, Meta(ge=0, le=2)] = 0
    sheet_probability: Probability | None = None
    chosen_systems: list[tuple[str, Probability]] = []

    def __post_init__(self) -> None:
        super().__post_init__()
        chosen = [(_plain(name, "chosen_systems"), one) for name, one in self.chosen_systems]
        force_setattr(self, "chosen_systems", chosen)


class MediaRecord(_Record, frozen=True, tag="media"):
    """An image, audio or video beside a line of the source, without its content."""

    line: Number
    name: Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME, pattern=r"\S")]
    media_type: str
    size: Annotated[int, Meta(ge=1, le=2**63 - 1)]
    sha256: Sha256


class ShownPart(_Part, frozen=True):
    """The place on the page of each candidate of a segment, from 1; None for one not shown."""

    segment: Position
    positions: list[Small | None]


class JudgementPart(_Part, frozen=True):
    """A rank or "garbage" for each candidate of a segment; None for one that was not placed.

    `comment` is "" where the annotator wrote none. `details` are by the
    place of the candidate, from 0, in the notation of the project's kind.
    """

    segment: Position
    created: Time
    seconds: Seconds | None
    ranks_offered: Small
    ranks: list[Rank | None]
    comment: Comment = ""
    details: dict[int, Detail] = {}


class SubmissionPart(_Part, frozen=True):
    """The first submission of an assignment, which has the number 1, or a revision.

    `media` are the audio and video that the annotator played.
    """

    number: Small
    current: bool
    created: Time
    active_seconds: Seconds | None
    judgements: list[JudgementPart]
    media: list[Play] = []


class SkipPart(_Part, frozen=True):
    """Why the annotator skipped the sentence."""

    reason: Literal["unclear", "wrong-segment", "offensive", "technical", "other"]
    comment: str
    created: Time


class DraftPart(_Part, frozen=True):
    """Unsubmitted placements; `choices` are ranks or "garbage" by the keys of cards.

    `comments` are by the number of the segment, from 1, `details` by the keys of cards.
    """

    version: Number
    choices: dict[str, Rank]
    active_seconds: Seconds
    saved: Time
    comments: dict[str, Comment] = {}
    details: dict[str, Annotated[str, Meta(max_length=20_000, pattern=r"^[^\0]*$")]] = {}


class AssignmentRecord(_Record, frozen=True, tag="assignment"):
    """One sentence assigned to one annotator; `instructions` is the version that was shown.

    `sentence` is the number of a practice or control sentence where `kind` is one of these.
    `given` is the origin of the errors that the sheet showed, None if it showed none.
    `decision` is that of the project's `decisions` by which it shows undecided systems only.
    Discarded assignments have been submitted and count nowhere: `discarded_with_sentence` is True
    if the sentence was returned to judging, `discarded_with_annotator` if the annotator's
    judgements were discarded; a discarded assignment without both is read as the latter. A try at
    practice that was followed by another is discarded with its sentence. `systems` are those that a
    sheet shows side by side, in the order of their columns, and null of a column of no system.
    Segments are numbered by their places on the sheet. `aids` are what its page had to help the
    annotator, by name, such as {"highlights": true}.
    """

    sentence: Number
    annotator: str
    kind: Literal["first", "intra", "inter", "practice", "control"]
    state: Literal["open", "submitted", "returned", "skipped", "discarded"]
    slot: Small | None
    candidate_version: Small
    created: Time
    shown: Time | None
    submitted: Time | None
    lease_until: Time | None
    instructions: Number | None
    skip: SkipPart | None
    draft: DraftPart | None
    shown_candidates: list[ShownPart]
    submissions: list[SubmissionPart]
    decision: Small | None = None
    given: str | None = None
    discarded_with_sentence: bool = False
    discarded_with_annotator: bool = False
    systems: list[SystemName | None] = []
    aids: dict[str, Any] = {}


class SettledPart(_Part, frozen=True):
    """The rank or "garbage" of each candidate of a segment; None for one that has none."""

    segment: Position
    ranks_offered: Small
    ranks: list[Rank | None]
    details: dict[int, Detail] = {}


class SettlementRecord(_Record, frozen=True, tag="settlement"):
    """What a curator decided about the sheet that the sentence with this number heads.

    `answer_of` is the annotator whose answer was taken over, None where the scores are the
    curator's own; `by` is None where unknown. Segments are numbered by their places on the sheet.
    """

    sheet: Number
    answer_of: str | None
    by: str | None
    created: Time
    comment: Comment
    segments: list[SettledPart]


class ReservationRecord(_Record, frozen=True, tag="reservation"):
    """A sentence to judge, by its number, that the annotator is assigned before others.

    `by` is the name of the account that reserved it, None where unknown.
    """

    sentence: Number
    annotator: str
    created: Time
    by: str | None


class BatchItemPart(_Part, frozen=True):
    """What a batch shows at a position: the number of the sentence, of control for two roles.

    `original` is the position of the output that a control item belongs to, None for an output.
    """

    position: Small
    role: Literal["output", "repeat", "reference", "degraded"]
    sentence: Number
    original: Small | None


class BatchTurnPart(_Part, frozen=True):
    """An annotator's turn at a batch."""

    annotator: str
    slot: Small
    state: Literal["open", "finished", "released"]
    created: Time


class BatchRecord(_Record, frozen=True, tag="batch"):
    """A batch of direct assessment, with who has judged or is judging it."""

    number: Number
    items: list[BatchItemPart]
    turns: list[BatchTurnPart]


class ReportScheduleRecord(_Record, frozen=True, tag="report_schedule"):
    """How often the project's report is computed automatically."""

    every: Literal["never", "hour", "day"]


class SentenceJudgementRecord(_Record, frozen=True, tag="sentence_judgement"):
    """An imported ranking of a whole sentence; `ranks` are (system, rank)."""

    sentence: Number
    judge: JudgeName
    ranks: list[tuple[str, Annotated[int, Meta(ge=1, le=5)]]]

    def __post_init__(self) -> None:
        super().__post_init__()
        ranks = [(_plain(name, "ranks"), rank) for name, rank in self.ranks]
        force_setattr(self, "ranks", ranks)


class MembersPayRecord(_Record, frozen=True, tag="members_pay"):
    """The pay of annotators without a start link; null: no pay, no limit."""

    pay_per_hour: Amount | None
    pay_cap: Amount | None
    currency: Currency


class StartLinkRecord(_Record, frozen=True, tag="start_link"):
    """The settings of a start link, without what gives access or pay: its token, code and URL.

    `sentences` is the limit of sentences of each participant, None for no limit.
    """

    platform: Annotated[str, Meta(min_length=1, max_length=50)]
    id_parameter: Parameter
    visit_parameter: Parameter
    sentences: UpToAMillion | None
    most_participants: UpToAMillion
    minutes: Small | None
    contact: Annotated[str, Meta(max_length=200)]
    pay_per_hour: Amount | None
    pay_cap: Amount | None
    currency: Currency


class QuestionPart(_Part, frozen=True):
    """A question; `options` are the choices of the kind "choice", and else empty."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    kind: Literal["text", "choice", "yes-no", "number"]
    options: list[Annotated[str, Meta(min_length=1, pattern=r"^[^\n]+\Z")]]
    required: bool

    def __post_init__(self) -> None:
        if (self.kind == "choice") != bool(self.options):
            raise ValueError("Expected `options` of a choice, and of nothing else")


class QuestionnaireRecord(_Record, frozen=True, tag="questionnaire"):
    """One version of what annotators are asked; `author` is None where unknown.

    `valid_from` is the earliest version whose answers need not be given again.
    """

    version: Number
    valid_from: Number
    consent: str
    created: Time
    author: str | None
    questions: list[QuestionPart]


class ResponseRecord(_Record, frozen=True, tag="questionnaire_response"):
    """What a person answered to a version; `answers` are (position from 0, text, yes or number)."""

    version: Number
    person: str
    created: Time
    answers: list[
        tuple[Position, Annotated[str, Meta(min_length=1, max_length=1000)] | bool | float]
    ]


class EndRecord(_Record, frozen=True, tag="end"):
    """The last line, with the SHA-256 of all lines before it."""

    sha256: str


Record = (
    ProjectRecord
    | SystemRecord
    | GivenOriginRecord
    | AccountRecord
    | InstructionsRecord
    | SentenceRecord
    | MediaRecord
    | AssignmentRecord
    | SettlementRecord
    | ReservationRecord
    | BatchRecord
    | ReportScheduleRecord
    | SentenceJudgementRecord
    | MembersPayRecord
    | StartLinkRecord
    | QuestionnaireRecord
    | ResponseRecord
)
# In the order in which an archive has them.
RECORDS: Sequence[type[Record]] = (
    ProjectRecord,
    SystemRecord,
    GivenOriginRecord,
    AccountRecord,
    InstructionsRecord,
    SentenceRecord,
    MediaRecord,
    AssignmentRecord,
    SettlementRecord,
    ReservationRecord,
    BatchRecord,
    ReportScheduleRecord,
    SentenceJudgementRecord,
    MembersPayRecord,
    StartLinkRecord,
    QuestionnaireRecord,
    ResponseRecord,
)
