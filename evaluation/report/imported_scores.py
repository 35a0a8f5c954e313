"""Scores of metrics from files, as metrics of a project: ESIM, COMET, BEER and others."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import file_digest
from itertools import chain, count
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _
from evaluation.findings.metric_scores import ScoredMetric
from evaluation.formats.language_pairs import same_pair
from evaluation.formats.score_files import ScoreFiles
from evaluation.formats.score_layouts import COMBINED
from evaluation.formats.score_tables import MISSING, ScoreTable
from evaluation.formats.system_names import SystemNames
from evaluation.meta.resampled_metrics import SentenceStatistics
from evaluation.metrics.metric import mean_score
from evaluation.stats.estimates import VERSION
from evaluation.stats.resampling import Floats

# What files call scores of people in a column beside those of metrics.
HUMAN_COLUMN: Final = "HUMAN"
# What WMT22 calls the scores of all domains together.
ALL_DOMAINS: Final = "all"
SOURCE_OF_SCORES: Final = "imported"
# Scores of systems that are off the means of sentence scores by less than this share of their
# standard deviation are these means, rounded.
ROUNDED: Final = 0.01


class Origin(NamedTuple):
    """What distinguishes scores of one metric: reference, test set and domain."""

    metric: str
    reference: str
    test_set: str
    domain: str


@dataclass(frozen=True, eq=False)
class ImportedScores:
    """Metrics of files, aligned to a project's systems and sentences, and what is wrong with them.

    Each of the `problems` is one sentence. A score that is missing is NaN.
    """

    metrics: tuple[ScoredMetric, ...]
    problems: tuple[InputError, ...]


def of_metrics(table: ScoreTable) -> tuple[str, ...]:
    """Return the names in a table of metrics; people's scores may stand beside them."""
    combined = COMBINED.name in table.layouts
    return tuple(name for name in table.metrics if not (combined and name.startswith(HUMAN_COLUMN)))


def named_metrics(tables: Iterable[ScoreTable]) -> dict[str, list[ScoreTable]]:
    """Return tables of the scores of one metric each, by a name of its own.

    Where one metric was compared with several references, or in several test sets or domains, its
    name has them too: "COMET-refB".
    """
    origins: dict[Origin, list[ScoreTable]] = {}
    for table in tables:
        domain = "" if table.domain == ALL_DOMAINS else table.domain
        for metric in of_metrics(table):
            origin = Origin(metric, table.reference, table.test_set, domain)
            origins.setdefault(origin, []).append(only(table, metric))
    named: dict[str, list[ScoreTable]] = {}
    for origin, found in origins.items():
        others = [other for other in origins if other.metric == origin.metric]
        parts = [
            part
            for part, *values in zip(origin, *others, strict=True)
            if part and len(set(values)) > 1
        ]
        # A metric of a file may be called so itself.
        named[_unused("-".join((origin.metric, *parts)), named)] = found
    return named


def _unused(name: str, taken: Collection[str]) -> str:
    """Return the name, with a number if it is taken."""
    numbered = (f"{name} ({number})" for number in count(2))
    return next(one for one in chain([name], numbered) if one not in taken)


