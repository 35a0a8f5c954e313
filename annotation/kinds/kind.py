"""What distinguishes one kind of judgement from another."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kind:
    """One kind of judgement. `label` and `question` are for people, and lazily translated.

    With `whole_sentences` a segment is a whole sentence and its candidates are whole translations,
    so that neither a parser nor an aligner is needed. With `in_context` each candidate is shown
    inside the translations that it is part of. `most_candidates` limits how many different texts
    one sheet shows of a segment; a random choice of them is shown where there are more.
    """

    name: str
    label: Any
    question: Any
    whole_sentences: bool = False
    in_context: bool = False
    most_candidates: int | None = None
