"""The parts of a report as plain JSON; undefined figures are None and say why."""

from typing import Any, NotRequired, TypedDict


class EstimateRow(TypedDict):
    """A figure with its 95 % intervals.

    Where the figure is None, `undefined` says why in English. `low` and `high` are for other
    sentences, `wide_low` and `wide_high` for other sentences and other annotators; where an end is
    None, `no_interval` and `no_wide_interval` say why.
    """

    value: float | None
    low: float | None
    high: float | None
    undefined: str
    no_interval: str
    wide_low: float | None
    wide_high: float | None
    no_wide_interval: str


class SystemRow(TypedDict):
    """A system's score and counts of comparisons.

    `sentences` compare the system; `first` is the probability that its score is the best. `ties`
    are `same_text`, where both systems have the same candidate, and `ties_of_different_texts`.
    `missing` is the share of judged segments without a candidate.
    """

    system: str
    score: float | None
    low: float | None
    high: float | None
    undefined: str
    no_interval: str
    wide_low: float | None
    wide_high: float | None
    no_wide_interval: str
    sentences: int
    first: float | None
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    cluster: int | None
    wins: int
    losses: int
    ties: int
    same_text: int
    ties_of_different_texts: int
    missing: float | None


class RankingPart(TypedDict):
    """Best first; systems without a score last.

    Rank ranges and clusters hold for other sentences and other annotators, unless `only_sentences`
    says why not. `boundaries` has the share of draws in which the end of each cluster holds.
    """

    systems: list[SystemRow]
    only_sentences: str
    boundaries: list[float]
    signature: str


class KappaRow(TypedDict):
    """`agree` of `compared` pairs of candidates in `sentences` agree; κ with its interval."""

    agree: int
    compared: int
    observed: float | None
    expected: float | None
    kappa: float | None
    low: float | None
    high: float | None
    undefined: str
    sentences: int
    no_interval: str
    wide_low: float | None
    wide_high: float | None
    no_wide_interval: str


class UnitsRow(EstimateRow):
    """`units` are pairs of candidates for α, and pairs of judgements for τ-b."""

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


class DisagreementRow(TypedDict):
    """Of `compared` pairs of candidates, two judgements agree on `agree`, one has a tie in
    `one_tied`, and they prefer different candidates in `reversed`.

    `reversed_share` is that of the pairs that disagree; `linear` and `quadratic` are κ with
    weights.
    """

    agree: int
    one_tied: int
    reversed: int
    compared: int
    reversed_share: EstimateRow
    linear: EstimateRow
    quadratic: EstimateRow


class DisagreementPart(TypedDict):
    intra: DisagreementRow
    inter: DisagreementRow
    ordinal_alpha: UnitsRow
    signature: str


class SignificancePart(TypedDict):
    """Systems × systems, rows against columns; the diagonal is None.

    `p` is exact for other sentences, and `wide_p` holds for other annotators too, unless
    `only_sentences` says why not. Below 0.001 p has three significant digits, and 1e-12 is 1e-12 or
    less. `better` is the probability that the row beats the column.
    """

    systems: list[str]
    wins: list[list[int]]
    losses: list[list[int]]
    ties: list[list[int]]
    # The two parts of ties, as in SystemRow.
    same_text: list[list[int]]
    ties_of_different_texts: list[list[int]]
    win_rate: list[list[float | None]]
    p: list[list[float | None]]
    p_holm: list[list[float | None]]
    wide_p: list[list[float | None]]
    wide_p_holm: list[list[float | None]]
    better: list[list[float | None]]
    only_sentences: str
    # Why a pair has no rate and no p; "" where it has, and on the diagonal.
    undefined: list[list[str]]
    signature: str


class DetectableRow(TypedDict):
    """Differences of win rates from 0.5: the smallest found with 80 % power, by pair of systems.

    Of the median pair and of all; 0.5 if not even that would have been found. None if undefined.
    `needed` has the sentences with which the median pair shows each of the `differences`.
    """

    tests: int
    median: float | None
    least: float | None
    most: float | None
    needed: list[int | None]


