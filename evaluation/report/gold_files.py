"""How far metrics agree with people where both come from files, without a project.

People's scores of systems are official ones, or means of their scores of segments; their opinions
of segments are preferred pairs, rankings, or scores. Each language pair is evaluated for itself.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from annotation.formats.problems import ErrorList
from evaluation.findings import metric_segments, metric_systems
from evaluation.findings.metric_scores import DecisionTest, outlier_notes
from evaluation.findings.metric_segments import (
    MeanTaus,
    ScoreAgreement,
    agreement_of_scores,
    mean_taus,
)
from evaluation.findings.serialisation import as_stored
from evaluation.formats.file_kinds import Kind
from evaluation.formats.human_scores import RAW, STANDARDISED, PairTable
from evaluation.formats.language_pairs import find_pair, pair_in_codes, same_pair
from evaluation.formats.metrics_eval_folder import EvalSet, pairs_of, read_eval_set
from evaluation.formats.score_files import read_scores
from evaluation.formats.score_layouts import COMBINED
from evaluation.formats.score_tables import MISSING, UNKNOWN_SYSTEM, ScoreTable
from evaluation.formats.system_names import SystemNames, same_systems
from evaluation.meta.decisions import Decisions, compare_decisions, paired_t_p
from evaluation.meta.direct_assessment import assessed_pairs
from evaluation.meta.gold_pairs import GoldPairs, pairs_of_systems
from evaluation.meta.segment_tau import MetricTaus, segment_taus
from evaluation.meta.soft_accuracy import SegmentScores
from evaluation.meta.system_level import (
    PooledAccuracy,
    SystemLevel,
    evaluate_systems,
    pool_accuracy,
)
from evaluation.meta.system_scores import SystemScores
from evaluation.rendering.tables import Table
from evaluation.rendering.text import Text
from evaluation.report.imported_scores import HUMAN_COLUMN, digest_of, named_metrics
from evaluation.report.judged_gold import judged_kind, judged_tables
from evaluation.stats.estimates import VERSION
from evaluation.stats.resampling import Floats, shares

# The human scores that are compared unless one is named.
OF_SYSTEMS: Final = (STANDARDISED, HUMAN_COLUMN)
# Differences of 25 points are of raw scores.
OF_SEGMENTS: Final = (RAW,)


@dataclass(frozen=True)
class GoldOptions:
    """What is compared and how: names of human scores and outliers, systems to leave out.

    `gold` names a human score, "" for the usual one; `outliers` None are found by MAD; `names` maps
    the metrics' names of systems to the gold's.
    """

    gold: str = ""
    outliers: tuple[str, ...] | None = None
    without: tuple[str, ...] = ()
    pairs: tuple[str, ...] = ()
    names: SystemNames | None = None
    resamples: int = 1000
    seed: int = 0


@dataclass(frozen=True, eq=False)
class GoldInput:
    """Human gold and scores of metrics; `references` are outputs that metrics compared with."""

    gold: tuple[ScoreTable, ...]
    gold_pairs: tuple[PairTable, ...]
    metrics: tuple[ScoreTable, ...]
    references: Mapping[str, frozenset[str]]
    files: Mapping[str, str]
    problems: tuple[InputError, ...]


@dataclass(frozen=True)
class SegmentFindings:
    """τ of metrics over one kind of pairs; agreement of scores where people scored the segments."""

    kind: str
    taus: tuple[MetricTaus, ...]
    score_agreement: dict[str, ScoreAgreement]


@dataclass(frozen=True, eq=False)
class PairFindings:
    """Findings about one language pair; `system_level` is None without human scores of systems.

    `gold` names the human score of the systems. `decisions` are those of the metrics that scored
    all segments that people scored.
    """

    pair: str
    gold: str
    system_level: SystemLevel | None
    segment_level: tuple[SegmentFindings, ...]
    decisions: dict[str, Decisions]
    problems: tuple[str, ...]


@dataclass(frozen=True)
class GoldFile:
    file: str
    sha256: str


@dataclass(frozen=True, eq=False)
class GoldReport:
    """How far metrics agree with human gold of files, by language pair and over all of them.

    What is over all language pairs is empty if there is one. `pooled` are by falling accuracy.
    """

    signature: str
    files: tuple[GoldFile, ...]
    without: tuple[str, ...]
    problems: tuple[str, ...]
    pairs: tuple[PairFindings, ...]
    pooled: tuple[PooledAccuracy, ...]
    decisions: dict[str, Decisions]
    mean_taus: tuple[MeanTaus, ...]


# --- reading ---


def read_gold(
    gold: Sequence[Path],
    scores: Sequence[Path],
    *,
    lower_is_better: Collection[str] = (),
    all_annotators: bool = False,
    weights: str = "",
) -> GoldInput:
    """Read files of human gold and of metrics; a folder is a test set of mt-metrics-eval.

    Of metrics in `scores` lower scores may be better. `all_annotators` includes those who do not
    pass the test of direct assessment. `weights` are those of MQM's error points, by name.

    In a file with people's scores beside those of metrics, both are read from either list. Raises
    one InputError for all that is wrong in the files, also if there is no gold or no metric.
    """
    errors = ErrorList()
    sets = [(path, list(_eval_sets(path, errors))) for path in (*gold, *scores) if path.is_dir()]
    of_files = [path for path in gold if not path.is_dir()]
    kinds: dict[Path, Kind | None] = {}
    for path in of_files:
        try:
            kinds[path] = judged_kind(path)
        except InputError as problem:
            errors.add(problem)
    judged, notes = judged_tables(
        {path: kind for path, kind in kinds.items() if kind},
        errors.add,
        all_annotators=all_annotators,
        weights=weights,
    )
    of_gold = read_scores([path for path, kind in kinds.items() if not kind], on_error=errors.add)
    of_scores = read_scores(
        [path for path in scores if not path.is_dir()],
        lower_is_better=lower_is_better,
        on_error=errors.add,
    )
    errors.raise_all()
    of_scores.refuse_assessments()
    combined = [table for table in of_gold.tables if COMBINED.name in table.layouts]
    human = [*of_gold.tables, *judged]
    metrics = [*combined, *of_scores.tables]
    references: dict[str, frozenset[str]] = {}
    for path, of_folder in sets:
        for one in of_folder:
            if path in gold:
                human += one.human
            metrics += one.metrics
            compared = frozenset().union(*(one.references_of(table) for table in one.metrics))
            references[one.pair] = references.get(one.pair, frozenset()) | (
                compared & one.outputs.keys()
            )
    if not human and not of_gold.pairs:
        raise InputError(
            _("%(files)s: there is no human gold of systems or segments: give scores or pairs."),
            files=", ".join(map(str, gold)),
        )
    if not named_metrics(metrics):
        raise InputError(_("There is no score of a metric: give --scores FILE."))
    files = {name: digest_of(Path(name)) for name in _files((*human, *metrics), of_gold.pairs)}
    problems = notes + [
        finding.problem
        for table in dict.fromkeys((*of_gold.tables, *of_scores.tables))
        for finding in table.findings
        if finding.kind != MISSING
    ]
    problems += [
        InputError(
            _("Comparisons that are given again, and count once: %(count)d (%(files)s)."),
            count=pairs.given_again,
            files=", ".join(pairs.files),
        )
        for pairs in of_gold.pairs
        if pairs.given_again
    ]
    return GoldInput(
        tuple(replace(table, pair=pair_in_codes(table.pair)) for table in human),
        tuple(replace(pairs, pair=pair_in_codes(pairs.pair)) for pairs in of_gold.pairs),
        tuple(metrics),
        {pair_in_codes(pair): names for pair, names in references.items()},
        files,
        tuple(problems),
    )


def _files(tables: Iterable[ScoreTable], pairs: Iterable[PairTable]) -> Iterator[str]:
    for scores in tables:
        yield from scores.files
    for compared in pairs:
        yield from compared.files


def _gold_language_pairs(given: GoldInput) -> list[str]:
    return list(
        dict.fromkeys(
            (*(table.pair for table in given.gold), *(pairs.pair for pairs in given.gold_pairs))
        )
    )


def _eval_sets(folder: Path, errors: ErrorList) -> Iterator[EvalSet]:
    """Yield the language pairs that can be read, and add the errors of others."""
    try:
        pairs = pairs_of(folder)
    except InputError as problem:
        errors.add(problem)
        return
    for pair in pairs:
        try:
            yield read_eval_set(folder, pair)
        except InputError as problem:
            errors.add(problem)


def gold_systems(given: GoldInput) -> set[str]:
    """Return the systems that people judged."""
    systems = {name for table in given.gold for name in table.systems}
    return systems | {name for compared in given.gold_pairs for name in compared.systems}


# --- evaluation ---


def evaluate_gold(given: GoldInput, options: GoldOptions) -> GoldReport:
    """Return the findings about all language pairs that have both gold and metrics.

    Raises InputError for an unknown gold, outlier, system or language pair, and if no language
    pair has both.
    """
    metrics = [table for table in given.metrics if table.level in ("sys", "seg")]
    of_metrics = {table.pair for table in metrics}
    of_gold = _gold_language_pairs(given)
    if "" in of_gold and len(of_metrics) > 1:
        raise InputError(
            _(
                "The gold does not say its language pair, and the scores are of several: name the "
                "file of gold such as human.cs-en."
            )
        )
    pairs = [pair for pair in of_gold if any(same_pair(pair, other) for other in of_metrics)]
    _check_names(given, options, pairs)
    wanted = {find_pair(pair, pairs) for pair in options.pairs}
    chosen = [pair for pair in pairs if not wanted or pair in wanted]
    found = [_evaluate(pair, given, metrics, options) for pair in chosen]
    found = [one for one in found if one.system_level or one.segment_level]
    if not found:
        raise InputError(
            _(
                "No language pair has both gold and metrics: the gold is of %(gold)s, the scores "
                "of %(metrics)s."
            ),
            gold=_listed(of_gold),
            metrics=_listed(sorted(of_metrics)),
        )
    levels = [one.segment_level for one in found if one.segment_level]
    return as_stored(
        GoldReport(
            signature="|".join(
                (
                    "metrics and gold of files",
                    f"gold {options.gold or 'as usual'}",
                    f"{options.resamples} resamples",
                    f"seed {options.seed}",
                    f"SegRanks {VERSION}",
                )
            ),
            files=tuple(GoldFile(name, digest) for name, digest in given.files.items()),
            without=options.without,
            problems=tuple(str(problem) for problem in given.problems),
            pairs=tuple(found),
            pooled=_pooled(found),
            decisions=_all_decisions(found) if len(found) > 1 else {},
            # Means are of language pairs with one kind of pairs each.
            mean_taus=mean_taus([of_pair[0].taus for of_pair in levels])
            if all(len(of_pair) == 1 for of_pair in levels)
            else (),
        )
    )


def _listed(names: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(name or "?" for name in names)) or "–"


def _check_names(given: GoldInput, options: GoldOptions, pairs: Collection[str]) -> None:
    known = dict.fromkeys(name for table in given.gold for name in human_names(table))
    if options.gold and options.gold not in known:
        raise InputError(
            _("There is no human score %(name)r; there are %(known)s."),
            name=options.gold,
            known=_listed(known),
        )
    systems = gold_systems(given)
    for name in (*(options.outliers or ()), *options.without):
        if name not in systems:
            raise InputError(
                _("There is no judged system %(name)r to leave out; there are %(known)s."),
                name=name,
                known=_listed(sorted(systems)),
            )
    for pair in options.pairs:
        if find_pair(pair, pairs) is None:
            raise InputError(
                _("There is no language pair %(pair)r with gold and metrics; there are %(known)s."),
                pair=pair,
                known=_listed(pairs),
            )


def human_names(table: ScoreTable) -> tuple[str, ...]:
    """Return the names of people's scores; in other tables of gold, all are theirs."""
    if COMBINED.name in table.layouts:
        return tuple(name for name in table.metrics if name.startswith(HUMAN_COLUMN))
    return table.metrics


