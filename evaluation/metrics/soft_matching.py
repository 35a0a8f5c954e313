"""Precision, recall and F of words matched by the similarity of their vectors.

Each word counts its largest cosine with a word of the other text: precision is the mean over the
words of the output, recall that over the words of the reference, weighted by how rare a word is
among the references (idf). Of several references, the one of the highest score counts.
Sources: Mathur (2021), section 5; Zhang et al. (2020), BERTScore: Evaluating Text Generation with
BERT, for idf = ln((1 + sentences) / (1 + sentences with the word)).
"""

import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from evaluation.metrics.metric import OURS, MeanMetric
from evaluation.metrics.references import Lines, References
from evaluation.metrics.tokens import Tokenizer
from evaluation.stats.resampling import Floats

Vectors = NDArray[np.float32]
Kind = Literal["precision", "recall", "f"]

DIMENSIONS: Final = 256
SHORTEST, LONGEST = 3, 5
MODEL_FILE: Final = "model.onnx"
TOKENIZER_FILE: Final = "tokenizer.json"
# Longer texts are cut off: few models know more positions.
MOST_TOKENS: Final = 512
LINES_AT_ONCE: Final = 32
DIGEST_LENGTH: Final = 16
# Vectors of references that are kept for the next system.
MOST_BYTES_KEPT: Final = 1 << 29
WHAT_MODELS_TAKE: Final = frozenset({"input_ids", "attention_mask", "token_type_ids"})


class Encoded(NamedTuple):
    """The words of a text, and their vectors of length 1: words × dimensions."""

    words: Sequence[str | int]
    vectors: Vectors


class Vectorizer(Protocol):
    """What turns texts into vectors of their words."""

    @property
    def signature(self) -> str: ...

    def encode(self, lines: Lines) -> Iterator[tuple[int, Encoded]]:
        """Yield the place of each line and its words, in any order."""


@dataclass(frozen=True)
class HashedNgrams:
    """Vectors of words without a model: counts of hashed n-grams of 3 to 5 characters.

    Words with similar spellings are similar, such as forms of one word. It is the embedding metric
    to test with, and below chrF in agreement with people.
    """

    tokenizer: Tokenizer
    known: dict[str, Vectors] = field(default_factory=dict, repr=False, compare=False)

    @property
    def signature(self) -> str:
        return f"{self.tokenizer.signature}|vectors:hashed-{SHORTEST}-{LONGEST}-grams-{DIMENSIONS}"

    def encode(self, lines: Lines) -> Iterator[tuple[int, Encoded]]:
        for place, words in enumerate(self.tokenizer.words(lines)):
            vectors = [self._vector(word) for word in words]
            yield place, Encoded(words, np.array(vectors, dtype=np.float32).reshape(-1, DIMENSIONS))

    def _vector(self, word: str) -> Vectors:
        if word not in self.known:
            # The ends of a word are part of its n-grams.
            text = f"<{word}>"
            vector = np.zeros(DIMENSIONS, dtype=np.float32)
            for size in range(SHORTEST, LONGEST + 1):
                for start in range(len(text) - size + 1):
                    gram = text[start : start + size].encode("utf-8", "surrogatepass")
                    vector[zlib.crc32(gram) % DIMENSIONS] += 1
            self.known[word] = vector / np.linalg.norm(vector)
        return self.known[word]