class PowerPart(TypedDict):
    """For the test of one pair, and with Holm's correction for all, which `detectable` is of.

    `detectable` is systems × systems, as in `significance`; None on the diagonal and if undefined.
    """

    one_pair: DetectableRow
    all_pairs: DetectableRow
    differences: list[float]
    detectable: list[list[float | None]]
    undefined: str
    signature: str


class SystemEffectRow(TypedDict):
    """p of the hypothesis that all annotators judge the system alike."""

    system: str
    p: float | None


class WithoutRow(TypedDict):
    """The ranking without an annotator: the best system, and the largest change of a score.

    `moved` is the number of systems with another rank.
    """

    annotator: str
    judgements: int
    best: str | None
    system: str | None
    change: float | None
    moved: int


class AnnotatorEffectsPart(TypedDict):
    """Whether annotators differ about systems, and the ranking without each annotator.

    `p` is of the hypothesis that they judge all systems alike; `undefined` says why it is None.
    `method` is the score of systems, in former reports always the ratio of wins.
    """

    method: NotRequired[str]
    p: float | None
    undefined: str
    systems: list[SystemEffectRow]
    without: list[WithoutRow]
    signature: str


class AnnotatorRow(TypedDict):
    annotator: str
    sentences: int
    # Filters of the report aside; files of judgements do not have them.
    assignments: int | None
    judgements: int
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
    sentences: int
    no_interval: str


class CurvePoint(TypedDict):
    """The ranking by this number of sentences: τ to that of all, mean width of its intervals."""

    sentences: int
    tau: float | None
    low: float | None
    high: float | None
    width: float | None


class NeededRow(TypedDict):
    """How many sentences intervals of this width take; `extrapolated` if more than were judged.

    `seconds` is how long annotators work on the sentences that are still missing, 0 if none are;
    None if their speed is unknown.
    """

    width: float
    sentences: int | None
    extrapolated: bool
    seconds: float | None
    undefined: str


class ExpectedRow(TypedDict):
    """The mean width of intervals after `more` sentences, and how long annotators work on them.

    `powered_width` is that of prediction-powered intervals, None if they were not computed.
    """

    more: int
    width: float | None
    powered_width: float | None
    seconds: float | None


class CurvePart(TypedDict):
    """`method` is the score of systems, in former reports always the ratio of wins."""

    method: NotRequired[str]
    points: list[CurvePoint]
    needed: list[NeededRow]
    expected: list[ExpectedRow]
    undefined: str
    signature: str


class CarryOverRow(EstimateRow):
    """Correlation of a screen's share with that of the previous screen, over `compared` pairs."""

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
    """A change per 100 sentences, estimated from `screens` screens."""

    screens: int


class DriftRow(TypedDict):
    """Changes of the time for a segment (relative) and of the share that agrees with others."""

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
    """An annotator, the figures that the filters use, and the sentences behind each κ."""

    annotator: str
    judgements: int
    kappa_intra: float | None
    kappa_inter: float | None
    sentences_intra: int
    sentences_inter: int
    controls: float | None


class LeftOutPart(TypedDict):
    """`judgements` `of` all are excluded; `repeats` are of annotators who are not excluded.

    `spared` are annotators with a lower κ who stay because it comes from too few sentences.
    """

    annotators: list[LeftOutAnnotatorRow]
    spared: list[LeftOutAnnotatorRow]
    repeats: int
    judgements: int
    of: int


class ProjectPart(TypedDict):
    """The project; `prepared` names the parser and the aligner.

    Of files of judgements, `name` is that of the files, and `prepared` says which they are and how
    they were read; the languages are "" if the format does not name them.
    """

    name: str
    source_language: str
    target_language: str
    systems: int
    sentences: int
    segments: int
    candidates: int
    prepared: list[str]


class ExcludedPart(TypedDict):
    """What administrators excluded from the project; `discarded` are judgements."""

    sentences: int
    segments: int
    candidates: int
    discarded: int