def _evaluate(
    pair: str, given: GoldInput, metrics: Sequence[ScoreTable], options: GoldOptions
) -> PairFindings:
    tables = [table for table in given.gold if table.pair == pair]
    left_out = {*options.without, *given.references.get(pair, ())}
    of_segments = _chosen(tables, "seg", options.gold, OF_SEGMENTS)
    of_systems = _chosen(tables, "sys", options.gold, OF_SYSTEMS)
    level, gold = None, ""
    decisions: dict[str, Decisions] = {}
    problems: list[InputError] = []
    if of_systems or of_segments:
        # The human score of segments that is that of the systems: raw ones are another.
        of_them = of_systems.metrics[0] if of_systems else STANDARDISED
        same = OF_SYSTEMS if of_them in OF_SYSTEMS else (of_them,)
        judged = _chosen(tables, "seg", options.gold, same)
        systems, human, gold = _gold_of_systems(of_systems, judged, left_out)
        if of_systems and judged and judged.metrics[0] not in same:
            problems.append(
                InputError(
                    _(
                        "There is no soft accuracy: people's scores of systems are %(systems)s, "
                        "those of segments %(segments)s."
                    ),
                    systems=of_them,
                    segments=judged.metrics[0],
                )
            )
            judged = None
        test_set = (of_systems or judged or of_segments or tables[0]).test_set
        fitting = _fitting(metrics, pair, test_set)
        compared = None if judged is None else judged.aligned(systems)
        scores = (
            {}
            if compared is None
            else _segment_scores(fitting, systems, compared.items, options.names, [])
        )
        level = _system_level(systems, human, compared, scores, fitting, options, problems)
        if compared is not None:
            decisions = _decisions(compared.scores[0], scores)
    segments = []
    if of_segments is not None:
        kept = of_segments.aligned([n for n in of_segments.systems if n not in left_out])
        raw = kept.metrics == (RAW,)
        scores = kept.scores[0]
        pairs = assessed_pairs(scores) if raw else assessed_pairs(scores, least_difference=0)
        fitting = _fitting(metrics, pair, kept.test_set)
        aligned = _segment_scores(fitting, kept.systems, kept.items, options.names, problems)
        segments.append(_segments(pairs, aligned, options, scores))
    for table in given.gold_pairs:
        if table.pair != pair:
            continue
        these = table.aligned(
            [name for name in table.systems if name not in left_out], table.segments
        )
        gold_pairs = pairs_of_systems(
            f"pairs ({these.layout})",
            outcomes=these.outcomes,
            first=these.first,
            second=these.second,
            segments=these.segments_of,
            shape=(len(these.systems), len(these.segments)),
        )
        fitting = _fitting(metrics, pair, these.test_set)
        aligned = _segment_scores(fitting, these.systems, these.segments, options.names, problems)
        segments.append(_segments(gold_pairs, aligned, options))
    return PairFindings(
        pair,
        gold,
        level,
        tuple(one for one in segments if one.taus),
        decisions,
        tuple(dict.fromkeys(str(problem) for problem in problems)),
    )


