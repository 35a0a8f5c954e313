"""Judgements as JSON lines, one judgement of one segment a line, and the check of their ranks."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeVar

from msgspec import Meta, Struct
from msgspec.json import Decoder, Encoder

from annotation.formats import strict_json
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.errors import Template as _
from annotation.formats.media_files import Play
from annotation.formats.names import plain_name
from annotation.formats.plain_text import read_lines_or_none
from annotation.formats.tab_separated import check_ascending

GARBAGE: Final = "garbage"
LONGEST_ANNOTATOR_NAME = 150

# The ranks of candidates by their texts; None is garbage.
Ranks = dict[str, int | None]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class JudgementLine:
    """One line; `where` names the file and `line`, `seconds` is None if not recorded.

    There are `ranks`, or `scores` where annotators give scores; `details` are what they added, by
    the texts of candidates, in the notation of the kind, None where the file cannot have any.
    `places` are where the answers are, by the texts of candidates, if they are in several lines.
    `aids` are what the page had to help the annotator, `media` what was played before the
    submission that the judgement belongs to. Only formats of other programs have the following: a
    `comment`; `together`, which judgements of one annotator and sheet share that were submitted
    together, those at about the same time where it is ""; and `some`, which says that the annotator
    was shown only the candidates that have an answer.
    """

    where: str
    line: int
    sentence: int
    segment: str
    indices: tuple[int, ...]
    annotator: str
    created: datetime
    seconds: float | None
    ranks: Ranks | None
    scores: dict[str, int] | None = None
    details: dict[str, str] | None = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    aids: dict[str, Any] = field(default_factory=dict)
    together: str = ""
    some: bool = False
    media: Sequence[Play] = ()
    comment: str = ""


class _Line(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The same as it is written."""

    sentence: Annotated[int, Meta(ge=1, le=strict_json.LARGEST)]
    segment: str
    # None of a document as a whole.
    indices: list[Annotated[int, Meta(ge=0, le=strict_json.LARGEST)]]
    annotator: Annotated[str, Meta(min_length=1, max_length=LONGEST_ANNOTATOR_NAME, pattern=r"\S")]
    created: str
    seconds: Annotated[float, Meta(ge=0)] | None
    ranks: dict[str, int | Literal["garbage"]] | None = None
    scores: dict[str, int] | None = None
    details: dict[str, str] = {}
    aids: dict[str, Any] = {}
    media: list[Play] = []


_decoder = Decoder(_Line)
_encoder = Encoder()


def written_line(line: JudgementLine) -> str:
    """Return the judgement as `read_judgement_lines` reads it, with the end of the line."""
    ranks = line.ranks
    written = _Line(
        sentence=line.sentence,
        segment=line.segment,
        indices=list(line.indices),
        annotator=line.annotator,
        created=line.created.astimezone(UTC).isoformat(timespec="microseconds"),
        seconds=line.seconds,
        ranks=None
        if ranks is None
        else {text: GARBAGE if rank is None else rank for text, rank in ranks.items()},
        scores=line.scores,
        details=line.details or {},
        aids=line.aids,
        media=list(line.media),
    )
    return _encoder.encode(written).decode() + "\n"


EMPTY: Final = _("the file is empty: give a file with a judgement on each line.")


def read_judgement_lines(path: Path, on_error: OnError = raise_error) -> Iterator[JudgementLine]:
    """Yield the judgements of a file, one at a time, with times in UTC.

    Does not check whether a rank or a score exists, which depends on the segment and the kind.
    Calls `on_error`, with the line, for anything but the keys of JudgementLine with values of their
    types, and leaves out the line.
    """
    for number, text in enumerate(read_lines_or_none(path, on_error, EMPTY), start=1):
        if text is None:
            continue
        try:
            yield _parse(text, number, f"{path}, line {number}")
        except InputError as problem:
            on_error(with_place(problem, f"{path}, line {number}"))


def with_place(problem: InputError, where: str) -> InputError:
    """Return the same error with its place apart, by which errors are put in order."""
    return problem if problem.where else InputError(str(problem).removeprefix(f"{where}: "), where)


