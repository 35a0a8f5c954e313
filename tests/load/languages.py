"""Print how well texts of each language pair are prepared, through `create_project`.

    python -m tests.load.languages DATA [--pair NAME …] [--parser NAME …] [--read N] [OPTION …]

DATA is like ../shared/data. Each pair becomes a project with one reference and four systems, and
its rows are read from the database; `en-cs` has 1000 lines, with `--whole` all lines and systems.
NAME-reversed has the reference as its source, and the source as reference and
only system; the outputs of the four systems are then its parallel text, so that the aligner sees as
many pairs as in the other direction. `--more NAME` gives the texts of another pair as the parallel
text. Other options, such as `--effort=best`, are those of `create_project`.

`--read N` prints N random segments of each project, marked in their sentences, with all candidates.
`--keep FOLDER` keeps the database there; projects that it has already are only read.

Of projections that are not empty: *gaps* are those of several stretches, *different* the unique
candidates, *marks* those without a letter or a digit, *characters* the median length. *Empty* is of
all projections. *Without* is the share of sentences without segments, of all and of those with
eight tokens or more; *segments* are segments a sentence, of the same; *covered* is the share of
tokens in a segment; *token* has characters a token, of sources and of outputs. *Anchors* are words
that stand once in the sentence and once in the translation, in the aligner's spelling: with a
digit, or of three characters or more. Recall is the share of anchors in a segment that are in its
candidate, precision the share of anchors in a candidate that are in its segment, F1 their harmonic
mean; in brackets how many are in segments. *Scattered* and *prepared by* are from the provenance.

The figures that must not get worse for English to Czech are those of `tests.load.parsing` (F1 of
segments) and of `tests.load.alignment` (projections). Not a test: it takes minutes.
"""

import argparse
import os
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from io import StringIO
from itertools import product
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, Final

from annotation.formats.plain_text import read_lines
from annotation.formats.tokens import GAP, TokenizedText
from annotation.preparation.tokens import keys

if TYPE_CHECKING:
    from annotation.models import Project

SYSTEMS: Final = 4
LONG_SENTENCE, SHORTEST_ANCHOR = 8, 3
REVERSED: Final = "-reversed"
FOLDERS: Final = {
    "en-zh": "wmt21/en-zh",
    "en-ja": "wmt21/en-ja",
    "ja-en": "wmt21/ja-en",
    "cs-en": "wmt21/cs-en",
    "en-cs": "wmt14-en-cs",
    "en-de": "wmt23-en-de",
}
LINES: Final = {"en-cs": 1000}
# Elsewhere the first four by name. Of the 210 sets of four of these ten systems, one has 54 %
# different candidates (all of one team), one 87 %; this has 76 %, as the mean of all.
CHOSEN: Final = {"en-cs": ("CU-TectoMT", "cu-bojar", "onlineA", "onlineB")}
HEADS: Final = (
    *("pair", "gaps %", "different %", "empty %", "marks %", "without %, of 8+"),
    *("segments, of 8+", "covered %", "token", "characters", "anchors R, P, F1 (n)", "scattered %"),
    *("seconds", "prepared by"),
)


@dataclass(frozen=True)
class Texts:
    """The lines of a project; `parallel` is a further text and its translation."""

    languages: str
    source: list[str]
    reference: list[str]
    systems: dict[str, list[str]]
    parallel: tuple[list[str], list[str]] = ([], [])

    @property
    def translated(self) -> tuple[list[str], list[str]]:
        """The source beside each of its translations."""
        translations = [self.reference, *self.systems.values()]
        return self.source * len(translations), [line for each in translations for line in each]

    def in_reverse(self) -> "Texts":
        outputs = [line for lines in self.systems.values() for line in lines]
        return Texts(
            "-".join(reversed(self.languages.split("-"))),
            self.reference,
            self.source,
            {"source": self.source},
            (outputs, self.source * len(self.systems)),
        )


