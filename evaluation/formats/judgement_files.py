"""Judgements from files, without a project: JSON lines, the thesis' JSON, and WMT's rankings."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from annotation.formats.errors import InputError, OnError
from annotation.formats.judgement_lines import (
    JudgementLine,
    Ranks,
    by_candidate,
    check_ranks,
    choose_by_candidates,
    read_judgement_lines,
)
from annotation.formats.names import find_text
from annotation.formats.problems import ErrorList, raise_problems
from annotation.formats.segment_files import (
    Indices,
    SegmentFiles,
    SegmentRows,
    SentenceRows,
    read_segment_files,
)
from annotation.formats.several_files import once, without_held
from annotation.formats.thesis import ThesisEntry, read_thesis_json
from annotation.formats.wmt import (
    NOT_JUDGED,
    Ranking,
    rankings_once,
    read_five_way,
    read_pairwise,
)
from annotation.formats.wmt_forms import read_sentence_rankings
from evaluation.formats.language_pairs import find_pair
from evaluation.stats.judgements import (
    GARBAGE,
    MOST_CANDIDATES,
    UNIDENTIFIED,
    Judgements,
    assemble,
    later,
    natural_key,
)

# --- arrays ----------------------------------------------------------------------------------


class PlacedCandidate(NamedTuple):
    """A candidate's rank (1..N or GARBAGE), systems, and place on the page (0 = unknown)."""

    candidate: Hashable
    systems: Sequence[str]
    rank: int
    position: int = 0


@dataclass(frozen=True, slots=True)
class FileJudgement:
    """One judgement; `sentence` is any key that is unique to a sentence of the files.

    `where` names file and line or key. `words` are the source tokens of the segment, "" if the
    files do not have them, and `length` is their number.
    """

    where: str

    segment: Hashable
    sentence: Hashable
    number: int
    annotator: str | None
    placed: Sequence[PlacedCandidate]
    seconds: float | None = None
    created: float | None = None
    words: str = ""
    length: int = 0


class Codes(dict[Hashable, int]):
    """Numbers keys from 0 in the order in which they are first looked up."""

    def __missing__(self, key: Hashable) -> int:
        self[key] = len(self)
        return self[key]


