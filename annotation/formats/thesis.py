"""The thesis' export (appendix B.5) as JSON and as a pickle: ranks by sentence and segment.

`{"<sentence>,<segment>": [{candidate: rank, …}, …]}`: one dictionary of ranks for each
judgement, with 100 for the garbage bin. In a pickle, the keys are tuples (sentence, segment).
"""

import io
import json
import pickle
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import Raw
from msgspec.json import Decoder

from annotation.formats import strict_json
from annotation.formats.errors import InputError, OnError, raise_error
from annotation.formats.judgement_lines import Ranks
from annotation.formats.plain_text import open_binary
from annotation.formats.tab_separated import parse_sentence_id

GARBAGE_RANK = 100
# The beginning of a file of this format: a lone brace, or a key with a comma.
BEGINNING = re.compile(rb'(?:\xef\xbb\xbf)?\s*\{[ \t\r]*(?:\}|\n|"[^"\\]*,|$)')


@dataclass(frozen=True)
class ThesisEntry:
    """The judgements of one key; segments with the same words share one."""

    where: str
    sentence: int
    segment: str
    judgements: list[Ranks]


Entry = tuple[tuple[int, str], list[Ranks]]

_entries = Decoder(dict[str, Raw])
_judgements = Decoder(list[dict[str, int]])
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


def is_thesis_json(path: Path) -> bool:
    """Return whether the first bytes are those of this format. Raise InputError."""
    with open_binary(path) as file:
        return BEGINNING.match(file.read(4_000)) is not None


def read_thesis_json(path: Path, on_error: OnError = raise_error) -> Iterator[ThesisEntry]:
    """Yield the entries of the file in its order; it is read as a whole, being one JSON value.

    Does not check whether a rank exists, which depends on the segment. Calls `on_error`, with the
    key, for each entry that cannot be used, and leaves it out. Raises InputError for a file that is
    no such JSON.
    """
    with open_binary(path) as file:
        text = file.read().removeprefix(_BYTE_ORDER_MARK)
    for key, raw in strict_json.decode(text, _entries, str(path)).items():
        try:
            entry = _entry(key, bytes(raw), f"{path}, key {key!r}")
        except InputError as problem:
            on_error(problem)
        else:
            yield entry


def _entry(key: str, raw: bytes, where: str) -> ThesisEntry:
    sentence, comma, segment = key.partition(",")
    if not comma:
        raise InputError(f'{where}: the key is not of the form "sentence,segment".')
    judgements = strict_json.decode(raw, _judgements, where)
    return ThesisEntry(
        where=where,
        sentence=parse_sentence_id(sentence, where),
        segment=segment,
        judgements=[
            {text: None if rank == GARBAGE_RANK else rank for text, rank in ranks.items()}
            for ranks in judgements
        ],
    )


def json_pieces(entries: Iterable[Entry]) -> Iterator[str]:
    """Yield the pieces of the JSON text, one for each entry. Raise InputError for a rank of 100."""
    separator = "{\n"
    for (sentence, segment), judgements in entries:
        key = json.dumps(f"{sentence},{segment}", ensure_ascii=False)
        value = json.dumps(
            [_with_garbage(ranks) for ranks in judgements], ensure_ascii=False, indent=2
        )
        indented = value.replace("\n", "\n  ")
        yield f"{separator}  {key}: {indented}"
        separator = ",\n"
    yield "{}\n" if separator == "{\n" else "\n}\n"


def pickle_pieces(entries: Iterable[Entry]) -> Iterator[bytes]:
    """Yield the pieces of the pickle, one for each entry. Raise InputError for a rank of 100.

    Written as pickle's own opcodes, since `pickle.dump` needs the whole dictionary at once.
    """
    yield pickle.PROTO + bytes([2]) + pickle.EMPTY_DICT
    for key, judgements in entries:
        yield _pickled(key) + _pickled([_with_garbage(ranks) for ranks in judgements])
        yield pickle.SETITEM
    yield pickle.STOP


def _pickled(value: Any) -> bytes:
    """Return the opcodes that put the value on the stack, without header and stop."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, protocol=2)
    # Without a memo, whose numbers would start anew with each value.
    pickler.fast = True
    pickler.dump(value)
    return buffer.getvalue()[2:-1]


def _with_garbage(ranks: Ranks) -> dict[str, int]:
    if any(rank is not None and rank >= GARBAGE_RANK for rank in ranks.values()):
        raise InputError(
            f"A candidate has the rank {GARBAGE_RANK} or more, which means garbage in the thesis' "
            "formats: export as archive or csv."
        )
    return {candidate: GARBAGE_RANK if rank is None else rank for candidate, rank in ranks.items()}
