"""Hypothesis strategies for archives that SegRanks can write."""

from datetime import UTC, datetime
from typing import Any

from hypothesis import strategies as st
from msgspec.structs import replace

from annotation.formats.archive_records import (
    AccountRecord,
    AnswerPart,
    AssignmentRecord,
    ControlPart,
    DraftPart,
    InstructionsRecord,
    JudgementPart,
    MediaRecord,
    MembersPayRecord,
    ProjectRecord,
    Record,
    ReportScheduleRecord,
    ReservationRecord,
    SegmentPart,
    SentenceJudgementRecord,
    SentenceRecord,
    ShownPart,
    SkipPart,
    StartLinkRecord,
    SubmissionPart,
    SystemRecord,
    TranslationPart,
)
from annotation.formats.media_files import Play
from annotation.formats.names import plain_name
from tests.factories import places

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXTS = st.text(CHARACTERS, max_size=20)
NAMES = st.text(CHARACTERS, min_size=1, max_size=20).filter(plain_name)
FILE_NAMES = NAMES.map(plain_name)
SHA256 = st.text("0123456789abcdef", min_size=64, max_size=64)
SHARES = st.floats(0, 1, allow_subnormal=False)
SECONDS = st.floats(0, 1e9, allow_subnormal=False)
SMALL = st.integers(1, 32_767)
SCHEDULES = ["never", "hour", "day"]
ROLES: Any = st.sampled_from([None, "annotator", "administrator"])
STATES = ["submitted", "returned", "skipped", "open", "discarded"]
TIMES = st.datetimes(datetime(1900, 1, 1), datetime(2200, 1, 1), timezones=st.just(UTC))
PROVENANCE = st.dictionaries(TEXTS, TEXTS | st.integers() | st.lists(TEXTS)).map(
    lambda made: dict(sorted(made.items()))
)


def unique(values: st.SearchStrategy[Any], largest: int, smallest: int = 0) -> Any:
    return st.lists(values, min_size=smallest, max_size=largest, unique=True)


@st.composite
def projects(draw: st.DrawFn) -> ProjectRecord:
    return ProjectRecord(
        name="random",
        description=draw(TEXTS),
        source_language="en",
        target_language="cs",
        judges_per_sentence=draw(SMALL),
        queue_order=draw(st.sampled_from(["random", "document", "blocks"])),
        block_size=draw(SMALL),
        lease_minutes=draw(SMALL),
        shown_references=draw(st.sampled_from(["none", "first", "all"])),
        show_neighbours=draw(st.booleans()),
        intra_rate=draw(SHARES),
        inter_rate=draw(SHARES),
        control_rate=draw(SHARES),
        practice_required=draw(st.booleans()),
        practice_share=draw(st.none() | st.integers(1, 100)),
        practice_tries=draw(SMALL),
        min_length=draw(st.integers(1, 3)),
        max_length=draw(st.integers(3, 9)),
        state=draw(st.sampled_from(["open", "closed", "failed"])),
        created=draw(TIMES),
        provenance=draw(PROVENANCE),
        highlights=draw(st.booleans()),
        overlap_share=draw(SHARES),
        disputed_from=draw(st.none() | st.integers(1, 1000)),
        third_judge=draw(st.booleans()),
    )


@st.composite
def segments(draw: st.DrawFn, indices: list[int], systems: list[str]) -> SegmentPart:
    candidates = draw(unique(TEXTS.filter(bool), 4))
    positions = st.sampled_from([None, *range(len(candidates))])
    makers = draw(unique(st.sampled_from(systems), 3)) if systems else []
    projections = [(maker, draw(positions)) for maker in makers]
    excluded = [place for place in range(len(candidates)) if draw(st.booleans())]
    return SegmentPart(
        indices,
        draw(st.integers(1, 3)),
        candidates,
        [],
        projections,
        None,
        None,
        excluded=draw(st.booleans()),
        excluded_candidates=excluded,
    )


@st.composite
def sentences(draw: st.DrawFn, number: int, systems: list[str]) -> SentenceRecord:
    text = draw(TEXTS.filter(bool))
    last = len(text.split(" ")) - 1
    cuts = draw(unique(st.frozensets(st.integers(0, last), min_size=1), 3))
    translators = draw(
        unique(st.sampled_from([(None, 1), (None, 3), *((name, None) for name in systems)]), 3)
    )
    return SentenceRecord(
        purpose="judge",
        number=number,
        copy_of=None,
        retired=False,
        candidate_version=draw(st.integers(3, 32_767)),
        text=text,
        tokens=places(text),
        tree=draw(TEXTS),
        translations=[
            TranslationPart(
                system, reference, text, places(text), draw(st.sampled_from(["", "0-0"]))
            )
            for (system, reference), text in [(one, draw(TEXTS)) for one in translators]
        ],
        segments=[draw(segments(sorted(cut), systems)) for cut in cuts],
        document=draw(st.sampled_from(["", "news", "talk"])),
        excluded=draw(st.booleans()),
        further_judges=draw(st.integers(0, 2)),
    )


