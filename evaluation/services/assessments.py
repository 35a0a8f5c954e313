"""Findings from files of direct assessments, without a project and without the database."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from annotation.formats.errors import InputError
from annotation.formats.fingerprints import fingerprint
from annotation.formats.problems import raise_problems
from evaluation.findings import score_model
from evaluation.findings.assessments import (
    checks_table,
    scales_table,
    segments_table,
    tables_of_pair,
)
from evaluation.findings.conclusions import tables_of
from evaluation.findings.evidence import DOCUMENTS
from evaluation.findings.scoped_tables import ScopedTables
from evaluation.formats.assessments import IN_DOCUMENT, AssessmentFiles, read_assessments
from evaluation.formats.file_kinds import READ_BY, kind_of
from evaluation.rendering.tables import Table
from evaluation.services.file_findings import DIGITS
from evaluation.stats.annotators.assessment_model import model_assessments
from evaluation.stats.assessment.annotators import AnnotatorChecks, check_annotators
from evaluation.stats.assessment.items import OF_SYSTEMS, Assessments
from evaluation.stats.assessment.systems import AssessedSystems, compare_systems
from evaluation.stats.ranking.conclusions import conclude, fit
from evaluation.stats.score_means import SystemScores

NO_ANNOTATOR: Final = "no annotator passes, so there are no systems to compare."


def assessments_of_files(
    paths: Sequence[Path],
    *,
    all_annotators: bool,
    resamples: int,
    seed: int,
    with_model: bool = False,
    keep: int | None = None,
) -> ScopedTables:
    """Return the tables of the assessments in files, for each language pair.

    Unless `all_annotators`, only those count who pass the test of degraded outputs, if there are
    any. `with_model` adds the model of annotators, agreement, and the effect of the previous score;
    `keep` adds systems by so many annotators, the most precise.
    Raises InputError that names what is wrong in the files, with lines.
    """
    marks = [fingerprint(path) for path in paths]
    read = _read(paths)
    given = read.assessments
    checks = check_annotators(given)
    kept = given.annotator_names if all_annotators else checks.passed
    codes = [code for code, name in enumerate(given.annotator_names) if name in set(kept)]
    counted = given.select(np.isin(given.annotators, codes))
    provenance = [
        *([] if all_annotators or not checks.has_degraded else ["annotators who pass"]),
        *(f"file {mark.name} sha256 {mark.sha256[:DIGITS]}" for mark in marks),
    ]
    tables, long, missing = [checks_table(checks)], [], []
    for pair in given.language_pairs:
        of_pair = counted.of_pair(pair)
        if not len(of_pair):
            missing.append(f"{pair}: {NO_ANNOTATOR}")
            continue
        found = compare_systems(of_pair, resamples=resamples, seed=seed)
        concluded = concluded_tables_of_pair(pair, of_pair, provenance)
        tables += [*concluded[:1], *tables_of_pair(found, provenance)]
        long += [*concluded[1:], *long_tables_of_pair(found, of_pair)]
        if with_model:
            tables += model_tables_of(
                found, of_pair, provenance, resamples=resamples, seed=seed, keep=keep
            )
    return ScopedTables((*_scope(read, checks, kept), *missing), tuple(tables), tuple(long))


def concluded_tables_of_pair(
    pair: str, of_pair: Assessments, provenance: Sequence[str]
) -> list[Table]:
    """Return the systems by the model of documents, and the pairs; none if documents are unknown.

    Scores are as they were given: the model has the annotators.
    """
    rows = of_pair.of(*OF_SYSTEMS)
    names = [of_pair.segment_names[code] for code in of_pair.segments[rows].tolist()]
    documents = [name.rpartition(IN_DOCUMENT)[0] for name in names]
    if not documents or not all(documents):
        return []
    scores = SystemScores(
        of_pair.scores[rows],
        systems=of_pair.systems[rows],
        segments=of_pair.segments[rows],
        annotators=of_pair.annotators[rows],
        units=np.unique(documents, return_inverse=True)[1].astype(np.int32),
        names=len(of_pair.system_names),
        unit=DOCUMENTS,
    )
    return tables_of(
        conclude(fit(scores), of_pair.system_names, provenance=(pair, *provenance)),
        f"Systems of {pair} by the model of documents, and by published rules, by mean score",
        f"Pairs of systems of {pair} by the model of documents",
        end=f"-{pair}",
    )


def long_tables_of_pair(found: AssessedSystems, of_pair: Assessments) -> list[Table]:
    """Return the segments, and the scales of annotators if the scores were given as they are."""
    scales = [] if of_pair.standardised else [scales_table(found.standardised.scales, found.pair)]
    return [segments_table(found, of_pair), *scales]


def model_tables_of(
    found: AssessedSystems,
    of_pair: Assessments,
    provenance: Sequence[str],
    *,
    resamples: int,
    seed: int,
    keep: int | None = None,
) -> list[Table]:
    """Return the tables of the model of annotators, agreement, and the effect of the order."""
    ranked = {row.system: row.z.value for row in found.systems if row.z.value is not None}
    model = model_assessments(of_pair, resamples=resamples, seed=seed, keep=keep)
    return score_model.tables(model, ranked, provenance)


def _read(paths: Sequence[Path]) -> AssessmentFiles:
    """Read the files. Raises one InputError for all problems in them."""
    for path in paths:
        _refuse_another_kind(path)
    problems: list[InputError] = []
    read = read_assessments(paths, problems.append)
    if not problems and not len(read.assessments):
        problems.append(InputError("The files have no assessments of single translations."))
    raise_problems(problems)
    return read


def _refuse_another_kind(path: Path) -> None:
    """Raise InputError with the command for a file whose kind is known and another one."""
    try:
        kind = kind_of(path).kind
    except InputError:
        # Of no known kind, or broken: the reader of assessments says where.
        return
    if kind not in ("appraise", "assessments"):
        raise InputError(f"the file has {READ_BY[kind]}.", str(path))


def _scope(read: AssessmentFiles, checks: AnnotatorChecks, kept: Sequence[str]) -> list[str]:
    """Return how many assessments there are, and which were left out and why."""
    given = read.assessments
    sentences = [
        f"Assessments: {len(given)}. Annotators: {len(checks.annotators)}. Batches: "
        f"{len(given.batch_names)}. Language pairs: {', '.join(given.language_pairs)}."
    ]
    if given.standardised:
        sentences.append(
            "The scores are standardised already: raw ones are unknown, and differences are in "
            "standard deviations."
        )
    if read.repeated:
        sentences.append(f"Assessments that are given again, and count once: {read.repeated}.")
    if read.document_scores:
        sentences.append(f"Left out: scores of whole documents: {read.document_scores}.")
    if read.revised:
        sentences.append(f"Left out: answers that the same user revised: {read.revised}.")
    return sentences + who_counts(checks, kept)


def who_counts(checks: AnnotatorChecks, kept: Sequence[str]) -> list[str]:
    """Return which annotators the comparison of systems leaves out, and why."""
    sentences = []
    if not checks.has_degraded:
        sentences.append("No output was degraded, so annotators cannot be tested: all count.")
    elif len(kept) < len(checks.annotators):
        out = len(checks.annotators) - len(kept)
        sentences.append(
            f"Systems are compared by the {len(kept)} annotators who pass; {out} do not "
            "(--all-annotators includes them)."
        )
    return sentences