class JudgementBuilder:
    """Builds arrays from judgements that are added one at a time."""

    def __init__(self, systems: Sequence[str] = ()) -> None:
        self._systems: dict[str, int] = {name: code for code, name in enumerate(systems)}
        self._annotators: dict[str, int] = {}
        self._segments, self._sentences, self._candidates = Codes(), Codes(), Codes()
        self._rankings = Codes()
        self._words: list[str] = []
        self._lengths: list[int] = []
        self._sentences_of_segments: list[int] = []
        self._numbers: list[int] = []
        self._candidate_segments: list[int] = []
        self._produced: list[tuple[int, int]] = []
        self._judged: list[tuple[int, int, int, float, float, int]] = []
        self._placed: list[tuple[int, int, int, int]] = []

    def add(self, judgement: FileJudgement) -> None:
        """Add one judgement; its systems must be known, and its candidates unique."""
        segment = self._segments[judgement.segment]
        sentence = self._sentences[judgement.sentence]
        if sentence == len(self._numbers):
            self._numbers.append(judgement.number)
        if segment == len(self._words):
            self._words.append(judgement.words)
            self._lengths.append(judgement.length)
            self._sentences_of_segments.append(sentence)
        row = len(self._judged)
        codes = [self._candidate(segment, placed) for placed in judgement.placed]
        self._placed += [
            (row, code, placed.rank, placed.position)
            for code, placed in zip(codes, judgement.placed, strict=True)
        ]
        self._judged.append(
            (
                segment,
                sentence,
                self._annotator(judgement.annotator),
                _or_nan(judgement.seconds),
                _or_nan(judgement.created),
                # WMT ranks other systems of a sentence again: that is no repeat.
                self._rankings[frozenset(codes)],
            )
        )

    @property
    def candidates(self) -> int:
        """The number of different candidates of all segments."""
        return len(self._candidate_segments)

    def judgements(self) -> Judgements:
        """Return the judgements in the order of addition. Raises InputError, as `assemble`.

        Sentences are in the order of their numbers, as those of a project, so that resamples of
        them are the same. Repeats rank the same candidates as an earlier judgement.
        """
        judged = np.array(self._judged, dtype=np.float64).reshape(-1, 6)
        order, segment_order = self._orders()
        places, segment_places = np.argsort(order), np.argsort(segment_order)
        placed = np.array(self._placed, dtype=np.int64).reshape(-1, 4)
        produced = np.array(self._produced, dtype=np.int64).reshape(-1, 2)
        return assemble(
            segments=segment_places[judged[:, 0].astype(np.intp)],
            sentences=places[judged[:, 1].astype(np.intp)],
            annotators=judged[:, 2],
            seconds=judged[:, 3],
            created=judged[:, 4],
            repeats=later(judged[:, 5].astype(np.int32), judged[:, 4]),
            placed_by=placed[:, 0],
            placed_candidates=placed[:, 1],
            placed_ranks=placed[:, 2],
            shown_by=placed[:, 0],
            shown_candidates=placed[:, 1],
            shown_positions=placed[:, 3],
            candidate_segments=segment_places[self._candidate_segments],
            producing_systems=produced[:, 0],
            produced_candidates=produced[:, 1],
            segment_ids=np.arange(len(self._segments)),
            sentence_numbers=[self._numbers[code] for code in order],
            annotator_names=list(self._annotators),
            system_names=list(self._systems),
        )

    def words(self) -> dict[int, str]:
        """Return the source tokens of the segments by their ids, as far as they are known."""
        _, order = self._orders()
        return {place: self._words[code] for place, code in enumerate(order) if self._words[code]}

    def lengths(self) -> dict[int, int]:
        """Return the number of source tokens of the segments by their ids, as far as known."""
        _, order = self._orders()
        return {
            place: self._lengths[code] for place, code in enumerate(order) if self._lengths[code]
        }

    def _orders(self) -> tuple[list[int], list[int]]:
        """Return the codes of sentences by number, and of segments by sentence and key."""
        keys = list(zip(self._numbers, map(str, self._sentences), strict=True))
        order = sorted(range(len(keys)), key=keys.__getitem__)
        places = np.argsort(order).tolist()
        segments: list[Any] = [
            (places[sentence], key)
            for sentence, key in zip(self._sentences_of_segments, self._segments, strict=True)
        ]
        return order, sorted(range(len(segments)), key=segments.__getitem__)

    def _candidate(self, segment: int, placed: PlacedCandidate) -> int:
        code = self._candidates[segment, placed.candidate]
        if code == len(self._candidate_segments):
            self._candidate_segments.append(segment)
            self._produced += [(self._systems[name], code) for name in placed.systems]
        return code

    def _annotator(self, name: str | None) -> int:
        if name is None:
            return UNIDENTIFIED
        return self._annotators.setdefault(name, len(self._annotators))


def _or_nan(number: float | None) -> float:
    return np.nan if number is None else number


# --- judgements of segments ---


@dataclass(frozen=True)
class Segments:
    """The judged segments, from the six-column file and the file of systems."""

    files: SegmentFiles
    path: Path
    systems: tuple[str, ...]

    @classmethod
    def read(cls, segments: Path, systems: Path | None) -> "Segments":
        """Read one or both files. Raises InputError."""
        files = read_segment_files(segments, systems)
        names = {
            system: None
            for sentence in files.sentences.values()
            for segment in sentence.segments.values()
            for system in segment.systems
        }
        return cls(files, segments, tuple(names))

    def counts(self, without: Sequence[str]) -> tuple[int, int, int]:
        """Return how many sentences, segments and candidates there are without these systems."""
        sentences = segments = candidates = 0
        for sentence in self.files.sentences.values():
            of_sentence = [
                len(segment.candidates.keys() - _only_of(segment, without))
                for segment in sentence.segments.values()
            ]
            sentences += any(of_sentence)
            segments += sum(map(bool, of_sentence))
            candidates += sum(of_sentence)
        return sentences, segments, candidates

    def sentence(self, number: int, where: str) -> SentenceRows:
        sentence = self.files.sentences.get(number)
        if sentence is None:
            raise InputError(f"{where}: {self.path} has no sentence {number}.")
        return sentence