@dataclass(frozen=True, eq=False)
class ModelVectors:
    """Vectors of a transformer's last layer, from a folder; `digest` identifies the model."""

    session: Any
    tokenizer: Any
    digest: str
    folder: Path

    @property
    def signature(self) -> str:
        return f"case:mixed|vectors:onnx[{self.digest}]"

    def encode(self, lines: Lines) -> Iterator[tuple[int, Encoded]]:
        """Yield the words of each line, short lines first. Raises InputError if the model fails."""
        encodings = self._run(self.tokenizer.encode_batch, list(lines))
        # Lines of one length have no padding, which takes as long as words.
        order = iter(sorted(range(len(lines)), key=lambda place: len(encodings[place].ids)))
        while places := list(islice(order, LINES_AT_ONCE)):
            batch = [encodings[place] for place in places]
            yield from zip(places, self._encode_batch(batch), strict=True)

    def _encode_batch(self, encodings: Sequence[Any]) -> Iterator[Encoded]:
        shape = (len(encodings), max(1, *(len(encoding.ids) for encoding in encodings)))
        inputs = {name: np.zeros(shape, np.int64) for name in WHAT_MODELS_TAKE}
        for row, encoding in enumerate(encodings):
            length = len(encoding.ids)
            inputs["input_ids"][row, :length] = encoding.ids
            inputs["attention_mask"][row, :length] = 1
            inputs["token_type_ids"][row, :length] = encoding.type_ids
        taken = {each.name: inputs[each.name] for each in self.session.get_inputs()}
        (last_layer, *_others) = self._run(self.session.run, None, taken)
        if last_layer.shape[:2] != shape or not np.isfinite(last_layer).all():
            raise InputError(
                _(
                    "the model's first output is not a vector of numbers for each token: export "
                    "it again."
                ),
                str(self.folder),
            )
        for encoding, vectors in zip(encodings, last_layer, strict=True):
            # Marks such as [CLS] are no words.
            rows = [row for row, mark in enumerate(encoding.special_tokens_mask) if not mark]
            of_words = vectors[rows].astype(np.float32)
            lengths = np.linalg.norm(of_words, axis=1, keepdims=True)
            yield Encoded(
                [encoding.ids[row] for row in rows], of_words / np.where(lengths, lengths, 1)
            )

    def _run(self, function: Callable[..., Any], *arguments: object) -> Any:
        # The packages raise errors of their own, with no class in common.
        try:
            return function(*arguments)
        except Exception as problem:
            raise InputError(
                _(
                    "the model fails on a text (%(problem)s): check that its tokenizer.json "
                    "belongs to it, and export it again."
                ),
                str(self.folder),
                problem=_one_line(problem),
            ) from problem


def _one_line(problem: Exception) -> str:
    """Return the first line of a message, without the full stop."""
    (first, *_rest) = str(problem).strip().splitlines() or [type(problem).__name__]
    return first.rstrip(".")


def load_model(folder: Path) -> ModelVectors:
    """Load `model.onnx` and `tokenizer.json` of a folder; nothing is looked up elsewhere.

    The model's first output must be batch × tokens × dimensions. Raises InputError if a file or a
    package is missing or the model has other inputs or outputs.
    """
    try:
        runtime = import_module("onnxruntime")
        tokenizers = import_module("tokenizers")
    except ModuleNotFoundError as problem:
        raise InputError(
            _("A model needs the package %(package)s: install onnxruntime and tokenizers."),
            package=str(problem.name),
        ) from None
    for name in (MODEL_FILE, TOKENIZER_FILE):
        if not (folder / name).is_file():
            raise InputError(
                _("the folder has no file %(name)s: export the model as ONNX into it."),
                str(folder),
                name=name,
            )
    # These packages raise errors of their own, with no class in common.
    try:
        tokenizer = tokenizers.Tokenizer.from_file(str(folder / TOKENIZER_FILE))
        session = runtime.InferenceSession(
            str(folder / MODEL_FILE), providers=["CPUExecutionProvider"]
        )
    except Exception as problem:
        raise InputError(
            _("the model cannot be loaded (%(problem)s): export it again."),
            str(folder),
            problem=_one_line(problem),
        ) from problem
    names = {each.name for each in session.get_inputs()}
    # The shape is None where the file does not say it.
    if not names <= WHAT_MODELS_TAKE or len(session.get_outputs()[0].shape or ()) != 3:
        raise InputError(
            _(
                "the model must take input_ids, attention_mask and token_type_ids only, and its "
                "first output must be a vector for each token: export it without a pooling layer."
            ),
            str(folder),
        )
    tokenizer.no_padding()
    tokenizer.enable_truncation(MOST_TOKENS)
    return ModelVectors(session, tokenizer, _digest(folder), folder)


def _digest(folder: Path) -> str:
    """Return what identifies a model: its graph, its weights, and its tokeniser.

    Weights of large models are in files beside the graph, which has the names of these files.
    """
    graph = (folder / MODEL_FILE).read_bytes()
    named = sorted(
        name
        for path in folder.rglob("*")
        if path.is_file()
        and (name := path.relative_to(folder).as_posix()) not in (MODEL_FILE, TOKENIZER_FILE)
        and name.encode() in graph
    )
    digest = sha256()
    for name in (MODEL_FILE, *named, TOKENIZER_FILE):
        with (folder / name).open("rb") as file:
            digest.update(file_digest(file, "sha256").digest())
    return digest.hexdigest()[:DIGEST_LENGTH]