def _chosen(
    tables: Sequence[ScoreTable], level: str, gold: str, usual: Sequence[str]
) -> ScoreTable | None:
    """Return the one table of a human score at this level: the named, the usual, or the first."""
    names = [
        (table, name) for table in tables if table.level == level for name in human_names(table)
    ]
    # Of scores that are given standardised, or cannot be, one kind is missing.
    names = [(table, name) for table, name in names if not np.isnan(table.of(name)).all()]
    if gold:
        names = [row for row in names if row[1] == gold]
    names.sort(key=lambda row: usual.index(row[1]) if row[1] in usual else len(usual))
    if not names:
        return None
    table, name = names[0]
    place = table.metrics.index(name)
    return replace(table, metrics=(name,), scores=table.scores[place : place + 1])


def _gold_of_systems(
    of_systems: ScoreTable | None, of_segments: ScoreTable | None, left_out: Collection[str]
) -> tuple[tuple[str, ...], Floats, str]:
    """Return the systems with a human score, the scores, and what they are."""
    table = of_systems or of_segments
    assert table is not None
    scores, name = table.scores[0], table.metrics[0]
    if of_systems is None:
        # WMT's official scores count each segment once, however many people assessed it.
        known = ~np.isnan(scores)
        counts = known.sum(axis=1)
        scores = shares(np.where(known, scores, 0).sum(axis=1), counts)
        name = f"mean {name} of segments"
    kept = [
        place
        for place, system in enumerate(table.systems)
        if system not in left_out and not np.isnan(scores[place])
    ]
    return tuple(table.systems[place] for place in kept), scores[kept], name