def read_texts(data: Path, name: str, *, whole: bool) -> Texts:
    """Return the texts of a pair, from its folder below `data`."""
    languages = name.removesuffix(REVERSED)
    folder = data / FOLDERS[languages]
    count = None if whole else LINES.get(languages)
    paths = sorted((folder / "systems").glob("*.txt"))
    if not whole:
        chosen = CHOSEN.get(languages) or [path.stem for path in paths[:SYSTEMS]]
        paths = [path for path in paths if path.stem in chosen]
    texts = Texts(
        languages,
        list(read_lines(folder / "source.txt"))[:count],
        list(read_lines(min(folder.glob("reference*.txt"))))[:count],
        {path.stem: list(read_lines(path))[:count] for path in paths},
    )
    return texts.in_reverse() if name.endswith(REVERSED) else texts


def with_more(texts: Texts, more: Texts) -> Texts:
    """Return the texts with those of another pair, in either direction, as the parallel text."""
    source, target = more.translated
    is_reverse = more.languages.split("-")[0] == texts.languages.split("-")[1]
    return replace(texts, parallel=(target, source) if is_reverse else (source, target))


def create(name: str, texts: Texts, options: Sequence[str]) -> None:
    """Create and prepare the project. Raises CommandError."""
    from django.core.management import call_command

    with tempfile.TemporaryDirectory() as folder:
        numbers = iter(range(1_000_000))

        def written(lines: Iterable[str]) -> str:
            path = Path(folder) / f"{next(numbers)}.txt"
            path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            return str(path)

        parallel = [written(lines) for lines in texts.parallel] if texts.parallel[0] else []
        call_command(
            "create_project",
            name,
            f"--languages={texts.languages}",
            f"--source={written(texts.source)}",
            f"--reference={written(texts.reference)}",
            *(f"--system={system}={written(lines)}" for system, lines in texts.systems.items()),
            *(["--parallel", *parallel] if parallel else []),
            *options,
            stdout=StringIO(),
        )


@dataclass(frozen=True)
class Cut:
    """A segment, and the candidate of each system: "" where nothing is linked."""

    sentence: int
    positions: list[int]
    candidates: dict[str, str]


@dataclass(frozen=True)
class Prepared:
    """The rows of a project; sentences are known by their numbers, translations also by systems."""

    sentences: dict[int, TokenizedText]
    translations: dict[tuple[int, str], TokenizedText]
    segments: list[Cut]


def read_project(project: "Project") -> Prepared:
    from annotation.models import Projection, Segment, Sentence, Translation

    judged = Sentence.objects.filter(project=project, purpose=Sentence.Purpose.JUDGE)
    sentences = {sentence.number: sentence.tokenized for sentence in judged.order_by("number")}
    translations = Translation.objects.filter(sentence__in=judged, system__isnull=False)
    segments = Segment.objects.filter(sentence__in=judged).select_related("sentence")
    cuts = {
        segment.pk: Cut(segment.sentence.number, segment.indices, {})
        for segment in segments.order_by("sentence__number", "token_indices")
    }
    projections = Projection.objects.filter(segment__sentence__in=judged).order_by("system__name")
    for key, system, text in projections.values_list(
        "segment_id", "system__name", "candidate__text"
    ):
        cuts[key].candidates[system] = text or ""
    return Prepared(
        sentences,
        {
            (each.sentence.number, each.system.name if each.system else ""): each.tokenized
            for each in translations.select_related("sentence", "system")
        },
        list(cuts.values()),
    )


def anchors(source: TokenizedText, target: TokenizedText) -> dict[int, int]:
    """Return the positions in the target of the anchors, by their positions in the source."""
    here, there = (_single(tuple(keys(text.words))) for text in (source, target))
    return {position: there[word] for word, position in here.items() if word in there}


@cache
def _single(words: tuple[str, ...]) -> dict[str, int]:
    """Return the positions of the words that stand once, and can be anchors."""
    counts = Counter(words)
    return {
        word: position
        for position, word in enumerate(words)
        if counts[word] == 1
        and has_letters(word)
        and (len(word) >= SHORTEST_ANCHOR or any(map(str.isdigit, word)))
    }


def has_letters(text: str) -> bool:
    """Return whether the text has a letter or a digit."""
    return any(map(str.isalnum, text))


def positions_of(candidate: str, target: TokenizedText) -> set[int]:
    """Return the positions of the target's tokens that the candidate has.

    Only texts are stored of candidates. Of a stretch that the target has twice, the first place
    after the stretch before is taken.
    """
    begins = {start: position for position, (start, _end) in enumerate(target.spans)}
    ends = {end: position for position, (_start, end) in enumerate(target.spans)}
    found: set[int] = set()
    after = 0
    for stretch in candidate.split(GAP):
        start = target.text.find(stretch, after)
        while start >= 0 and not (start in begins and start + len(stretch) in ends):
            start = target.text.find(stretch, start + 1)
        if start >= 0:
            after = start + len(stretch)
            found.update(range(begins[start], ends[after] + 1))
    return found