class SoftMatcher:
    """Matches words of outputs and references, once for all metrics that it is given to."""

    def __init__(self, vectorizer: Vectorizer) -> None:
        self.vectorizer = vectorizer
        self._references: tuple[References, list[Encoded] | None, _Rarity] | None = None
        self._found: dict[tuple[tuple[str, ...], References], Floats] = {}

    def match(self, outputs: Lines, references: References) -> Floats:
        """Return precision and recall of each sentence by each reference (P × 2).

        NaN where the output or the reference has no words.
        """
        key = (tuple(outputs), references)
        if key not in self._found:
            self._found[key] = self._match(outputs, references)
        return self._found[key]

    def _match(self, outputs: Lines, references: References) -> Floats:
        if self._references is None or self._references[0] is not references:
            self._references = references, *self._weigh(references.lines)
        _references, kept, weights = self._references
        encoded = dict(self.vectorizer.encode(outputs))
        found = np.full((len(references.lines), 2), np.nan)
        lines = self.vectorizer.encode(references.lines) if kept is None else enumerate(kept)
        for place, theirs in lines:
            ours = encoded[int(references.sentences[place])]
            # A reference without words is absent.
            if len(ours.words) and len(theirs.words):
                cosines = ours.vectors @ theirs.vectors.T
                found[place] = (
                    np.average(cosines.max(axis=1), weights=weights.of(ours.words)),
                    np.average(cosines.max(axis=0), weights=weights.of(theirs.words)),
                )
        return found

    def _weigh(self, lines: Lines) -> tuple[list[Encoded] | None, "_Rarity"]:
        """Return the words of each line, None if their vectors are too many to keep, and idf."""
        kept: dict[int, Encoded] = {}
        weights = _Rarity()
        size = 0
        for place, encoded in self.vectorizer.encode(lines):
            weights.add(encoded.words)
            size += encoded.vectors.nbytes
            if size <= MOST_BYTES_KEPT:
                kept[place] = encoded
        if size > MOST_BYTES_KEPT:
            return None, weights
        return [kept[place] for place in range(len(lines))], weights


@dataclass(frozen=True)
class SoftMatching(MeanMetric):
    """Precision, recall or F1 of softly matched words; the score is the mean of sentences.

    An output without words has no match: 0. If all words of a text are in all references, they
    count the same.
    """

    name: str
    matcher: SoftMatcher
    kind: Kind

    @property
    def signature(self) -> str:
        vectors = self.matcher.vectorizer.signature
        return f"soft-{self.kind}|{vectors}|idf:references|refs:best|mean|{OURS}"

    def _score_sentences(self, outputs: Lines, references: References) -> Floats:
        matched = self.matcher.match(outputs, references)
        scores = self._scores(matched[..., 0], matched[..., 1])
        best = np.maximum.reduceat(np.where(np.isnan(scores), -np.inf, scores), references.starts)
        return np.where(np.isfinite(best), best, 0.0)

    def _scores(self, precision: Floats, recall: Floats) -> Floats:
        if self.kind == "precision":
            return precision
        if self.kind == "recall":
            return recall
        # Cosines of models can be negative, and then F is no mean of the two.
        together = precision + recall
        positive = np.minimum(precision, recall) > 0
        means = 2 * precision * recall / np.where(positive, together, 1)
        return np.where(positive, means, together / 2)


class _Rarity:
    """The idf of words: ln((1 + sentences) / (1 + sentences with the word))."""

    def __init__(self) -> None:
        self.sentences = 0
        self.counts: Counter[str | int] = Counter()

    def add(self, words: Sequence[str | int]) -> None:
        """Count a sentence, unless it is empty."""
        if words:
            self.sentences += 1
            self.counts.update(set(words))

    def of(self, words: Sequence[str | int]) -> Floats:
        """Return the weights of the words (W); 1 for all if they would all be 0."""
        counts = np.array([self.counts[word] for word in words], dtype=np.float64)
        weights = np.log((1 + self.sentences) / (1 + counts))
        return weights if weights.any() else np.ones(len(words))