def _fitting(tables: Sequence[ScoreTable], pair: str, test_set: str) -> list[ScoreTable]:
    return [
        table
        for table in tables
        if same_pair(table.pair, pair)
        and (not test_set or not table.test_set or table.test_set == test_set)
    ]


def _segment_scores(
    tables: Sequence[ScoreTable],
    systems: Sequence[str],
    items: Sequence[str],
    names: SystemNames | None,
    problems: list[InputError],
) -> dict[str, Floats]:
    """Return the scores, systems × segments, of each metric that scored segments.

    Adds sentences about systems without gold and missing scores to the problems.
    """
    scores = {}
    for name, of_metric in named_metrics(tables).items():
        for table in of_metric:
            if table.level == "seg":
                aligned = table.aligned(systems, items, _names(table, systems, names, problems))
                scores[name] = aligned.scores[0]
                problems += _problems(aligned)
    return scores


def _names(
    table: ScoreTable, systems: Sequence[str], given: SystemNames | None, problems: list[InputError]
) -> SystemNames:
    """Return the gold's names of the metric's systems, as given or as far as one is meant.

    Adds a sentence about the latter to the problems.
    """
    names = dict(given or {})
    same = same_systems(
        [name for name in table.systems if name not in names],
        [name for name in systems if name not in names.values()],
    )
    if same:
        problems.append(
            InputError(
                _("Systems of people and of metrics that are taken for the same: %(names)s."),
                names=", ".join(f"{ours} = {theirs}" for theirs, ours in same.items()),
            )
        )
    return names | same


def _problems(aligned: ScoreTable) -> list[InputError]:
    kinds = (UNKNOWN_SYSTEM, MISSING)
    return [finding.problem for finding in aligned.findings if finding.kind in kinds]