class JudgedPart(TypedDict):
    """What there is to judge, and how much of it the report covers.

    `sentences_left` have no judgement at all, filters of the report aside. `units` is the number of
    documents or blocks that are judged, if these are sampled. `seconds_per_segment` is the mean of
    all judgements, `seconds_per_sentence` that by the judgements of a sentence, repeats included.
    `narrowed` judgements of undecided systems only come on top, and are in no part but `undecided`.
    """

    sentences: int
    sentences_judged: int
    sentences_left: int
    segments: int
    segments_judged: int
    judgements: int
    narrowed: int
    unidentified: int
    seconds_per_segment: float | None
    seconds_per_sentence: float | None
    units: NotRequired[int]


class PoweredRow(TypedDict):
    """A system's ratio of wins by judgements and predictions, and the `plain` one by judgements.

    `weight` (λ) is how much of the prediction is used. Widths of the interval to be expected after
    100 and 1000 more sentences.
    """

    system: str
    score: float | None
    low: float | None
    high: float | None
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    cluster: int | None
    weight: float
    plain: float | None
    plain_low: float | None
    plain_high: float | None
    after_100: float | None
    after_1000: float | None


class PoweredPairRow(TypedDict):
    """How often `system` beats `other` for the project's sentences, with predictions."""

    system: str
    other: str
    win_rate: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None


class PoweredPart(TypedDict):
    """Prediction-powered estimates for the `sentences` of the project; some are `judged`.

    `width_ratio` is the mean width of the intervals by that of the plain ones. `undefined` says why
    there are none.
    """

    systems: list[PoweredRow]
    pairs: list[PoweredPairRow]
    judged: int
    sentences: int
    width_ratio: float | None
    undefined: str
    signature: str


class ReusedSystemRow(TypedDict):
    """What stored answers say of a system: of its texts in `segments` with answers about others.

    `hits` have an identical judged text; their `answers` are numbers by step, from the best.
    `missing` have nothing to compare. `best_of_all` is the share of the best step in all answers
    about identical texts, `best_of_decided` that without the step that says neither yes nor no,
    None if there is no such step. The reasons of undefined figures are in them.
    """

    system: str
    segments: int
    hits: int
    missing: int
    hit_rate: float | None
    average_distance_of_misses: float | None
    answers: list[int]
    exact_grade: EstimateRow
    extrapolated_grade: EstimateRow
    best_of_all: EstimateRow
    best_of_decided: EstimateRow | None
    # Of systems that people judged, and that were left out.
    real_grade: NotRequired[EstimateRow]
    real_best_of_all: NotRequired[EstimateRow]
    real_best_of_decided: NotRequired[EstimateRow | None]


class ExtrapolationErrorsRow(TypedDict):
    """How far extrapolated grades of the project's own systems are off, each left out.

    They are of `texts` texts; `misses` of them are identical to no other one. A `bias` above 0
    means that extrapolated grades are too good.
    """

    texts: int
    misses: int
    absolute: EstimateRow
    bias: EstimateRow
    absolute_of_misses: EstimateRow
    bias_of_misses: EstimateRow


class ReusedAnswersPart(TypedDict):
    """What the answers about other systems' texts say of systems, with the steps of the `scale`."""

    method: str
    scale: list[str]
    systems: list[ReusedSystemRow]
    errors: ExtrapolationErrorsRow
    signature: str


class EstimatedSystemRow(TypedDict):
    """A system that was added and is judged by sampled segments only; not among the ranked ones.

    `score` is the ratio of wins: predicted from texts, and from FEWEST_JUDGED judged segments on,
    `judged` of the `sampled`, corrected by them with `weight`. The ranks are those among `others`,
    by name. `needed` more judged segments make the interval ± 0.01; None if no number does.
    They take annotators `seconds`, None if their speed is unknown.
    `undefined` says why there is no score. Where answers are steps of a scale, `reused` has what
    those about the other systems' texts say; older reports do not have it.
    """

    system: str
    score: float | None
    low: float | None
    high: float | None
    rank: int | None
    best_rank: int | None
    worst_rank: int | None
    others: list[dict[str, Any]]
    predicted: float | None
    predicted_low: float | None
    predicted_high: float | None
    sampled: int
    judged: int
    weight: float
    needed: int | None
    seconds: float | None
    undefined: str
    signature: str
    reused: NotRequired[ReusedAnswersPart]


