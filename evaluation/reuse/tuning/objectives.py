"""What weights are tuned to: BLEU, SegRanksBLEU, ExactMatch, PenalizeUnknown, RYPT, people's wins.

Each objective has statistics of every hypothesis, whose sums over the chosen ones give the figure.
Source: thesis, sections 3.2.3 and 3.3.2; the thesis' programs `segranks_scorer.py` and
`enhanced_bleu_scorer.py`. RYPT: Zaidan & Callison-Burch (2009), "Feasibility of Human-in-the-loop
Minimum Error Rate Training".
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from evaluation.reuse.project_texts import ProjectTexts, Tokens
from evaluation.reuse.segranks_bleu import closest_length
from evaluation.reuse.tuning.hypotheses import Floats, Hypotheses
from evaluation.reuse.tuning.ngrams import count_ngrams
from evaluation.stats.judgements import GARBAGE, MISSING, Judgements

# N-grams of BLEU: 1 to 4 (Papineni et al. 2002).
ORDERS: Final = 4

BLEU, SEGRANKS_BLEU, EXACT_MATCH = "BLEU", "SegRanksBLEU", "ExactMatch"
PENALIZE_UNKNOWN, RYPT, PEOPLE = "PenalizeUnknown", "RYPT", "people"
INTERPOLATED: Final = "+BLEU"
# In the order of the table.
OBJECTIVES: Final = (
    BLEU,
    SEGRANKS_BLEU,
    SEGRANKS_BLEU + INTERPOLATED,
    EXACT_MATCH,
    EXACT_MATCH + INTERPOLATED,
    PENALIZE_UNKNOWN,
    PENALIZE_UNKNOWN + INTERPOLATED,
    RYPT,
    RYPT + INTERPOLATED,
    PEOPLE,
)

Score = Callable[[Floats], Floats]


@dataclass(frozen=True, eq=False)
class SummedStatistics:
    """S × N × K statistics of hypotheses, and the figure of … × K sums of them, or NaN."""

    statistics: Floats
    score: Score

    def of(self, sentences: NDArray[np.bool_]) -> "SummedStatistics":
        """Return the objective of some of the sentences."""
        return replace(self, statistics=self.statistics[sentences])

    def interpolated(self, other: "SummedStatistics") -> "SummedStatistics":
        """Return the mean of the two figures."""
        width = self.statistics.shape[2]
        return SummedStatistics(
            np.concatenate([self.statistics, other.statistics], axis=2),
            lambda sums: (self.score(sums[..., :width]) + other.score(sums[..., width:])) / 2,
        )


def bleu(sums: Floats) -> Floats:
    """Return BLEU of … × 9 sums: matches and n-grams by order, and the reference's length.

    There is no smoothing: BLEU is 0 if no n-gram of an order matches.
    """
    matches, totals = sums[..., :ORDERS], sums[..., ORDERS : 2 * ORDERS]
    with np.errstate(divide="ignore", invalid="ignore"):
        brevity = np.minimum(0.0, 1 - sums[..., 2 * ORDERS] / totals[..., 0])
        figures = np.exp(np.log(matches / totals).mean(axis=-1) + brevity)
    return np.asarray(np.nan_to_num(figures, nan=0.0))


def ratio(sums: Floats) -> Floats:
    """Return the quotient of … × 2 sums, such as wins and wins + losses; NaN where it is 0 / 0."""
    figures = np.full(sums.shape[:-1], np.nan)
    np.divide(sums[..., 0], sums[..., 1], out=figures, where=sums[..., 1] > 0)
    return figures


def lowered(tokens: Tokens) -> Tokens:
    return tuple(token.lower() for token in tokens)


def bleu_statistics(
    hypotheses: Hypotheses,
    references: Sequence[Sequence[Tokens]],
    phrases: Sequence[Sequence[Tokens]] = (),
    *,
    cased: bool,
) -> Floats:
    """Return S × N × 9 statistics of `bleu`.

    `references` are those of each sentence, at least one; the length of the closest one, the
    shorter of two, counts for brevity. The `phrases` of each sentence are references too, but for
    their length: an n-gram counts as often as the text has it that has it most.
    """
    rows = []
    further = phrases or [()] * len(references)
    for texts, alternatives, others in zip(hypotheses.texts, references, further, strict=True):
        all_texts = [*texts, *alternatives, *others]
        ngrams = count_ngrams(all_texts if cased else [lowered(text) for text in all_texts], ORDERS)
        known = ngrams.counts[len(texts) :].max(axis=0)
        closest = [closest_length(text, alternatives) for text in texts]
        statistics = [each[: len(texts)] for each in (ngrams.matches(known), ngrams.totals)]
        rows.append(np.column_stack([*statistics, closest]))
    return hypotheses.padded(rows)


@dataclass(frozen=True)
class KnownCandidate:
    """A judged candidate, and its wins and comparisons (ties left out) in all judgements.

    On a scale, `best` of its answers are the best step, of `answers` that are not the undecided
    step; both are 0 where candidates are ranked.
    """

    text: str
    wins: int
    compared: int
    best: int = 0
    answers: int = 0


@dataclass(frozen=True)
class JudgedSegment:
    """A judged segment: candidates, the longest first, and the systems in its first judgement."""

    candidates: tuple[KnownCandidate, ...]
    systems: int


@dataclass(frozen=True, eq=False)
class JudgedSentences:
    """What judgements tell of each of the S sentences of a project.

    `segments` S tuples of judged segments; `best` S tuples of the candidates with the best rank of
    a judgement, garbage if all are garbage; `wins` and `compared` S × K sums of each system's wins
    and of its comparisons with other systems that are no ties.
    """

    segments: tuple[tuple[JudgedSegment, ...], ...]
    best: tuple[tuple[Tokens, ...], ...]
    wins: Floats
    compared: Floats


def judged_sentences(
    texts: ProjectTexts, judgements: Judgements, *, steps: int = 0, undecided: int | None = None
) -> JudgedSentences:
    """Return what the judgements, repeats included, tell of each sentence of the project.

    `steps` are those of the scale on which candidates were judged, 0 if they were ranked, and
    `undecided` the one that says neither yes nor no.
    """
    count, systems = len(texts.sentence_numbers), len(texts.system_names)
    codes = texts.segments_of(judgements)
    ranks = judgements.candidate_ranks.astype(np.int64)
    of_systems = judgements.system_ranks.astype(np.int64)
    present = of_systems != MISSING
    lowest = np.where(ranks == MISSING, GARBAGE, ranks).min(axis=1, initial=GARBAGE)
    # Each candidate, or system, against the systems of the judgement.
    better = present[:, None, :] & (ranks[:, :, None] < of_systems[:, None, :])
    untied = present[:, None, :] & (ranks[:, :, None] != of_systems[:, None, :])
    candidate_wins, candidate_compared = better.sum(axis=2), untied.sum(axis=2)
    best_answers = (ranks == 1) & (steps > 0)
    answers = (ranks != MISSING) & (ranks != (undecided or MISSING)) & (steps > 0)
    both = present[:, :, None] & present[:, None, :]
    system_wins = (both & (of_systems[:, :, None] < of_systems[:, None, :])).sum(axis=2)
    system_compared = (both & (of_systems[:, :, None] != of_systems[:, None, :])).sum(axis=2)
    rows_of: dict[int, list[int]] = defaultdict(list)
    for row, code in enumerate(codes.tolist()):
        rows_of[code].append(row)
    segments: list[list[JudgedSegment]] = [[] for _ in range(count)]
    best: list[dict[Tokens, None]] = [{} for _ in range(count)]
    wins, compared = np.zeros((2, count, systems))
    for code in sorted(rows_of):
        rows, sentence = rows_of[code], int(texts.segment_sentences[code])
        known = []
        for column, candidate in enumerate(texts.candidates_of(code)):
            ranked = [row for row in rows if ranks[row, column] != MISSING]
            text = texts.candidate_texts[candidate]
            if any(ranks[row, column] == lowest[row] for row in ranked):
                best[sentence][tuple(text.split(" "))] = None
            if ranked:
                sums = (
                    int(of[ranked, column].sum())
                    for of in (candidate_wins, candidate_compared, best_answers, answers)
                )
                known.append(KnownCandidate(text, *sums))
        known.sort(key=lambda one: len(one.text), reverse=True)
        segments[sentence].append(JudgedSegment(tuple(known), int(present[rows[0]].sum())))
        wins[sentence] += system_wins[rows].sum(axis=0)
        compared[sentence] += system_compared[rows].sum(axis=0)
    return JudgedSentences(tuple(map(tuple, segments)), tuple(map(tuple, best)), wins, compared)


@dataclass(frozen=True, eq=False)
class Matches:
    """What the judgements tell of the candidates that hypotheses contain; S × N each.

    `wins`, `compared`, `best` and `answers` of the longest judged candidate of each judged segment
    that is a part of the hypothesis, summed over segments; `hits` the number of segments with such
    a candidate, of `segments`; `unknown` the systems of the other segments.
    """

    wins: Floats
    compared: Floats
    hits: Floats
    segments: Floats
    unknown: Floats
    best: Floats
    answers: Floats

    def of(self, sentences: NDArray[np.bool_]) -> "Matches":
        """Return the matches in some of the sentences."""
        return Matches(*(values[sentences] for values in vars(self).values()))


def match_candidates(hypotheses: Hypotheses, judged: JudgedSentences) -> Matches:
    """Look for ranked candidates in the hypotheses, as characters (thesis, section 3.3.2)."""
    rows = []
    for code, texts in zip(hypotheses.sentences, hypotheses.texts, strict=True):
        segments = judged.segments[code]
        of_sentence = np.zeros((len(texts), 7))
        for row, tokens in zip(of_sentence, texts, strict=True):
            text = " ".join(tokens)
            for segment in segments:
                found = next((one for one in segment.candidates if one.text in text), None)
                if found is None:
                    row += (0, 0, 0, 1, segment.systems, 0, 0)
                else:
                    row += (found.wins, found.compared, 1, 1, 0, found.best, found.answers)
        rows.append(of_sentence)
    return Matches(*np.moveaxis(hypotheses.padded(rows), 2, 0))


def people_statistics(hypotheses: Hypotheses, judged: JudgedSentences) -> Floats:
    """Return S × N × 2: wins and comparisons of the system that produced each hypothesis.

    Only for hypotheses that are outputs: people ranked candidates of each of them.
    """
    of_sentence = hypotheses.sentences[:, None]
    return np.stack(
        [table[of_sentence, hypotheses.systems] for table in (judged.wins, judged.compared)], axis=2
    )


def all_objectives(
    hypotheses: Hypotheses,
    texts: ProjectTexts,
    judged: JudgedSentences,
    matches: Matches,
    *,
    cased: bool,
) -> dict[str, SummedStatistics]:
    """Return by name those of OBJECTIVES that are possible.

    BLEU needs a reference of each sentence, people's wins hypotheses that are outputs, and RYPT
    answers on a scale. In PenalizeUnknown, a judged segment without a ranked candidate is lost
    against all systems; RYPT leaves it out.
    """
    exact = np.stack([matches.wins, matches.compared], axis=2)
    unknown = np.stack([matches.wins, matches.compared + matches.unknown], axis=2)
    found = {
        EXACT_MATCH: SummedStatistics(exact, ratio),
        PENALIZE_UNKNOWN: SummedStatistics(unknown, ratio),
    }
    if matches.answers.any():
        answered = np.stack([matches.best, matches.answers], axis=2)
        found[RYPT] = SummedStatistics(answered, ratio)
    if hypotheses.are_outputs:
        found[PEOPLE] = SummedStatistics(people_statistics(hypotheses, judged), ratio)
    references = [texts.references[sentence] for sentence in hypotheses.sentences]
    if all(references):
        best = [judged.best[sentence] for sentence in hypotheses.sentences]
        for name, phrases in ((BLEU, ()), (SEGRANKS_BLEU, best)):
            counted = bleu_statistics(hypotheses, references, phrases, cased=cased)
            found[name] = SummedStatistics(counted, bleu)
        for name in (SEGRANKS_BLEU, EXACT_MATCH, PENALIZE_UNKNOWN, RYPT):
            if name in found:
                found[name + INTERPOLATED] = found[name].interpolated(found[BLEU])
    return {name: found[name] for name in OBJECTIVES if name in found}
