"""The texts of a project as plain arrays: what is known of a system without judgements of it."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from evaluation.stats.judgements import Codes, Judgements

Tokens = tuple[str, ...]


@dataclass(frozen=True, eq=False)
class ProjectTexts:
    """All sentences, segments and candidates of a project, judged or not.

    For S sentences, G segments, C candidates and K systems: `sentence_numbers` S, ascending;
    `sources` S tuples of tokens, empty if unknown; `references` S tuples of references, which are
    tuples of tokens and not empty; `outputs` K × S tuples of tokens, empty if unknown (projects of
    ready-made segments have candidates only); `segment_ids` G, ascending; `segment_sentences` G
    codes of sentences; `segment_positions` G tuples of positions of source tokens, from 0;
    `candidate_texts` C texts, their tokens joined by spaces, those of one segment one after
    another; `first_candidates` G + 1, so that segment g has the candidates from
    `first_candidates[g]` to `first_candidates[g + 1] - 1`; `system_candidates` G × K, the candidate
    that the system produced, NO_CANDIDATE if it produced none.
    """

    sentence_numbers: NDArray[np.int64]
    sources: tuple[Tokens, ...]
    references: tuple[tuple[Tokens, ...], ...]
    outputs: tuple[tuple[Tokens, ...], ...]
    segment_ids: NDArray[np.int64]
    segment_sentences: Codes
    segment_positions: tuple[tuple[int, ...], ...]
    candidate_texts: tuple[str, ...]
    first_candidates: Codes
    system_candidates: Codes
    system_names: tuple[str, ...]

    def __post_init__(self) -> None:
        shape = (len(self.segment_ids), len(self.system_names))
        if self.system_candidates.shape != shape:
            raise ValueError("There must be one candidate for each segment and system.")
        if len(self.first_candidates) != shape[0] + 1:
            raise ValueError("There must be a first candidate for each segment, and the end.")

    def without_systems(self, names: Collection[str]) -> "ProjectTexts":
        """Return the same texts without these systems; candidates that only they have stay."""
        kept = [place for place, name in enumerate(self.system_names) if name not in names]
        return replace(
            self,
            outputs=tuple(self.outputs[place] for place in kept),
            system_candidates=self.system_candidates[:, kept],
            system_names=tuple(self.system_names[place] for place in kept),
        )

    def candidates_of(self, segment: int) -> range:
        """Return the codes of the candidates of a segment."""
        return range(self.first_candidates[segment], self.first_candidates[segment + 1])

    def segments_of(self, judgements: Judgements) -> Codes:
        """Return the code of the segment of each judgement of the same project.

        The candidate in column c of `Judgements.candidate_ranks` is `first_candidates[segment] + c`
        here. Raises ValueError if a judgement has a segment that is not in the texts.
        """
        places = np.searchsorted(self.segment_ids, judgements.segment_ids)
        known = self.segment_ids[np.minimum(places, len(self.segment_ids) - 1)]
        if np.any(known != judgements.segment_ids):
            raise ValueError("A judged segment is not among the texts.")
        return places.astype(np.int32)[judgements.segments]
