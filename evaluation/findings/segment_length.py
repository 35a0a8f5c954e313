"""How long annotators need for longer segments, and how well they agree about them."""

from dataclasses import dataclass
from operator import attrgetter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annotation.formats.answer_times import TOO_LONG
from evaluation.findings.evidence import Evidence
from evaluation.rendering.tables import (
    Column,
    Count,
    Ranks,
    Table,
    estimate_columns,
    grouped_reasons,
    missing_intervals,
)
from evaluation.rendering.text import ENGLISH, Text, _
from evaluation.stats.agreement.intervals import Kappa, kappas_with_intervals
from evaluation.stats.annotators.screens import screens
from evaluation.stats.estimates import Estimate
from evaluation.stats.judgements import Judgements
from evaluation.stats.resampling import (
    Bounds,
    Floats,
    number_sentences,
    resampled_sums,
    sum_rows,
    with_interval,
)
from evaluation.stats.two_way import two_way

# Segments have 3 to 6 tokens; whole sentences have many lengths, which are grouped.
MOST_LENGTHS: Final = 6
GROUPS: Final = 4
SECONDS: Final[Bounds] = (0.0, float("inf"))
INSEPARABLE: Final = "the times of these segments cannot be told from those of others"
NOT_ADDITIVE: Final = "the times of sentences are not the sum of those of their segments"
NO_TIMES: Final = "no time is known"
UNKNOWN: Final = "it is unknown who judged, or when"


@dataclass(frozen=True)
class SegmentLength:
    """Segments of `shortest` to `longest` source tokens, `judgements` of them.

    `seconds` is the time for one of them, of `timed` judgements. κ has its own P(E), because longer
    segments have fewer ties.
    """

    shortest: int
    longest: int
    segments: int
    judgements: int
    seconds: Estimate
    timed: int
    intra: Kappa
    inter: Kappa


@dataclass(frozen=True)
class SegmentLengths:
    """Groups of segments by length, the shortest first."""

    groups: tuple[SegmentLength, ...]
    signature: str


def compute(evidence: Evidence) -> SegmentLengths | None:
    """Return time and agreement by length; None if lengths are unknown, or all are the same."""
    judgements, of_segment = evidence.judgements, evidence.lengths()
    lengths = np.array([of_segment.get(key, 0) for key in judgements.segment_ids.tolist()])
    of_judgements = lengths[judgements.segments]
    known = of_judgements > 0
    limits = _limits(of_judgements[known])
    if len(limits) < 2:
        return None
    judgements, of_judgements = judgements.select(known), of_judgements[known]
    groups = np.searchsorted([longest for _shortest, longest in limits], of_judgements)
    found = []
    times = _times(
        judgements, groups, len(limits), evidence.options.resamples, evidence.options.seed
    )
    for group, ((shortest, longest), (seconds, timed)) in enumerate(
        zip(limits, times, strict=True)
    ):
        judged = judgements.select(groups == group)
        intra, inter = kappas_with_intervals(judged, **evidence.again)
        found.append(
            SegmentLength(
                shortest=shortest,
                longest=longest,
                segments=len(np.unique(judged.segments)),
                judgements=len(judged),
                seconds=seconds,
                timed=timed,
                intra=intra,
                inter=inter,
            )
        )
    return SegmentLengths(
        tuple(found),
        judgements.sign(
            "time and agreement by the number of source tokens",
            f"times of {TOO_LONG:.0f} s or more left out",
            "the time of a screen is the sum of those of its segments",
            "expected agreement of each length",
            f"{evidence.options.resamples} resamples of {judgements.unit}",
            f"seed {evidence.options.seed}",
        ),
    )


def _limits(lengths: NDArray[np.int64]) -> list[tuple[int, int]]:
    """Return the first and the last length of each group; groups have about as many judgements."""
    known = np.unique(lengths)
    if len(known) <= MOST_LENGTHS:
        return [(int(length), int(length)) for length in known]
    cuts = np.quantile(lengths, np.arange(1, GROUPS) / GROUPS, method="lower")
    # Where most lengths are the longest, the others are a group.
    ends = np.unique([*cuts, known[-1]] if cuts[0] < known[-1] else known[-2:])
    starts = [known[0], *(known[known > end][0] for end in ends[:-1])]
    return [(int(start), int(end)) for start, end in zip(starts, ends, strict=True)]


