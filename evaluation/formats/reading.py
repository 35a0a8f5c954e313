"""One way to read judgements from files, whatever their format."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from annotation.formats.errors import InputError
from evaluation.formats.gathering import Gathered, Gathering, Placed
from evaluation.formats.phrases import Segments, read_lines, read_thesis
from evaluation.formats.wmt import NOT_JUDGED, Ranking, read_five_way, read_pairwise
from evaluation.stats.judgements import Judgements, natural_key

OF_PHRASES: Final[Mapping[str, Callable[[Path, Segments], Iterator[Gathered]]]] = {
    "thesis": read_thesis,
    "lines": read_lines,
}
OF_WMT: Final[Mapping[str, Callable[[Path], Iterator[Ranking]]]] = {
    "wmt-five": read_five_way,
    "wmt-pairs": read_pairwise,
}
FORMATS: Final = (*OF_PHRASES, *OF_WMT)


@dataclass(frozen=True)
class Choice:
    """What to read: files of judgements and what goes with them; see `read_judgements`."""

    format: str
    files: Sequence[Path]
    segments: Path | None = None
    systems: Path | None = None
    pair: str | None = None
    without: Sequence[str] = ()


def read_judgements(choice: Choice) -> Judgements:
    """Read judgements from files, without a project.

    The formats "thesis" and "lines" need the file of segments, and that of systems to rank any;
    the formats of WMT need a language pair ("Czech-English") where the files have several. Systems
    in `without` are left out with all texts that only they made. Raises InputError, with file and
    line, for whatever cannot be used.
    """
    if choice.format in OF_WMT:
        _refuse(choice.segments or choice.systems, "--segments and --systems", choice.format)
        rankings = list(read_rankings(choice))
        names = {name for ranking in rankings for one in ranking.ranked for name in one.systems}
        systems = sorted(names, key=natural_key)
        judged: Iterable[Gathered] = map(_sentence_judgement, rankings)
    else:
        _refuse(choice.pair, "--pair", choice.format)
        segments = _segments(choice)
        systems = list(segments.systems)
        read = OF_PHRASES[choice.format]
        judged = (judgement for path in choice.files for judgement in read(path, segments))
    return _gather(judged, systems, choice.without)


def _refuse(given: object, option: str, file_format: str) -> None:
    if given:
        raise InputError(f"Files of the format {file_format} go without {option}: leave it out.")


def _segments(choice: Choice) -> Segments:
    if choice.segments is None:
        raise InputError(
            f"The format {choice.format} needs the file of segments, for their candidates: give "
            "--segments FILE, and --systems FILE, which says who made the candidates."
        )
    return Segments.read(choice.segments, choice.systems)


def read_rankings(choice: Choice) -> Iterator[Ranking]:
    """Yield the rankings of the one language pair that WMT's files have, or that was chosen.

    Raises InputError, with file and line, for whatever cannot be used.
    """
    by_pair: dict[str, list[Ranking]] = {}
    for path in choice.files:
        for ranking in OF_WMT[choice.format](path):
            by_pair.setdefault(ranking.pair, []).append(ranking)
    if not by_pair:
        raise InputError(f"{choice.files[0]} has a heading and no rankings: nothing was judged.")
    there = ", ".join(sorted(by_pair))
    if choice.pair is not None and choice.pair not in by_pair:
        raise InputError(f"There is no language pair {choice.pair!r} here; there is {there}.")
    if choice.pair is None and len(by_pair) > 1:
        raise InputError(
            f"There are {len(by_pair)} language pairs here: choose one by --pair: {there}."
        )
    for pair, rankings in by_pair.items():
        if choice.pair in (None, pair):
            yield from rankings


def _sentence_judgement(ranking: Ranking) -> Gathered:
    """A ranking of whole sentences: its "segment" is the sentence, a candidate a text of it."""
    sentence = (ranking.document, ranking.sentence)
    return Gathered(
        segment=sentence,
        sentence=sentence,
        number=ranking.sentence,
        annotator=ranking.judge,
        placed=[
            Placed(one.systems, one.systems, one.rank, position)
            for position, one in enumerate(ranking.ranked, start=1)
            if one.rank != NOT_JUDGED
        ],
    )


def _gather(
    judged: Iterable[Gathered], systems: Sequence[str], without: Sequence[str]
) -> Judgements:
    for name in without:
        if name not in systems:
            known = ", ".join(sorted(systems, key=natural_key)) or "none"
            raise InputError(f"There is no system {name!r} to leave out; known here: {known}.")
    gathering = Gathering([name for name in systems if name not in without])
    for judgement in judged:
        left = [one for placed in judgement.placed if (one := _left(placed, without))]
        if left:
            gathering.add(replace(judgement, placed=left))
    return gathering.judgements()


def _left(placed: Placed, without: Sequence[str]) -> Placed | None:
    """Return what is left of the candidate: nothing, if only those left out made it."""
    if not any(name in without for name in placed.systems):
        return placed
    systems = tuple(name for name in placed.systems if name not in without)
    # A text of a whole sentence is known by its systems, a candidate of a segment by its words.
    candidate = systems if isinstance(placed.candidate, tuple) else placed.candidate
    return placed._replace(candidate=candidate, systems=systems) if systems else None