def import_scores(
    files: ScoreFiles,
    *,
    pair: str,
    systems: Sequence[str],
    all_systems: Collection[str],
    sentence_numbers: Sequence[int],
    all_sentence_numbers: Collection[int],
    taken: Collection[str] = (),
    names: SystemNames | None = None,
) -> ImportedScores:
    """Return the scores of files for the judged systems (K) and sentences (S) of a project.

    Segments are sentence numbers. Only systems and sentences that are not among all of the project
    are unknown. `names` maps the files' names of systems; names of metrics that are `taken` get
    " (file)". A metric can be resampled if its scores of systems are the means of its scores of the
    project's sentences. Raises InputError if the files have people's assessments, or no scores of
    the language pair.
    """
    files.refuse_assessments()
    tables = [
        table
        for table in files.tables
        if table.level in ("sys", "seg") and of_metrics(table) and same_pair(table.pair, pair)
    ]
    if not tables:
        raise InputError(
            _("%(files)s: there is no score of systems or sentences of %(pair)s by a metric."),
            files=", ".join(files.files),
            pair=pair,
        )
    digests = {name: digest_of(Path(name)) for table in tables for name in table.files}
    metrics: list[ScoredMetric] = []
    problems: list[InputError] = []
    for name, of_metric in named_metrics(tables).items():
        of_systems: Floats = np.full(len(systems), np.nan)
        of_sentences: Floats | None = None
        of_all_sentences: Floats | None = None
        given: list[str] = []
        for table in of_metric:
            known = table.aligned(
                sorted(all_systems), [str(number) for number in sorted(all_sentence_numbers)], names
            )
            judged = table.aligned(
                tuple(systems), [str(number) for number in sentence_numbers], names
            )
            findings = [finding for finding in known.findings if finding.kind != MISSING]
            findings += [finding for finding in judged.findings if finding.kind == MISSING]
            problems += [finding.problem for finding in findings]
            if table.level == "sys":
                of_systems = judged.scores[0]
            else:
                of_sentences = judged.scores[0]
                rows = [known.systems.index(name) for name in systems]
                of_all_sentences = known.scores[0][rows]
            given += [file for file in table.files if file not in given]
        if all(table.level == "seg" for table in of_metric):
            problems.append(
                InputError(
                    _(
                        "%(metric)s: the files have scores of sentences only, so that it has no "
                        "figure of systems: give its file of systems too."
                    ),
                    metric=name,
                )
            )
        given_names = [*taken, *(metric.name for metric in metrics)]
        shown = _unused(f"{name} (file)" if name in taken else name, given_names)
        layouts = dict.fromkeys(layout for table in of_metric for layout in table.layouts)
        direction = "|lower is better: negated" if any(one.negated for one in of_metric) else ""
        metrics.append(
            ScoredMetric(
                shown,
                f"{name}|{SOURCE_OF_SCORES}|{', '.join(layouts)}{direction}|SegRanks {VERSION}",
                of_systems,
                of_sentences,
                "; ".join(f"{Path(file).name} SHA-256 {digests[file]}" for file in given),
                _mean_statistics(
                    of_systems, of_all_sentences, sorted(all_sentence_numbers), sentence_numbers
                ),
            )
        )
    return ImportedScores(tuple(metrics), tuple(problems))


def _mean_statistics(
    of_systems: Floats,
    of_sentences: Floats | None,
    numbers: Sequence[int],
    judged: Collection[int],
) -> SentenceStatistics | None:
    """Return the statistics of a metric whose scores of systems (K) are means of sentence scores.

    `of_sentences` is K × the `numbers`; sentences without a score of each system are left out. None
    if a `judged` one is, and for another metric.
    """
    if of_sentences is None:
        return None
    complete = np.asarray(np.isfinite(of_sentences).all(axis=0))
    scored = tuple(number for number, is_scored in zip(numbers, complete, strict=True) if is_scored)
    if not set(judged) <= set(scored):
        return None
    values = of_sentences[:, complete]
    differences = np.abs(values.mean(axis=1) - of_systems)
    # Also false for a missing score of a system.
    if not (differences <= ROUNDED * of_systems.std()).all():
        return None
    statistics = np.stack([values, np.ones(values.shape)], axis=2)
    return SentenceStatistics(statistics, mean_score, scored, is_mean=True)


def only(table: ScoreTable, metric: str) -> ScoreTable:
    """Return the table of one of its metrics, with its files and the findings about it."""
    place = table.metrics.index(metric)
    return replace(
        table,
        metrics=(metric,),
        scores=table.scores[place : place + 1],
        files=table.metric_files[place] if table.metric_files else table.files,
        metric_files=table.metric_files[place : place + 1],
        negated=(metric,) if metric in table.negated else (),
        findings=tuple(finding for finding in table.findings if finding.metric == metric),
    )


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()
