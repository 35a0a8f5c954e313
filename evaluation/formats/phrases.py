"""Judgements of segments, as the thesis and this program write them, and the segments' files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from annotation.formats.errors import InputError
from annotation.formats.judgement_lines import (
    JudgementLine,
    Ranks,
    check_ranks,
    choose_by_candidates,
    read_judgement_lines,
)
from annotation.formats.segment_files import (
    Indices,
    SegmentFiles,
    SegmentRows,
    SentenceRows,
    read_segment_files,
)
from annotation.formats.thesis import ThesisEntry, read_thesis_json
from evaluation.formats.gathering import Gathered, Placed
from evaluation.stats.judgements import GARBAGE, MOST_CANDIDATES


@dataclass(frozen=True)
class Segments:
    """The segments that were judged, from the six-column file and the file of systems."""

    files: SegmentFiles
    path: Path
    systems: tuple[str, ...]

    @classmethod
    def read(cls, segments: Path, systems: Path | None) -> "Segments":
        """Read both files, the second of which may be missing. Raises InputError."""
        files = read_segment_files(segments, systems)
        names = {
            system: None
            for sentence in files.sentences.values()
            for segment in sentence.segments.values()
            for system in segment.systems
        }
        return cls(files, segments, tuple(names))

    def sentence(self, number: int, where: str) -> SentenceRows:
        sentence = self.files.sentences.get(number)
        if sentence is None:
            raise InputError(f"{where}: {self.path} has no sentence {number}.")
        return sentence


def read_lines(path: Path, segments: Segments) -> Iterator[Gathered]:
    """Yield the judgements of a file of JSON lines. Raises InputError, with file and line."""
    seen: dict[tuple[str, int, Indices, float], str] = {}
    for line in read_judgement_lines(path):
        placed = _placed(_segment_of_line(line, segments), line.ranks, line.where)
        created = line.created.timestamp()
        key = (line.annotator, line.sentence, line.indices, created)
        if key in seen:
            raise InputError(
                f"{line.where}: {seen[key]} is a judgement of the same segment by the same "
                "annotator at the same time: keep one of them."
            )
        seen[key] = line.where
        yield Gathered(
            segment=(line.sentence, line.indices),
            sentence=line.sentence,
            number=line.sentence,
            annotator=line.annotator,
            placed=placed,
            seconds=line.seconds,
            created=created,
        )


def read_thesis(path: Path, segments: Segments) -> Iterator[Gathered]:
    """Yield the judgements of the thesis' JSON, by nobody known. Raises InputError, with key."""
    for entry in read_thesis_json(path):
        found = _segments_of_entry(entry, segments)
        for ranks in entry.judgements:
            candidates = [segment.candidates for _indices, segment in found]
            instead = "use JSON lines (--format lines), which say the indices."
            chosen = choose_by_candidates(candidates, ranks, entry.where, instead)
            indices, segment = found[chosen]
            yield Gathered(
                segment=(entry.sentence, indices),
                sentence=entry.sentence,
                number=entry.sentence,
                annotator=None,
                placed=_placed(segment, ranks, entry.where),
            )


def _segment_of_line(line: JudgementLine, segments: Segments) -> SegmentRows:
    segment = segments.sentence(line.sentence, line.where).segments.get(line.indices)
    if segment is None or segment.words != line.segment:
        raise InputError(
            f"{line.where}: sentence {line.sentence} has no segment {line.segment!r} at the "
            f"indices {' '.join(map(str, line.indices))} in {segments.path}."
        )
    return segment


def _segments_of_entry(entry: ThesisEntry, segments: Segments) -> list[tuple[Indices, SegmentRows]]:
    of_sentence = segments.sentence(entry.sentence, entry.where).segments
    found = [(at, segment) for at, segment in of_sentence.items() if segment.words == entry.segment]
    if not found:
        raise InputError(
            f"{entry.where}: sentence {entry.sentence} has no segment {entry.segment!r} in "
            f"{segments.path}."
        )
    return found


def _placed(segment: SegmentRows, ranks: Ranks, where: str) -> list[Placed]:
    check_ranks(segment.words, segment.candidates, ranks, where)
    if len(ranks) > MOST_CANDIDATES:
        raise InputError(
            f"{where}: the segment {segment.words!r} has {len(ranks)} candidates; figures can be "
            f"computed for at most {MOST_CANDIDATES}."
        )
    makers = _makers(segment)
    return [
        Placed(candidate, makers.get(candidate, ()), GARBAGE if rank is None else rank)
        for candidate, rank in _in_order(segment, ranks)
    ]


def _in_order(segment: SegmentRows, ranks: Ranks) -> Iterator[tuple[str, int | None]]:
    """Yield the ranks in the order of the file of segments, whoever was judged first."""
    return ((candidate, ranks[candidate]) for candidate in segment.candidates)


def _makers(segment: SegmentRows) -> Mapping[str, list[str]]:
    makers: dict[str, list[str]] = {}
    for system, (candidate, _line) in segment.systems.items():
        makers.setdefault(candidate, []).append(system)
    return makers