def _times(
    judgements: Judgements, groups: NDArray[np.intp], count: int, resamples: int, seed: int
) -> list[tuple[Estimate, int]]:
    """Return the seconds of each group and the number of judgements with a known time.

    A screen has several segments and one time, the sum of those for its segments: least squares
    without a constant. The variance over annotators is that of the estimating equations.
    """
    shown = screens(judgements)
    timed = (judgements.seconds < TOO_LONG) & (shown.of_judgements >= 0)
    rows = np.flatnonzero(timed)
    counts = np.bincount(groups[rows], minlength=count).tolist()
    if not len(rows):
        why = UNKNOWN if (judgements.seconds < TOO_LONG).any() else NO_TIMES
        return [(Estimate(None, undefined=why), 0)] * count
    # One segment of a group for each judgement of it; and the seconds.
    members = np.eye(count)[groups[rows]]
    screen = shown.of_judgements[rows]
    sums = sum_rows(screen, np.column_stack([members, judgements.seconds[rows]]), len(shown))
    some = sums[:, :count].any(axis=1)
    segments, seconds = sums[some, :count], sums[some, count]
    units = judgements.sentence_units[shown.sentences[some]]
    codes, size = number_sentences(units)
    products = np.concatenate(
        [
            (segments[:, :, None] * segments[:, None]).reshape(-1, count**2),
            segments * seconds[:, None],
        ],
        axis=1,
    )
    by_unit = sum_rows(codes, products, size)
    (means,) = _solved(by_unit.sum(axis=0, keepdims=True), count)
    if np.isnan(means).any() or (means < 0).any():
        why = INSEPARABLE if np.isnan(means).any() else NOT_ADDITIVE
        return [(Estimate(None, undefined=why), each) for each in counts]
    again = _solved(resampled_sums(by_unit, resamples=resamples, seed=seed), count)
    inverse = np.linalg.inv(segments.T @ segments)
    influence = (segments * (seconds - segments @ means)[:, None]) @ inverse
    both = two_way(influence, units, shown.annotators[some], segments.sum(axis=1))
    found = []
    for group, mean in enumerate(means.tolist()):
        sampled = int(np.count_nonzero(by_unit[:, group * (count + 1)]))
        narrow = with_interval(mean, again[:, group], sampled, SECONDS, judgements.unit)
        found.append((both.widen(narrow, group, SECONDS), counts[group]))
    return found


def _solved(sums: Floats, count: int) -> Floats:
    """Return the least-squares solutions (T × G) of normal equations; NaN where there is none."""
    left = sums[:, : count**2].reshape(-1, count, count)
    right = sums[:, count**2 :]
    solvable = np.linalg.matrix_rank(left, hermitian=True) == count
    found = np.full(right.shape, np.nan)
    found[solvable] = np.linalg.solve(left[solvable], right[solvable, :, None])[:, :, 0]
    return found


def tables(found: SegmentLengths | None) -> list[Table]:
    if found is None:
        return []
    intra = any(row.intra.compared for row in found.groups)
    inter = any(row.inter.compared for row in found.groups)
    of_intra = estimate_columns("intra", _("Intra κ"), lambda row: row.intra.kappa, prefix="intra_")
    of_inter = (
        *estimate_columns("inter", _("Inter κ"), lambda row: row.inter.kappa, prefix="inter_"),
        Column("compared", _("Compared"), Count(), attrgetter("inter.compared")),
    )

    def reasons(row: SegmentLength) -> list[tuple[Text, Text, str]]:
        tokens = Ranks().write((row.shortest, row.longest), ENGLISH)
        name = _("%(tokens)s tokens", tokens=tokens)
        named = [
            (_("Time"), row.seconds),
            *([(_("Intra-annotator κ"), row.intra.kappa)] if intra else []),
            *([(_("Inter-annotator κ"), row.inter.kappa)] if inter else []),
        ]
        return [(name, part, figure.undefined) for part, figure in named]

    return [
        Table.of(
            "segment-length",
            _("Time and agreement by the length of the source."),
            (
                Column("shortest longest", _("Tokens"), Ranks()),
                Column("judgements", _("Judgements"), Count()),
                *estimate_columns(
                    "seconds", _("Time, s"), lambda row: row.seconds, prefix="seconds_", places=1
                ),
                *(of_intra if intra else ()),
                *(of_inter if inter else ()),
            ),
            found.groups,
            notes=(
                _(
                    "Time is what a judgement of this length adds to the time for a sentence. A "
                    "token is a word or a punctuation mark."
                ),
                *(
                    [
                        _(
                            "κ is corrected for the chance of these judgements alone, so that "
                            "lengths can be compared."
                        )
                    ]
                    if intra or inter
                    else []
                ),
                *grouped_reasons(each for row in found.groups for each in reasons(row)),
                *missing_intervals(
                    each
                    for row in found.groups
                    for each in (row.seconds, row.intra.kappa, row.inter.kappa)
                ),
            ),
            details=[found.signature],
        )
    ]
