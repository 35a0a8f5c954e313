"""The preview: ten sentences of an upload as annotators will see them."""

import fcntl
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from logging import getLogger
from pathlib import Path
from random import Random

from django.conf import settings

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.problems import Collector
from annotation.judging.rank_fields import SegmentFields, judgement_fields
from annotation.judging.sheet import Card, SegmentSheet, Sheet
from annotation.models import Upload
from annotation.preparation.parsers import PhrasesParser
from annotation.preparation.phrase_chunker import Kind, phrase_tree
from annotation.preparation.projection import merge, project_visible
from annotation.preparation.segmenters import ParsedSegments
from annotation.preparation.tokens import detokenize, highlight
from annotation.preparation.trees import Node, from_bracketed
from annotation.projects.options import PrepareOptions
from annotation.uploads import folders, preview_sample, storage
from annotation.uploads.checks import read_segments
from annotation.uploads.create_project import options
from annotation.uploads.preview_sample import Sample, SampledSentence, choose_spread
from annotation.uploads.uploaded_texts import UploadedTexts

log = getLogger(__name__)

# Seconds after which a preview is terminated, and then killed.
PATIENCE, GRACE = 180, 5
# The order of the cards stays the same when the lengths change.
SEED = 1


class Failed(InputError):
    """The preview failed for another reason than the texts."""


@dataclass(frozen=True)
class ShownSentence:
    """A sentence of the preview, for the templates of the judging page."""

    number: int
    sheet: Sheet
    segments: list[SegmentFields]

    @property
    def prefix(self) -> str:
        """The prefix of the sentence's ids on the page."""
        return f"sentence-{self.number}-"


@dataclass(frozen=True)
class Preview:
    """`parser` made the trees ("" = none were needed).

    The `aligner` learned the links from `aligned` sentences (0 = they were uploaded).
    """

    sentences: list[ShownSentence]
    parser: str = ""
    aligner: str = ""
    aligned: int = 0

    @property
    def segments(self) -> int:
        return sum(len(sentence.segments) for sentence in self.sentences)

    @property
    def candidates(self) -> int:
        return sum(len(segment.cards) for one in self.sentences for segment in one.segments)


def preview(upload: Upload, shortest: int, longest: int, *, patience: float = PATIENCE) -> Preview:
    """Return the preview with segments of these lengths.

    The first call aligns a sample, which takes seconds, at most `patience`; further calls take a
    tenth of a second. Raises InputError if the texts cannot be parsed or aligned as chosen, and
    Failed.
    """
    given = storage.uploaded_texts(upload).readable()
    if given.is_ready_made:
        return _ready_made(given)
    chosen = options(upload, given)
    sample = _sample(upload, given, chosen, patience)
    if given.has_segments:
        cut = [sentence.segments for sentence in sample.sentences]
    else:
        trees = _Trees(sample, shortest, longest)
        cutter = ParsedSegments(trees, shortest, longest, chosen.coverage)
        tokens = (sentence.tokens for sentence in sample.sentences)
        cut = [segments for _tree, segments in cutter.cut(tokens)]
    shown = [
        _shown_sentence(given, sentence, segments)
        for sentence, segments in zip(sample.sentences, cut, strict=True)
    ]
    return Preview(shown, sample.parser, sample.aligner, sample.aligned)


class _Trees:
    """The trees of a sample as a parser; it parses only if trees depend on the lengths."""

    version = ""

    def __init__(self, sample: Sample, shortest: int, longest: int) -> None:
        self.name = sample.parser
        self._sample = sample
        self._lengths = shortest, longest

    def parse(self, sentences: Iterable[list[str]]) -> Iterator[Node]:
        if self.name != PhrasesParser.name:
            yield from (from_bracketed(one.tree)[0] for one in self._sample.sentences)
            return
        functions = {word: Kind(kind) for word, kind in self._sample.functions.items()}
        for tokens in sentences:
            yield phrase_tree(tokens, functions, *self._lengths)