def read_lines(path: Path, segments: Segments, on_error: OnError) -> Iterator[FileJudgement]:
    """Yield the judgements of a file of JSON lines.

    Calls `on_error`, with file and line, for each line that cannot be used, and leaves it out.
    """
    for line in read_judgement_lines(path, on_error):
        try:
            if line.ranks is None:
                raise InputError(
                    f"{line.where}: these are scores; only ranks can be read without their project."
                )
            segment = _segment_of_line(line, segments)
            placed = _placed(segment, line.ranks, line.where)
        except InputError as problem:
            on_error(problem)
            continue
        yield FileJudgement(
            where=line.where,
            segment=(line.sentence, line.indices),
            sentence=line.sentence,
            number=line.sentence,
            annotator=line.annotator,
            placed=placed,
            seconds=line.seconds,
            created=line.created.timestamp(),
            words=segment.words,
            length=len(line.indices),
        )


def read_thesis(path: Path, segments: Segments, on_error: OnError) -> Iterator[FileJudgement]:
    """Yield the judgements of the thesis' JSON, by unknown annotators.

    Calls `on_error` for each entry and judgement that cannot be used, and leaves it out. Raises
    InputError for a file that is not such JSON.
    """
    for entry in read_thesis_json(path, on_error):
        try:
            found = _segments_of_entry(entry, segments)
        except InputError as problem:
            on_error(problem)
            continue
        for ranks in entry.judgements:
            try:
                yield _thesis_judgement(entry, found, ranks)
            except InputError as problem:
                on_error(problem)


def _thesis_judgement(
    entry: ThesisEntry, found: list[tuple[Indices, SegmentRows]], ranks: Ranks
) -> FileJudgement:
    candidates = [segment.candidates for _indices, segment in found]
    instead = "use JSON lines (--format lines), which have the indices."
    indices, segment = found[choose_by_candidates(candidates, ranks, entry.where, instead)]
    return FileJudgement(
        where=entry.where,
        segment=(entry.sentence, indices),
        sentence=entry.sentence,
        number=entry.sentence,
        annotator=None,
        placed=_placed(segment, ranks, entry.where),
        words=segment.words,
        length=len(indices),
    )


def _segment_of_line(line: JudgementLine, segments: Segments) -> SegmentRows:
    segment = segments.sentence(line.sentence, line.where).segments.get(line.indices)
    if segment is None or find_text(line.segment, [segment.words]) is None:
        raise InputError(
            f"{line.where}: sentence {line.sentence} has no segment {line.segment!r} at the "
            f"indices {' '.join(map(str, line.indices))} in {segments.path}."
        )
    return segment


def _segments_of_entry(entry: ThesisEntry, segments: Segments) -> list[tuple[Indices, SegmentRows]]:
    of_sentence = segments.sentence(entry.sentence, entry.where).segments
    words = find_text(entry.segment, {segment.words for segment in of_sentence.values()})
    found = [(at, segment) for at, segment in of_sentence.items() if segment.words == words]
    if not found:
        raise InputError(
            f"{entry.where}: sentence {entry.sentence} has no segment {entry.segment!r} in "
            f"{segments.path}."
        )
    return found


def _placed(segment: SegmentRows, ranks: Ranks, where: str) -> list[PlacedCandidate]:
    ranks = by_candidate(segment.words, segment.candidates, ranks, where)
    check_ranks(segment.words, segment.candidates, ranks, where)
    if len(ranks) > MOST_CANDIDATES:
        raise InputError(
            f"{where}: the segment {segment.words!r} has {len(ranks)} candidates; figures can be "
            f"computed for at most {MOST_CANDIDATES}."
        )
    makers = _makers(segment)
    return [
        PlacedCandidate(candidate, makers.get(candidate, ()), GARBAGE if rank is None else rank)
        for candidate, rank in _in_order(segment, ranks)
    ]


def _in_order(segment: SegmentRows, ranks: Ranks) -> Iterator[tuple[str, int | None]]:
    """Yield the ranks in the order of the file of segments."""
    return ((candidate, ranks[candidate]) for candidate in segment.candidates)


