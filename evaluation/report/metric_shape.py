"""The shape of the findings about a project's metrics as JSON."""

from typing import Any, Literal, NotRequired, TypedDict

# How a metric decides whether one system is better than another.
DecisionTest = Literal["paired t-test", "bootstrap"]


class MetricsProjectPart(TypedDict):
    """The project; `prepared` names the parser and the aligner."""

    name: str
    source_language: str
    target_language: str
    prepared: list[str]


class TextsPart(TypedDict):
    """What was scored: `sentences` with a reference, of `all_sentences` of the project.

    `without_outputs` are systems that have no whole outputs, and are left out.
    """

    sentences: int
    all_sentences: int
    references: int
    without_outputs: list[str]


class GoldRow(TypedDict):
    """A system's score by people with its intervals, and whether it is an outlier.

    `wide_low` and `wide_high` are for other annotators, too; evaluations of former versions do not
    have them.
    """

    system: str
    score: float
    low: float | None
    high: float | None
    wide_low: NotRequired[float | None]
    wide_high: NotRequired[float | None]
    outlier: bool


class GoldPart(TypedDict):
    """Scores by people, best first; `method` is that of the ranking.

    Outliers were found by `outliers_by` ("MAD" or "list"); `note` says why they deserve a second
    look. `words` say how mean scores were computed, and `only_sentences` why there are no intervals
    for other annotators; evaluations of former versions have neither.
    """

    method: str
    systems: list[GoldRow]
    outliers: list[str]
    outliers_by: str
    note: str
    words: NotRequired[list[str]]
    only_sentences: NotRequired[str]


class MetricRow(TypedDict):
    """A metric's scores of the systems, None if missing; better is higher.

    `provenance` says where imported scores come from. `resampled` tells whether intervals by
    sentence resample its scores too; they stay fixed if they are imported without sentence scores
    that they are the means of.
    """

    metric: str
    signature: str
    provenance: str
    resampled: bool
    scores: dict[str, float | None]


class FigureRow(TypedDict):
    """A figure; `low` and `high` are of resampled sentences, `published_*` of comparisons.

    Published intervals resample comparisons and are about half as wide. `systems_*` are of
    resampled systems, for other systems. `undefined` says why there is no value.
    """

    value: float | None
    low: float | None
    high: float | None
    published_low: float | None
    published_high: float | None
    systems_low: float | None
    systems_high: float | None
    undefined: str


class SystemLevelRow(TypedDict):
    metric: str
    pearson: FigureRow
    spearman: FigureRow
    kendall: FigureRow
    accuracy: FigureRow
    soft_accuracy: FigureRow
    agreeing: int | None
    pairs: int
    winner: bool


class SoftSegmentsPart(TypedDict):
    """The number of segments that people judged for all systems, of all that they judged."""

    compared: int
    all: int


class SystemSetPart(TypedDict):
    """Metrics by falling r; `williams` has p that the row is better than the column.

    `soft_segments` are those of soft accuracy; None without segment scores.
    """

    systems: list[str]
    metrics: list[SystemLevelRow]
    williams: list[list[float | None]]
    same: list[list[str]]
    caution: str
    soft_segments: SoftSegmentsPart | None


class WindowRow(TypedDict):
    """r of metrics among the systems with these ranks by people, None if undefined."""

    first: int
    last: int
    pearson: dict[str, float | None]


class SystemLevelPart(TypedDict):
    """`without_outliers` is None if there is no outlier."""

    all_systems: SystemSetPart
    without_outliers: SystemSetPart | None
    windows: list[WindowRow]
    signature: str


class TauRow(TypedDict):
    """τ by one rule for ties; `half_width` is by sentence, the published one by comparison."""

    value: float | None
    low: float | None
    high: float | None
    half_width: float | None
    published_half_width: float | None
    undefined: str


class MetricTausRow(TypedDict):
    """τ of a metric by rule, and how often people and the metric agree on an order.

    People preferred one of the two in `untied` comparisons, those without a score included.
    """

    metric: str
    taus: dict[str, TauRow]
    concordant: int
    discordant: int
    metric_ties: int
    human_ties: int
    missing: int
    untied: int
    best: list[str]
    signature: str


class TiesRow(TypedDict):
    """acc_eq of a metric as it is, and with the `epsilon` that makes it highest."""

    metric: str
    accuracy: float | None
    calibrated: float | None
    low: float | None
    high: float | None
    epsilon: float | None
    undefined: str
    signature: str


class DecisionsRow(TypedDict):
    """Of how many pairs of systems a metric decides as people do, by the judged sentences.

    `unseen`: the metric finds a difference, people none; `opposite`: people find the opposite one
    (both are type I errors); `missed`: people find one, the metric none (type II).
    """

    metric: str
    test: DecisionTest
    right: int
    unseen: int
    opposite: int
    missed: int


class PermutationsPart(TypedDict):
    """p that the metric of the row has a higher r than that of the column, by sentence scores.

    `swapped` says what the permutations swap: systems, inputs, or both.
    """

    swapped: str
    metrics: list[str]
    pearson: list[float | None]
    p: list[list[float | None]]
    signature: str


class MetricsData(TypedDict):
    """All findings about the metrics of a project."""

    project: MetricsProjectPart
    made: str
    signature: str
    options: dict[str, Any]
    seconds: dict[str, float]
    texts: TextsPart
    judgements: int
    sentences_judged: int
    gold: GoldPart
    metrics: list[MetricRow]
    system_level: SystemLevelPart
    comparisons: list[MetricTausRow]
    pairs: list[MetricTausRow]
    candidates: list[MetricTausRow]
    # Another annotator, and the same one again: a ceiling for scores of candidates.
    annotators: list[MetricTausRow]
    ties: list[TiesRow]
    decisions: list[DecisionsRow]
    permutations: list[PermutationsPart]
    # What is wrong with imported scores, a sentence each; there is no key without such scores.
    problems: NotRequired[list[str]]