def _sample(
    upload: Upload, given: UploadedTexts, chosen: PrepareOptions, patience: float
) -> Sample:
    """Return the sample; create it if missing. Simultaneous requests wait for one sample."""
    folder = folders.folder_of(upload)
    path = folder / f"sample-{storage.key_of(given, chosen.parser, chosen.aligner)}.json"
    with _locked(folder / "sample.lock"):
        if not path.exists():
            _make_sample(given, chosen, path, patience)
    answer = json.loads(path.read_text(encoding="utf-8"))
    if "problem" in answer:
        raise InputError.from_json(answer["problem"])
    return Sample.from_json(answer)


def _make_sample(given: UploadedTexts, chosen: PrepareOptions, path: Path, patience: float) -> None:
    models = settings.STANZA_MODELS
    request = path.with_suffix(".request")
    asked = {
        "given": preview_sample.given_to_json(given),
        "parser": chosen.parser,
        "aligner": chosen.aligner,
        "models": str(models) if models else None,
    }
    storage.write(request, asked)
    fresh = path.with_suffix(".new")
    command = [sys.executable, "-m", "annotation.uploads.preview_sample", str(request), str(fresh)]
    with subprocess.Popen(
        command, cwd=settings.BASE_DIR, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as process:
        try:
            _output, said = process.communicate(timeout=patience)
        except subprocess.TimeoutExpired as problem:
            _stop(process)
            raise InputError(
                _("The preview took too long: choose the parser phrases and the aligner systran.")
            ) from problem
    if process.returncode:
        log.error("The preview could not be made: %s", said.decode(errors="replace"))
        raise Failed(_("The preview failed; see the server's log."))
    fresh.replace(path)


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Terminate the process, which ends its aligner first, or kill it."""
    process.terminate()
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock, which the end of the process releases too."""
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _shown_sentence(
    given: UploadedTexts, sentence: SampledSentence, segments: list[tuple[int, ...]]
) -> ShownSentence:
    cut = []
    for indices in segments:
        projected = {
            name: project_visible(indices, ((source, target) for source, target in links), tokens)
            for name, (tokens, links) in sentence.systems.items()
        }
        cut.append((indices, merge(projected)))
    return _sheet(
        given,
        number=sentence.number,
        tokens=sentence.tokens,
        reference=sentence.reference,
        segments=[(indices, list(candidates)) for indices, candidates in cut if candidates],
    )


def _sheet(
    given: UploadedTexts,
    *,
    number: int,
    tokens: list[str],
    reference: list[str],
    segments: list[tuple[tuple[int, ...], list[str]]],
) -> ShownSentence:
    draw = Random(f"{SEED} {number}")  # noqa: S311  # not a secret
    sheet = Sheet(
        assignment_id=0,
        token="",
        source=detokenize(tokens, given.source_language),
        reference=detokenize(reference, given.target_language),
        before="",
        after="",
        segments=[
            SegmentSheet(
                segment_id=place,
                pieces=highlight(tokens, indices, given.source_language),
                cards=_cards(number, place, candidates, given.target_language, draw),
            )
            for place, (indices, candidates) in enumerate(segments, start=1)
        ],
    )
    return ShownSentence(number, sheet, judgement_fields(sheet, {}, complain=False))


def _cards(
    number: int, segment: int, candidates: list[str], language: str, draw: Random
) -> list[Card]:
    """Return the cards in a random order; candidates that look alike share one."""
    looks = list(dict.fromkeys(detokenize(text.split(" "), language) for text in candidates))
    draw.shuffle(looks)
    return [Card(f"{number}-{segment}-{place}", text) for place, text in enumerate(looks, start=1)]


def _ready_made(given: UploadedTexts) -> Preview:
    files = sorted(read_segments(given, Collector(given.names)).sentences.items())
    places = choose_spread([len(rows.tokens) for _number, rows in files], preview_sample.SHOWN)
    chosen = [files[place - 1] for place in places]
    return Preview(
        [
            _sheet(
                given,
                number=number,
                tokens=rows.tokens,
                reference=rows.reference.split(" ") if rows.reference.strip() else [],
                segments=[
                    (indices, list(segment.candidates))
                    for indices, segment in sorted(rows.segments.items())
                ],
            )
            for number, rows in chosen
        ]
    )