def _only_of(segment: SegmentRows, without: Sequence[str]) -> set[str]:
    """Return the candidates that only these systems produced."""
    makers = _makers(segment).items()
    return {text for text, systems in makers if all(name in without for name in systems)}


def _makers(segment: SegmentRows) -> Mapping[str, list[str]]:
    makers: dict[str, list[str]] = {}
    for system, (candidate, _line) in segment.systems.items():
        makers.setdefault(candidate, []).append(system)
    return makers


# --- all formats ---

SegmentReader = Callable[[Path, Segments, OnError], Iterator[FileJudgement]]
SEGMENT_FORMATS: Final[Mapping[str, SegmentReader]] = {
    "thesis": read_thesis,
    "lines": read_lines,
}
WMT_FORMATS: Final[Mapping[str, Callable[[Path, OnError], Iterator[Ranking]]]] = {
    "wmt-five": read_five_way,
    "wmt-pairs": read_pairwise,
    "wmt-forms": read_sentence_rankings,
}
JUDGEMENT_FORMATS: Final = (*SEGMENT_FORMATS, *WMT_FORMATS)


@dataclass(frozen=True)
class Choice:
    """Files of judgements, and the options of `read_judgements`."""

    format: str
    files: Sequence[Path]
    segments: Path | None = None
    systems: Path | None = None
    pair: str | None = None
    without: Sequence[str] = ()


@dataclass(frozen=True)
class JudgementFiles:
    """The judgements of files, and what there was to judge.

    `pair` is the language pair, "" in formats that do not name it. `words` are the source tokens of
    judged segments by their ids, as far as the files have them, and `lengths` their numbers.
    `sentences`, `segments` and `candidates` are those of the file of segments, or, in WMT's
    formats, those judged. `repeated` judgements are given more than once, and count once.
    """

    judgements: Judgements
    pair: str
    words: Mapping[int, str]
    lengths: Mapping[int, int]
    sentences: int
    segments: int
    candidates: int
    repeated: int


def read_judgements(choice: Choice) -> JudgementFiles:
    """Read judgements from files, without a project.

    The formats "thesis" and "lines" need the file of segments, and for rankings that of systems;
    WMT's formats need a language pair ("Czech-English") if the files have several. What is given
    more than once counts once: a judgement of one annotator, segment and time, a ranking with one
    id, and all other judgements of a file if another file has them, too. Systems in `without` are
    left out with all texts that only they produced. Raises InputError, with file and line.
    """
    for path in choice.files:
        if path.is_file() and not path.stat().st_size:
            raise InputError(f"{path} is empty: give a file of judgements.")
    if choice.format in WMT_FORMATS:
        _refuse_option(choice.segments or choice.systems, "--segments and --systems", choice.format)
        by_file = read_rankings(choice)
        rankings = rankings_once(by_file)
        names = {name for ranking in rankings for one in ranking.ranked for name in one.systems}
        systems = sorted(names, key=natural_key)
        built = _build(map(_sentence_judgement, rankings), systems, choice.without)
        judgements = built.judgements()
        judged = len(judgements.sentence_numbers), len(judgements.segment_ids), built.candidates
        repeated = sum(map(len, by_file)) - len(rankings)
        return JudgementFiles(judgements, rankings[0].pair, {}, {}, *judged, repeated)
    _refuse_option(choice.pair, "--pair", choice.format)
    segments = _segments(choice)
    read = SEGMENT_FORMATS[choice.format]
    errors = ErrorList()
    read_files = [list(read(path, segments, errors.add)) for path in choice.files]
    if choice.format == "lines":
        kept = once(
            chain.from_iterable(read_files),
            _answer,
            lambda one, first: _compare(one, first, errors.add),
        )
    else:
        kept = list(chain.from_iterable(without_held(read_files, _ranks_of_segment)))
    errors.raise_all()
    built = _build(kept, segments.systems, choice.without)
    counts = segments.counts(choice.without)
    repeated = sum(map(len, read_files)) - len(kept)
    return JudgementFiles(built.judgements(), "", built.words(), built.lengths(), *counts, repeated)


