"""The parts of a report as plain JSON; what is undefined is None, and says why.

Reports are stored, so that what was added later is NotRequired: those made before do not have it.
"""

from typing import Any, NotRequired, TypedDict


class EstimateRow(TypedDict):
    """A figure with its 95 % interval; where it is None, `undefined` says why in English.

    `no_interval` says why only `low` and `high` are None.
    """

    value: float | None
    low: float | None
    high: float | None
    undefined: str
    no_interval: NotRequired[str]


class SystemRow(TypedDict):
    system: str
    score: float | None
    low: float | None
    high: float | None
    undefined: str
    no_interval: NotRequired[str]
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    cluster: int | None
    wins: int
    losses: int
    ties: int
    # Of the TrueSkill-like rating alone, which has no rank ranges and no clusters.
    sigma: NotRequired[float]


class RankingPart(TypedDict):
    """Best first; systems without a score last."""

    systems: list[SystemRow]
    signature: str


class KappaRow(TypedDict):
    """`agree` of `compared` pairs in `sentences` are alike; `kappa` with its interval."""

    agree: int
    compared: int
    observed: float | None
    expected: float | None
    kappa: float | None
    low: float | None
    high: float | None
    undefined: str
    sentences: NotRequired[int]
    no_interval: NotRequired[str]


class UnitsRow(EstimateRow):
    """A figure from so many units: pairs of candidates for α, pairs of judgements for τ-b."""

    units: int


class TauRow(TypedDict):
    intra: UnitsRow
    inter: UnitsRow


class AgreementPart(TypedDict):
    tied: int
    untied: int
    expected: float | None
    intra: KappaRow
    inter: KappaRow
    alpha: UnitsRow
    tau_b: TauRow
    signature: str


class SignificancePart(TypedDict):
    """Systems × systems, rows against columns; the diagonal is None."""

    systems: list[str]
    wins: list[list[int]]
    losses: list[list[int]]
    ties: list[list[int]]
    win_rate: list[list[float | None]]
    p: list[list[float | None]]
    p_holm: list[list[float | None]]
    # Why there is no rate and no p of a pair; "" where there are, and on the diagonal.
    undefined: NotRequired[list[list[str]]]
    # The smallest p that so few resamples can give.
    least: float | None
    signature: str


class AnnotatorRow(TypedDict):
    annotator: str
    sentences: int
    segments: int
    seconds: float | None
    seconds_per_segment: float | None
    intra: KappaRow
    inter: KappaRow
    controls: int
    controls_passed: int


class PairRow(TypedDict):
    """Two annotators who judged the same segments."""

    annotator: str
    other: str
    agree: int
    compared: int
    kappa: float | None
    low: float | None
    high: float | None
    undefined: str
    sentences: NotRequired[int]
    no_interval: NotRequired[str]


class CurvePoint(TypedDict):
    """What the ranking of so many sentences would be: τ to that of all, width of its intervals."""

    sentences: int
    tau: float | None
    low: float | None
    high: float | None
    width: float | None


class NeededRow(TypedDict):
    """How many sentences intervals of this width take; extrapolated beyond those judged."""

    width: float
    sentences: int | None
    extrapolated: bool
    undefined: str


class CurvePart(TypedDict):
    points: list[CurvePoint]
    needed: list[NeededRow]
    undefined: str
    signature: str


class CarryOverRow(EstimateRow):
    """Correlation of a share of a screen with that of the screen before, of `compared` such."""

    compared: int
    by_chance: float | None
    p: float | None


class PlaceRow(EstimateRow):
    """The share of pairs of candidates in which the one shown earlier was better."""

    earlier_better: int
    later_better: int
    tied: int
    p: float | None


class SequencePart(TypedDict):
    garbage: CarryOverRow
    ties: CarryOverRow
    place: PlaceRow
    signature: str


class TrendRow(EstimateRow):
    """A change per 100 sentences, from so many screens."""

    screens: int


class DriftRow(TypedDict):
    """`seconds`: relative change of the time of a segment; `agreement`: of the share alike."""

    annotator: str
    seconds: TrendRow
    agreement: TrendRow


class DriftPart(TypedDict):
    together: DriftRow
    annotators: list[DriftRow]
    signature: str


class DisputedRow(TypedDict):
    """A segment whose judgements differ; `words` are its source tokens."""

    segment: int
    sentence: int
    words: str
    judgements: int
    annotators: int
    agree: int
    reversed: int
    compared: int


class ContrastRow(TypedDict):
    """A sentence on which systems differ: net wins of the best and the worst, from -1 to 1."""

    sentence: int
    judgements: int
    best: str
    best_score: float
    worst: str
    worst_score: float
    spread: float


class LeftOutAnnotatorRow(TypedDict):
    """Whose judgements were left out, what the bounds looked at, and in how many sentences."""

    annotator: str
    judgements: int
    kappa_intra: float | None
    kappa_inter: float | None
    sentences_intra: NotRequired[int]
    sentences_inter: NotRequired[int]
    controls: float | None


class LeftOutPart(TypedDict):
    """What was left out: `judgements` `of` all, among them `repeats` of others than these."""

    annotators: list[LeftOutAnnotatorRow]
    repeats: int
    judgements: int
    of: int


class ProjectPart(TypedDict):
    """What is reported on; `prepared` says what cut and aligned."""

    name: str
    source_language: str
    target_language: str
    systems: int
    sentences: int
    segments: int
    candidates: int
    prepared: list[str]


class JudgedPart(TypedDict):
    """What there is to judge, and how much of it is in the report.

    Of `sentences_left` nobody judged anything, left out or not; older reports do not know it.
    """

    sentences: int
    sentences_judged: int
    sentences_left: NotRequired[int]
    segments: int
    segments_judged: int
    judgements: int
    unidentified: int


class ReportData(TypedDict):
    """The whole report."""

    project: ProjectPart
    made: str
    signature: str
    resamples: int
    seed: int
    options: dict[str, Any]
    seconds: dict[str, float]
    judged: JudgedPart
    rankings: dict[str, RankingPart]
    significance: SignificancePart
    agreement: AgreementPart
    annotators: list[AnnotatorRow]
    pairs: list[PairRow]
    learning_curve: CurvePart
    sequence: SequencePart
    drift: DriftPart
    disputed: list[DisputedRow]
    contrasts: list[ContrastRow]
    left_out: LeftOutPart