@dataclass
class Figures:
    """Counts of a project."""

    counts: Counter[str] = field(default_factory=Counter)
    lengths: list[int] = field(default_factory=list)

    def add_sentences(self, prepared: Prepared) -> None:
        cut = Counter(segment.sentence for segment in prepared.segments)
        for number, tokens in prepared.sentences.items():
            for group in ("all", "long") if len(tokens) >= LONG_SENTENCE else ("all",):
                self.counts[f"sentences, {group}"] += 1
                self.counts[f"without, {group}"] += not cut[number]
                self.counts[f"segments, {group}"] += cut[number]
            self.counts["tokens"] += len(tokens)
            self.counts["characters"] += sum(map(len, tokens.words))
        for tokens in prepared.translations.values():
            self.counts["tokens of outputs"] += len(tokens)
            self.counts["characters of outputs"] += sum(map(len, tokens.words))
        covered = {(each.sentence, at) for each in prepared.segments for at in each.positions}
        self.counts["covered"] += len(covered)

    def add_segment(self, segment: Cut, prepared: Prepared) -> None:
        self.counts["projections"] += len(segment.candidates)
        found = {system: text for system, text in segment.candidates.items() if text}
        self.counts["candidates"] += len(found)
        self.counts["different"] += len(set(found.values()))
        for system, text in found.items():
            self.counts["gaps"] += GAP in text
            self.counts["marks"] += not has_letters(text)
            self.lengths.append(len(text))
            target = prepared.translations[segment.sentence, system]
            self._add_anchors(segment, positions_of(text, target), prepared, target)

    def _add_anchors(
        self, segment: Cut, inside: set[int], prepared: Prepared, target: TokenizedText
    ) -> None:
        self.counts["unknown places"] += not inside
        known = anchors(prepared.sentences[segment.sentence], target)
        for position, place in known.items():
            is_here, is_there = position in segment.positions, place in inside
            self.counts["anchors of segments"] += is_here
            self.counts["anchors of candidates"] += is_there
            self.counts["anchors"] += is_here and is_there

    def share(self, part: str, whole: str) -> str:
        value = self._ratio(part, whole)
        return "–" if value is None else f"{100 * value:.{2 if value < 0.01 else 1}f}"

    def mean(self, part: str, whole: str) -> str:
        value = self._ratio(part, whole)
        return "–" if value is None else f"{value:.2f}"

    def _ratio(self, part: str, whole: str) -> float | None:
        return self.counts[part] / self.counts[whole] if self.counts[whole] else None

    @property
    def anchored(self) -> str:
        shared = self.counts["anchors"]
        if not shared:
            return "–"
        recall = shared / self.counts["anchors of segments"]
        precision = shared / self.counts["anchors of candidates"]
        score = 2 * recall * precision / (recall + precision)
        parts = (f"{100 * value:.1f}" for value in (recall, precision, score))
        return f"{', '.join(parts)} ({self.counts['anchors of segments']})"


def measure(prepared: Prepared) -> Figures:
    figures = Figures()
    figures.add_sentences(prepared)
    for segment in prepared.segments:
        figures.add_segment(segment, prepared)
    return figures


def row(name: str, project: "Project", figures: Figures, systems: int) -> list[str]:
    job = project.job
    seconds = (job.finished - job.started).total_seconds() if job.finished and job.started else 0
    scattered = project.provenance.get("projection", {}).get("scattered")
    unplaced = figures.counts["unknown places"]
    return [
        name,
        figures.share("gaps", "candidates"),
        figures.share("different", "candidates") if systems > 1 else "–",
        figures.share("empty", "projections"),
        figures.share("marks", "candidates"),
        f"{figures.share('without, all', 'sentences, all')}, "
        f"{figures.share('without, long', 'sentences, long')}",
        f"{figures.mean('segments, all', 'sentences, all')}, "
        f"{figures.mean('segments, long', 'sentences, long')}",
        figures.share("covered", "tokens"),
        f"{figures.mean('characters', 'tokens')}, "
        f"{figures.mean('characters of outputs', 'tokens of outputs')}",
        f"{median(figures.lengths or [0]):g}",
        figures.anchored,
        f"{100 * scattered:.1f}" if isinstance(scattered, float) else "–",
        f"{seconds:.0f}",
        f"{programs(project)}{f'; {unplaced} candidates not found in texts' if unplaced else ''}",
    ]