def _ranks_of_segment(judgement: FileJudgement) -> tuple[Hashable, frozenset[Hashable]]:
    placed = frozenset((one.candidate, one.rank) for one in judgement.placed)
    return judgement.segment, placed


def _answer(judgement: FileJudgement) -> Hashable:
    assert judgement.created is not None
    # To the millisecond, as judgements are identified where they are imported.
    return judgement.annotator, judgement.segment, f"{judgement.created:.3f}"


def _compare(judgement: FileJudgement, first: FileJudgement, on_error: OnError) -> None:
    """Report a judgement that has other ranks where it is given first."""
    if _ranks_of_segment(judgement) != _ranks_of_segment(first):
        on_error(
            InputError(
                f"{first.where} has this judgement of {judgement.annotator!r} with other ranks: "
                "correct one of them, or leave it out.",
                judgement.where,
            )
        )


def _refuse_option(given: object, option: str, file_format: str) -> None:
    if given:
        raise InputError(f"{option} cannot be used with --format {file_format}: leave it out.")


def _segments(choice: Choice) -> Segments:
    if choice.segments is None:
        raise InputError(
            f"The format {choice.format} needs the file of segments, for their candidates: give "
            "--segments FILE, and --systems FILE with the systems of the candidates."
        )
    return Segments.read(choice.segments, choice.systems)


def read_rankings(choice: Choice) -> list[list[Ranking]]:
    """Return by file the rankings of the chosen language pair, or of the only one in WMT's files.

    Raises InputError for all problems in the files, with their lines.
    """
    problems: list[InputError] = []
    read = WMT_FORMATS[choice.format]
    files = [list(read(path, problems.append)) for path in choice.files]
    raise_problems(problems)
    pairs = sorted({ranking.pair for of_file in files for ranking in of_file})
    if not pairs:
        raise InputError(f"{choice.files[0]} has a heading and no rankings.")
    there = ", ".join(pairs)
    chosen = pairs[0] if choice.pair is None else find_pair(choice.pair, pairs)
    if chosen is None:
        raise InputError(f"There is no language pair {choice.pair!r} here; there is {there}.")
    if choice.pair is None and len(pairs) > 1:
        raise InputError(
            f"There are {len(pairs)} language pairs here: choose one by --pair: {there}."
        )
    return [[one for one in of_file if one.pair == chosen] for of_file in files]


def _sentence_judgement(ranking: Ranking) -> FileJudgement:
    """Return a ranking of a sentence, as a segment whose candidates are the translations."""
    sentence = (ranking.document, ranking.sentence)
    return FileJudgement(
        where=ranking.where,
        segment=sentence,
        sentence=sentence,
        number=ranking.sentence,
        annotator=ranking.judge,
        placed=[
            PlacedCandidate(one.systems, one.systems, one.rank, position)
            for position, one in enumerate(ranking.ranked, start=1)
            if one.rank != NOT_JUDGED
        ],
    )


def _build(
    judged: Iterable[FileJudgement], systems: Sequence[str], without: Sequence[str]
) -> JudgementBuilder:
    for name in without:
        if name not in systems:
            known = ", ".join(sorted(systems, key=natural_key)) or "none"
            raise InputError(f"There is no system {name!r} to leave out; known here: {known}.")
    builder = JudgementBuilder([name for name in systems if name not in without])
    for judgement in judged:
        left = [one for placed in judgement.placed if (one := _without(placed, without))]
        if left:
            builder.add(replace(judgement, placed=left))
    if not builder.candidates:
        raise InputError("There are no judgements in the files, or none of the systems kept.")
    return builder


def _without(placed: PlacedCandidate, without: Sequence[str]) -> PlacedCandidate | None:
    """Return the candidate without these systems, or None if it has no others."""
    if not any(name in without for name in placed.systems):
        return placed
    systems = tuple(name for name in placed.systems if name not in without)
    # Translations of sentences are identified by their systems, candidates by their words.
    candidate = systems if isinstance(placed.candidate, tuple) else placed.candidate
    return placed._replace(candidate=candidate, systems=systems) if systems else None