def _system_level(
    systems: tuple[str, ...],
    human: Floats,
    judged: ScoreTable | None,
    of_segments: Mapping[str, Floats],
    tables: Sequence[ScoreTable],
    options: GoldOptions,
    problems: list[InputError],
) -> SystemLevel | None:
    scores = {}
    for name, of_metric in named_metrics(tables).items():
        for table in of_metric:
            if table.level == "sys":
                aligned = table.aligned(
                    systems, names=_names(table, systems, options.names, problems)
                )
                scores[name] = aligned.scores[0]
                problems += _problems(aligned)
    if not scores:
        return None
    names = tuple(scores)
    segments = None
    if judged is not None:
        missing = np.full(judged.scores[0].shape, np.nan)
        segments = SegmentScores(
            names, judged.scores[0], np.array([of_segments.get(name, missing) for name in names])
        )
    outliers = options.outliers
    return evaluate_systems(
        SystemScores(systems, human, names, np.array(list(scores.values()))),
        outliers=None if outliers is None else [name for name in outliers if name in systems],
        segments=segments,
        soft_draws=options.resamples,
        resamples_of_systems=options.resamples,
        seed=options.seed,
    )


def _decisions(people: Floats, metrics: Mapping[str, Floats]) -> dict[str, Decisions]:
    """Compare decisions about pairs of systems by the segments that people scored."""
    judged = np.isfinite(people).any(axis=0)
    scored = {name: values[:, judged] for name, values in metrics.items()}
    return compare_decisions(
        people[:, judged],
        {name: paired_t_p(of) for name, of in scored.items() if np.isfinite(of).all()},
    )


def _segments(
    gold: GoldPairs,
    scores: Mapping[str, Floats],
    options: GoldOptions,
    human: Floats | None = None,
) -> SegmentFindings:
    resamples, seed = options.resamples, options.seed
    return SegmentFindings(
        gold.kind,
        segment_taus(gold, scores, resamples=resamples, seed=seed),
        {} if human is None else agreement_of_scores(human, scores, resamples=resamples, seed=seed),
    )


def _all_decisions(found: Sequence[PairFindings]) -> dict[str, Decisions]:
    """Add up the decisions about the pairs of systems of all language pairs."""
    counts: dict[str, Decisions] = {}
    for one in found:
        for name, of_pair in one.decisions.items():
            counts[name] = counts[name] + of_pair if name in counts else of_pair
    return counts


def _pooled(found: Sequence[PairFindings]) -> tuple[PooledAccuracy, ...]:
    """Return the accuracy over several language pairs, best first."""
    levels = [one.system_level.all_systems for one in found if one.system_level]
    if len(levels) < 2:
        return ()
    names = dict.fromkeys(row.metric for level in levels for row in level.metrics)
    pooled = [pool_accuracy(levels, name) for name in names]
    return tuple(sorted(pooled, key=lambda row: 1.0 if row.value is None else -row.value))


# --- text ---


def pair_heading(found: PairFindings) -> list[Text | str]:
    """Return what is known of a language pair besides its tables, a paragraph each."""
    lines: list[Text | str] = [f"=== {found.pair or 'unknown pair'} ===", *found.problems]
    level = found.system_level
    if level:
        systems = len(level.all_systems.systems)
        lines += [
            f"Gold of systems: {found.gold}, {systems} systems.",
            *outlier_notes(level.outliers),
        ]
    return lines


def pair_tables(found: PairFindings) -> list[Table]:
    level, made = found.system_level, []
    if level:
        made += metric_systems.level_tables(level, level.signature)
    for segments in found.segment_level:
        made.append(metric_segments.taus_table(segments.taus, "taus", f"τ of {segments.kind}"))
        made += metric_segments.score_tables(
            segments.score_agreement, list(segments.score_agreement)
        )
    return made + metric_systems.decision_tables(found.decisions, _t_tests(found.decisions))


def tables_of_all(found: GoldReport) -> list[Table]:
    """Return the tables over all language pairs."""
    made = [metric_systems.pooled_table(found.pooled)] if found.pooled else []
    made += metric_systems.decision_tables(
        found.decisions, _t_tests(found.decisions), found.signature, metric_systems.OF_ALL_PAIRS
    )
    return made + ([metric_segments.mean_taus_table(found.mean_taus)] if found.mean_taus else [])


def _t_tests(found: Mapping[str, Decisions]) -> dict[str, DecisionTest]:
    """Return the test of metrics in files, whose scores of systems are means."""
    return dict.fromkeys(found, "paired t-test")