@st.composite
def copies(
    draw: st.DrawFn, number: int, purpose: str, originals: list[SentenceRecord]
) -> SentenceRecord:
    original = draw(st.sampled_from(originals))
    cut = [replace(segment, projections=[]) for segment in original.segments]
    if purpose == "practice":
        changed = [draw(answered(segment)) for segment in cut]
    else:
        # One at least has a control.
        first = next(place for place, segment in enumerate(cut) if segment.candidates)
        changed = [draw(controlled(s, needed=n == first)) for n, s in enumerate(cut)]
    return replace(
        original,
        purpose=purpose,
        number=number,
        copy_of=original.number,
        retired=draw(st.booleans()),
        # No system takes part in a copy.
        translations=[made for made in original.translations if made.system is None],
        segments=changed,
        document="",
        excluded=False,
        further_judges=0,
    )


@st.composite
def answered(draw: st.DrawFn, segment: SegmentPart) -> SegmentPart:
    candidates = len(segment.candidates)
    if not candidates:
        return segment
    ranks = draw(ranks_of(candidates, "garbage"))
    return replace(segment, answer=AnswerPart(draw(TEXTS), ranks))


@st.composite
def controlled(draw: st.DrawFn, segment: SegmentPart, *, needed: bool) -> SegmentPart:
    if not segment.candidates or not (needed or draw(st.booleans())):
        return segment
    added = len(segment.candidates)
    kind: Any
    original = draw(st.integers(0, added - 1))
    degraded = draw(st.none() | TEXTS.filter(bool))
    if degraded is None or degraded in segment.candidates:
        text, duplicates, kind = segment.candidates[original], [added], "duplicate"
    else:
        text, duplicates, kind = degraded, [], "degraded"
    return replace(
        segment,
        candidates=[*segment.candidates, text],
        duplicates=duplicates,
        control=ControlPart(kind, original, added),
    )


def ranks_of(candidates: int, *others: str | None) -> Any:
    places = st.sampled_from([*others, *range(1, candidates + 1)])
    return st.lists(places, min_size=candidates, max_size=candidates)


@st.composite
def judgements(draw: st.DrawFn, position: int, candidates: int, kind: str) -> JudgementPart:
    # Those for practice and control place all.
    others = ["garbage"] if kind in ("practice", "control") else ["garbage", None]
    return JudgementPart(
        segment=position,
        created=draw(TIMES),
        seconds=draw(st.none() | SECONDS),
        ranks_offered=candidates,
        ranks=draw(ranks_of(candidates, *others).filter(any)),
    )


@st.composite
def assignments(
    draw: st.DrawFn,
    sentence: SentenceRecord,
    annotator: str,
    kind: Any,
    state: Any,
    versions: list[int],
) -> AssignmentRecord:
    judged = [
        (position, len(segment.candidates))
        for position, segment in enumerate(sentence.segments)
        if segment.candidates
    ]
    positions = [
        (position, draw(st.permutations(range(1, candidates + 1))))
        for position, candidates in judged
    ]
    shown = [ShownPart(place, list(order)) for place, order in positions]
    submitted = state in ("submitted", "discarded")
    with_sentence = state == "discarded" and draw(st.booleans())
    return AssignmentRecord(
        sentence=sentence.number,
        annotator=annotator,
        kind=kind,
        state=state,
        slot=draw(SMALL) if kind == "first" else None,
        candidate_version=draw(SMALL),
        created=draw(TIMES),
        shown=draw(st.none() | TIMES),
        submitted=draw(TIMES) if submitted else None,
        lease_until=draw(TIMES) if state == "open" else None,
        instructions=draw(st.sampled_from([None, *versions])),
        skip=draw(SKIPS) if state == "skipped" else None,
        draft=None if submitted else draw(st.none() | drafts(shown)),
        shown_candidates=shown,
        submissions=draw(submissions(judged, kind)) if submitted else [],
        decision=draw(st.none() | SMALL) if kind in ("first", "intra", "inter") else None,
        discarded_with_sentence=with_sentence,
        discarded_with_annotator=state == "discarded"
        and (not with_sentence or draw(st.booleans())),
        aids=draw(PROVENANCE),
    )


SKIPS = st.builds(
    SkipPart,
    reason=st.sampled_from(["unclear", "wrong-segment", "offensive", "technical", "other"]),
    comment=TEXTS,
    created=TIMES,
)


@st.composite
def drafts(draw: st.DrawFn, shown: list[ShownPart]) -> DraftPart:
    cards = sorted(
        f"{number}-{position}"
        for number, of_segment in enumerate(shown, start=1)
        for position in of_segment.positions
    )
    places = st.just("garbage") | st.integers(1, 10_000)
    placed = st.dictionaries(st.sampled_from(cards), places) if cards else st.just({})
    choices: Any = draw(placed.map(lambda chosen: dict(sorted(chosen.items()))))
    return DraftPart(draw(st.integers(1, 2**31 - 1)), choices, draw(SECONDS), draw(TIMES))