class UndecidedPart(TypedDict):
    """The ranking of the `systems` that an administrator, `by` name, left undecided at `when`.

    `estimand` says what its scores are. Of the `judgements` with two candidates of these systems,
    before filters, `narrowed` showed only candidates of undecided ones; `unused` ones were narrowed
    by other decisions, and lack candidates of these systems.
    """

    systems: list[str]
    decided: list[str]
    when: str
    by: str
    estimand: str
    judgements: int
    sentences: int
    narrowed: int
    unused: int
    ranking: RankingPart
    significance: SignificancePart


class StepRow(EstimateRow):
    """The `count` of answers with this step, and their share of all answers with its intervals."""

    count: int


class AnsweredSystemRow(TypedDict):
    """The answers about a system, by step from the best, in `sentences` sentences.

    `grade` is the mean of the grades of its answers. `decided` is the share of the best step in
    those answers that are not the middle one of three; None if there are not three steps.
    """

    system: str
    sentences: int
    answers: int
    steps: list[StepRow]
    grade: EstimateRow
    decided: EstimateRow | None


class LabelRow(EstimateRow):
    """κ: the labels of `agree` of `compared` pairs of judgements, of `items` candidates, agree."""

    agree: int
    compared: int
    observed: float | None
    items: int


class LabelAgreementPart(TypedDict):
    """Agreement about the steps of candidates; `expected` is 1 by the number of labels."""

    expected: float
    intra: LabelRow
    inter: LabelRow
    signature: str


class GradePairRow(TypedDict):
    """The mean `difference` of the grades of `system` and `other` in `compared` judgements.

    `p` is for other sentences, `wide_p` for other annotators too.
    """

    system: str
    other: str
    compared: int
    difference: EstimateRow
    p: float | None
    p_holm: float | None
    wide_p: float | None
    wide_p_holm: float | None


class GradePairsPart(TypedDict):
    """All pairs of systems; `only_sentences` says why no p is for other annotators."""

    pairs: list[GradePairRow]
    only_sentences: str
    signature: str


class AnswersPart(TypedDict):
    """Answers on a scale, whose `steps` are labels from the best; systems by grade.

    `grades` are what the steps count as in means.

    The labels are English, and translated where they are shown, unless they are the project's own.
    `decided_agreement` leaves the middle one of three steps out; None if there are not three.
    `only_sentences` says why there are no intervals for other annotators.
    """

    steps: list[str]
    grades: list[float]
    own_labels: bool
    systems: list[AnsweredSystemRow]
    pairs: GradePairsPart
    only_sentences: str
    agreement: LabelAgreementPart
    decided_agreement: LabelAgreementPart | None
    signature: str


class MarkedSystemRow(EstimateRow):
    """The mean score of a system over `segments`, from `judgements`.

    `minor` and `major` are the mean numbers of errors marked in a judgement, `omissions` the share
    of judgements that report one. Ranks and clusters are as in WMT24.
    """

    system: str
    segments: int
    judgements: int
    minor: float
    major: float
    omissions: float
    best_rank: int
    worst_rank: int
    cluster: int


class ScorePairsRow(TypedDict):
    """Pairs of scores of one candidate: correlation and mean absolute difference."""

    pairs: int
    correlation: EstimateRow
    difference: EstimateRow


class MarkPairsRow(TypedDict):
    """Pairs of judgements of one candidate: F1 of the characters marked, and of those with the same
    severity; pairs in which both, one and neither report an omission."""

    pairs: int
    f1: EstimateRow
    severity_f1: EstimateRow
    omissions: list[int]