def _parse(text: str, number: int, where: str) -> JudgementLine:
    if not text.strip():
        raise InputError(f"{where}: the line is empty: each line needs a judgement.")
    line = strict_json.decode(text.encode(), _decoder, where)
    check_ascending(line.indices, where)
    if (line.ranks is None) == (line.scores is None):
        raise InputError(f"{where}: give `ranks`, or `scores` where annotators give scores.")
    ranks = line.ranks
    return JudgementLine(
        where=where,
        line=number,
        sentence=line.sentence,
        segment=line.segment,
        indices=tuple(line.indices),
        annotator=annotator_name(line.annotator),
        created=_parse_time(line.created, where),
        seconds=line.seconds,
        ranks=None
        if ranks is None
        else {text: None if rank == GARBAGE else rank for text, rank in ranks.items()},
        scores=line.scores,
        details=line.details,
        aids=line.aids,
        media=line.media,
    )


def annotator_name(name: str) -> str:
    """Return the name as it is stored and compared. Raise InputError if it is empty or too long."""
    plain = plain_name(name)
    if not plain:
        raise InputError("the annotator has no name: give each annotator a name.")
    if len(plain) > LONGEST_ANNOTATOR_NAME:
        raise InputError(
            f"the name of the annotator has {len(plain)} characters: {LONGEST_ANNOTATOR_NAME} are "
            "allowed."
        )
    return plain


def _parse_time(text: str, where: str) -> datetime:
    # msgspec reads RFC 3339 only; what PostgreSQL writes, as 2014-05-20 07:15:58+00, is none.
    try:
        time = datetime.fromisoformat(text)
        if time.tzinfo is None:
            raise InputError(
                f"{where}: 'created' has no time zone: write it as 2014-05-20 07:15:58.43+00:00."
            )
        return time.astimezone(UTC)
    except InputError:
        raise
    except (ValueError, OverflowError):
        raise InputError(
            f"{where}: 'created' is not a time such as 2014-05-20 07:15:58.43+00:00."
        ) from None


def by_candidate(
    words: str, candidates: Collection[str], answers: Mapping[str, Answer], where: str
) -> dict[str, Answer]:
    """Return the answers by the texts of the segment's candidates.

    A text that is no candidate is the one that has the same `plain_name`; without one, it stays as
    it is. Raises InputError if several candidates have it, or if two texts are one candidate.
    """
    if all(text in candidates for text in answers):
        return dict(answers)
    by_plain: dict[str, list[str]] = {}
    for candidate in candidates:
        by_plain.setdefault(plain_name(candidate), []).append(candidate)
    found: dict[str, Answer] = {}
    for text, answer in answers.items():
        same = [text] if text in candidates else by_plain.get(plain_name(text), [text])
        if len(same) > 1:
            raise InputError(
                f"the segment {words!r} has {len(same)} candidates that differ from {text!r} only "
                "in how they are spelt: spell it exactly as an export of the segments does.",
                where,
            )
        if same[0] in found:
            raise InputError(
                f"two of the texts for the segment {words!r} are the candidate {same[0]!r}, which "
                "is spelt in two ways: leave out one of them.",
                where,
            )
        found[same[0]] = answer
    return found


def check_ranks(words: str, candidates: Collection[str], ranks: Ranks, where: str) -> None:
    """Raise InputError unless the ranks are of exactly the segment's candidates, and in 1..N."""
    for candidate, rank in ranks.items():
        if candidate not in candidates:
            raise InputError(f"{where}: the segment {words!r} has no candidate {candidate!r}.")
        if rank is not None and not 1 <= rank <= len(candidates):
            raise InputError(
                f"{where}: the rank {rank} of the candidate {candidate!r} is not from 1 to "
                f"{len(candidates)}, as many as the segment has candidates."
            )
    missing = [candidate for candidate in candidates if candidate not in ranks]
    if missing:
        raise InputError(
            f"{where}: the candidate {missing[0]!r} of the segment {words!r} has no rank"
            + (f", nor have {len(missing) - 1} more." if missing[1:] else ".")
        )


def choose_by_candidates(
    candidates: Sequence[Collection[str]], ranks: Ranks, where: str, remedy: str
) -> int:
    """Return which of several segments with the same words has the ranked candidates.

    They are compared as they are and, if none fits, by their `plain_name`. Raises InputError if
    none has exactly these, or more than one; the message ends with `remedy`.
    """
    if len(candidates) == 1:
        return 0
    fitting = [place for place, known in enumerate(candidates) if set(known) == set(ranks)]
    if not fitting:
        plain = set(map(plain_name, ranks))
        fitting = [
            place for place, known in enumerate(candidates) if set(map(plain_name, known)) == plain
        ]
    if len(fitting) != 1:
        raise InputError(
            f"{where}: {len(candidates)} segments of the sentence have these words, and "
            f"{len(fitting) or 'none'} of them have exactly the ranked candidates, so it is not "
            f"clear which was judged: {remedy}"
        )
    return fitting[0]