def programs(project: "Project") -> str:
    """Return what the provenance says of tokens, segments, aligner and projection."""
    made: Mapping[str, Any] = project.provenance
    parts = (made.get(part) for part in ("tokens", "parser", "coverage", "aligner", "projection"))
    return "; ".join(
        " ".join(str(value) for value in part.values()) if isinstance(part, dict) else str(part)
        for part in parts
        if part
    )


def reading(prepared: Prepared, count: int, seed: int) -> Iterator[str]:
    """Yield random segments in their sentences, each with its candidates and their systems."""
    chosen = Random(seed).sample(prepared.segments, min(count, len(prepared.segments)))
    for number, segment in enumerate(chosen, start=1):
        tokens = prepared.sentences[segment.sentence]
        yield f"{number}. {tokens.slice(segment.positions)}"
        pieces = tokens.highlight(segment.positions)
        marked = "".join(f"«{text}»" if is_inside else text for text, is_inside in pieces)
        yield f"   {segment.sentence}: {marked}"
        systems = defaultdict(list)
        for system, candidate in segment.candidates.items():
            systems[candidate].append(system)
        yield from (f"     {text or '(empty)'}  ← {', '.join(of)}" for text, of in systems.items())


def prepare(name: str, texts: Callable[[], Texts], options: Sequence[str]) -> "Project":
    """Return the project of this name, created if the database lacks it. Raises CommandError."""
    from annotation.models import Project

    if not Project.objects.filter(name=name).exists():
        create(name, texts(), options)
    return Project.objects.select_related("job").get(name=name)


def main() -> None:
    names = [*FOLDERS, *(f"{name}{REVERSED}" for name in FOLDERS)]
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0], allow_abbrev=False)
    parser.add_argument("data", type=Path, metavar="DATA")
    parser.add_argument("--pair", nargs="+", choices=names, default=list(FOLDERS), metavar="NAME")
    parser.add_argument("--parser", nargs="+", default=["auto"], metavar="NAME")
    parser.add_argument("--more", choices=names, metavar="NAME")
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--read", type=int, default=0, metavar="N")
    parser.add_argument("--sample", type=int, default=1, metavar="SEED", help="of --read")
    parser.add_argument("--keep", type=Path, metavar="FOLDER")
    options, others = parser.parse_known_args()
    with tempfile.TemporaryDirectory() as temporary:
        data = str((options.keep or Path(temporary)).resolve())
        os.environ |= {"SEGRANKS_DATA": data, "DJANGO_SETTINGS_MODULE": "segranks.settings"}
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        report(options, others)


def report(options: argparse.Namespace, others: Sequence[str]) -> None:
    from django.core.management import CommandError

    def texts(pair: str) -> Texts:
        found = read_texts(options.data, pair, whole=options.whole)
        if not options.more:
            return found
        return with_more(found, read_texts(options.data, options.more, whole=True))

    print(f"load of the machine before: {os.getloadavg()[0]:.1f}\n")
    print(f"| {' | '.join(HEADS)} |\n|{'---|' * len(HEADS)}")
    read: list[tuple[str, Prepared]] = []
    for pair, parser in product(options.pair, options.parser):
        of_more = ["--more", options.more] if options.more else []
        whole = ["--whole"] if options.whole else []
        name = " ".join([pair, parser, *whole, *of_more, *others])
        try:
            project = prepare(name, lambda: texts(pair), [f"--parser={parser}", *others])  # noqa: B023
        except CommandError as problem:
            print(f"| {name} | {problem} |", flush=True)
            continue
        prepared = read_project(project)
        systems = project.systems.count()
        print(f"| {' | '.join(row(name, project, measure(prepared), systems))} |", flush=True)
        read.append((name, prepared))
    for name, prepared in read if options.read else []:
        print(f"\n{name}")
        print("\n".join(reading(prepared, options.read, options.sample)))


if __name__ == "__main__":
    main()
