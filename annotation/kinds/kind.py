"""What distinguishes one kind of judgement from another."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Kind:
    """One kind of judgement. `label` and `question` are for people, and lazily translated.

    With `whole_sentences` a segment is a whole sentence and its candidates are whole translations,
    so that neither a parser nor an aligner is needed. With `in_context` each candidate is shown
    inside the translations that it is part of. `most_candidates` limits how many different texts
    one sheet shows of a segment; a random choice of them is shown where there are more. With
    `single_translations` each different translation of a sentence is a sheet of its own.

    A ranking compares candidates with each other, on as many ranks as there are candidates, or in
    the garbage bin. With a `scale`, the labels of its steps from the best, each candidate is placed
    on a step by itself, and there is no garbage bin; the number of the step is stored as the rank.
    `shows_source` is False where neither the source nor the reference may influence the answer.
    """

    name: str
    label: Any
    question: Any
    whole_sentences: bool = False
    in_context: bool = False
    most_candidates: int | None = None
    scale: tuple[Any, ...] = ()
    shows_source: bool = True
    single_translations: bool = False

    @property
    def fewest_candidates(self) -> int:
        """How many candidates of a segment there must be to ask about it."""
        return 1 if self.scale else 2

    @property
    def has_garbage(self) -> bool:
        return not self.scale

    def ranks(self, candidates: int) -> int:
        """Return how many ranks or steps a segment with so many candidates on a sheet has."""
        return len(self.scale) or candidates

    @property
    def offers_whole_translations(self) -> bool:
        """Whether a project may let annotators open the whole translations of candidates."""
        return not (self.whole_sentences or self.in_context)