class MarkedErrorsPart(TypedDict):
    """Scores and marked errors of whole translations; systems by score, the best first."""

    systems: list[MarkedSystemRow]
    significant_below: float
    signature: str
    alpha: UnitsRow
    scores_intra: ScorePairsRow
    scores_inter: ScorePairsRow
    scores_signature: str
    marks_intra: MarkPairsRow
    marks_inter: MarkPairsRow
    marks_signature: str


class AssessedSystemRow(EstimateRow):
    """A system by direct assessment: mean z with intervals, N segments, N.ALL scores.

    `raw` is the mean of the scores as given. `wins` counts the systems that it is better than;
    `cluster` is by the rule of textbooks, `published_cluster` by that of WMT.
    """

    system: str
    raw: float | None
    segments: int
    assessments: int
    wins: int
    cluster: int
    published_cluster: int


class PairedTestRow(TypedDict):
    """Control items less their originals, over `pairs` of both; `undefined` says why p is None."""

    pairs: int
    difference: float | None
    distance: float | None
    p: float | None
    undefined: str


class AssessorRow(TypedDict):
    """How an annotator used the scale, and what control items say.

    `outputs`, `references` and `degraded` are mean scores. `low` is the test that degraded outputs
    are lower, `repeats` that the second score differs. `flags` are names of reasons to look closer.
    """

    annotator: str
    assessments: int
    mean: float | None
    deviation: float | None
    outputs: float | None
    references: float | None
    degraded: float | None
    low: PairedTestRow
    repeats: PairedTestRow
    passed: bool
    longest_run: int
    flags: list[str]


class AssessmentsPart(TypedDict):
    """Scores from 0 to 100: systems best first, p that the row beats the column, annotators.

    `asked` counts scores of outputs, repeats, references and degraded outputs. `unscored` systems
    have only scores that do not vary. `dropped` annotators gave only one score, or equal ones.
    """

    asked: dict[str, int]
    systems: list[AssessedSystemRow]
    p: list[list[float | None]]
    unscored: list[str]
    dropped: list[str]
    annotators: list[AssessorRow]
    passed: int
    tested: bool
    unidentified: int
    signature: str
    test_signature: str


class EditedSystemRow(TypedDict):
    """HTER of a system, of its `outputs` in `sentences` that were edited or needed no corrections.

    An output counts each time it was judged.
    """

    system: str
    outputs: int
    sentences: int
    rate: EstimateRow


class EditRatesPart(TypedDict):
    """HTER of systems, the least edited first, and by sentence.

    `rates` has a row for each of the `sentences` (numbers) and an element for each system in the
    same order, None where nothing of it was edited. `only_sentences` says why there are no
    intervals for other annotators.
    """

    systems: list[EditedSystemRow]
    sentences: list[int]
    rates: list[list[float | None]]
    only_sentences: str
    signature: str


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
    # None if candidates were ranked.
    answers: AnswersPart | None
    # None unless candidates were edited.
    edit_rates: EditRatesPart | None
    rankings: dict[str, RankingPart]
    # Of a kind that shows one translation at a time, and with something judged.
    assessments: NotRequired[AssessmentsPart | None]
    # None if they were not asked for.
    powered: PoweredPart | None
    estimated: list[EstimatedSystemRow]
    # None if annotators see the candidates of all systems.
    undecided: UndecidedPart | None
    significance: SignificancePart
    power: PowerPart
    agreement: AgreementPart
    disagreement: DisagreementPart
    annotators: list[AnnotatorRow]
    annotator_effects: AnnotatorEffectsPart
    pairs: list[PairRow]
    learning_curve: CurvePart
    sequence: SequencePart
    drift: DriftPart
    disputed: list[DisputedRow]
    contrasts: list[ContrastRow]
    left_out: LeftOutPart
    # Where annotators mark errors.
    marked_errors: NotRequired[MarkedErrorsPart]
    # Missing in older reports, and in reports of files.
    excluded: NotRequired[ExcludedPart]