@st.composite
def submissions(draw: st.DrawFn, judged: list[tuple[int, int]], kind: str) -> list[SubmissionPart]:
    count = draw(st.integers(1, 3))
    return [
        SubmissionPart(
            number=number,
            current=number == count,
            created=draw(TIMES),
            active_seconds=draw(st.none() | SECONDS),
            judgements=[draw(judgements(*which, kind)) for which in draw(st.permutations(judged))],
            media=draw(plays()),
        )
        for number in range(1, count + 1)
    ]


def plays() -> Any:
    play = st.builds(
        Play, name=FILE_NAMES, sha256=SHA256, seconds=SECONDS, plays=st.integers(1, 2**31 - 1)
    )
    return st.lists(play, max_size=2, unique_by=lambda play: play.sha256)


def media(lines: list[int]) -> Any:
    medium = st.builds(
        MediaRecord,
        line=st.sampled_from(lines),
        name=FILE_NAMES,
        media_type=st.sampled_from(["image/png", "audio/wav", "video/webm"]),
        size=st.integers(1, 2**63 - 1),
        sha256=SHA256,
    )
    return st.lists(medium, max_size=3, unique_by=lambda one: (one.line, one.name))


@st.composite
def members(draw: st.DrawFn, name: str) -> AccountRecord:
    role = draw(ROLES)
    most = draw(st.none() | st.integers(1, 2**31 - 1)) if role else None
    paused = role is not None and draw(st.booleans())
    return AccountRecord(name, draw(st.booleans()), role, most, paused)


@st.composite
def sentence_judgements(
    draw: st.DrawFn, numbers: list[int], systems: list[str]
) -> SentenceJudgementRecord:
    ranks = [(system, draw(st.integers(1, 5))) for system in systems if draw(st.booleans())]
    return SentenceJudgementRecord(draw(st.sampled_from(numbers)), draw(NAMES), ranks)


AMOUNTS = st.none() | st.decimals(0, 999_999, places=2).map(str)
PAY: dict[str, Any] = {
    "pay_per_hour": AMOUNTS,
    "pay_cap": AMOUNTS,
    "currency": st.sampled_from(["EUR", "CZK"]),
}


def start_links(platform: str) -> st.SearchStrategy[StartLinkRecord]:
    return st.builds(
        StartLinkRecord,
        platform=st.just(platform),
        id_parameter=st.just("workerId"),
        visit_parameter=st.sampled_from(["", "SESSION_ID"]),
        sentences=st.none() | st.integers(1, 1_000_000),
        most_participants=st.integers(1, 1_000_000),
        minutes=st.none() | SMALL,
        contact=TEXTS,
        **PAY,
    )


@st.composite
def archives(draw: st.DrawFn) -> list[Record]:
    systems = draw(unique(NAMES, 3))
    accounts = draw(unique(NAMES, 3))
    numbers = sorted(draw(unique(st.integers(1, 2**31 - 1), 3)))
    texts = [draw(sentences(number, systems)) for number in numbers]
    comparable = [text for text in texts if any(cut.candidates for cut in text.segments)]
    known = {
        purpose: [
            draw(copies(number, purpose, originals))
            for number in range(1, draw(st.integers(0, 2)) + 1)
            if originals
        ]
        for purpose, originals in (("practice", texts), ("control", comparable))
    }
    versions = sorted(draw(unique(st.integers(1, 2**31 - 1), 3)))
    given: list[AssignmentRecord] = []
    for annotator in accounts if texts else []:
        sentence = draw(st.sampled_from(texts))
        for state in draw(unique(st.sampled_from(STATES), 4)):
            kind = draw(st.sampled_from(["intra", "inter"]))
            if not any(other.sentence == sentence.number for other in given):
                kind = "first"
            given.append(draw(assignments(sentence, annotator, kind, state, versions)))
        for kind, of_kind in known.items():
            for copy in of_kind[: draw(st.integers(0, 2))]:
                state = draw(st.sampled_from(["submitted", "returned", "skipped"]))
                given.append(draw(assignments(copy, annotator, kind, state, versions)))
    # In the order in which they are exported.
    reserved = [
        ReservationRecord(number, annotator, created, draw(st.sampled_from([None, *accounts])))
        for number in numbers
        for annotator, created in zip(
            draw(unique(st.sampled_from(accounts), 3)) if accounts else [],
            sorted(draw(TIMES) for _account in range(3)),
            strict=False,
        )
    ]
    of_whole_sentences = sentence_judgements(numbers, systems)
    return [
        draw(projects()),
        *(SystemRecord(name) for name in systems),
        *(draw(members(name)) for name in accounts),
        *(
            InstructionsRecord(
                version, draw(TEXTS), draw(TIMES), draw(st.sampled_from([None, *accounts]))
            )
            for version in versions
        ),
        *texts,
        *known["practice"],
        *known["control"],
        *(draw(media(numbers)) if numbers else []),
        *given,
        *(reserved if texts else []),
        *(ReportScheduleRecord(every) for every in draw(unique(st.sampled_from(SCHEDULES), 1))),
        *(draw(st.lists(of_whole_sentences, max_size=4)) if numbers else []),
        *draw(st.lists(st.builds(MembersPayRecord, **PAY), max_size=1)),
        *(draw(start_links(platform)) for platform in draw(unique(NAMES, 2))),
    ]
