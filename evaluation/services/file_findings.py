"""Findings from files of judgements, without a project and without the database."""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Final

from annotation.formats.fingerprints import fingerprint
from annotation.process import clock
from evaluation.findings.evidence import Evidence
from evaluation.findings.judged import JudgedProject
from evaluation.findings.options import ReportOptions
from evaluation.findings.ranking_of_files import PublishedAgreement, RankingOfFiles
from evaluation.findings.report import Report, Surroundings, compute
from evaluation.formats.judgement_files import (
    SEGMENT_FORMATS,
    Choice,
    JudgementFiles,
    read_judgements,
)
from evaluation.stats.agreement.intervals import agreement_with_intervals
from evaluation.stats.agreement.kappa import Agreement
from evaluation.stats.agreement.wmt_kappa import measure_as_published
from evaluation.stats.ranking.significance import compare_pairs
from evaluation.stats.ranking.systems import rank_all

# Hexadecimal digits of the SHA-256 of a file that signatures have.
DIGITS: Final = 16


def report_of_files(choice: Choice, options: ReportOptions) -> Report:
    """Return the report of the judgements in files. Raises InputError, with file and line."""
    begun = perf_counter()
    made_of = _fingerprints(choice)
    read = read_judgements(choice)
    loaded = perf_counter()
    judgements = replace(read.judgements, provenance=tuple(_provenance(choice, read, made_of)))
    source, _, target = read.pair.partition("-")
    names = [path.name for path in choice.files]
    report = compute(
        Evidence(
            judgements,
            options,
            knows_missing=choice.format in SEGMENT_FORMATS,
            words=lambda _segments: read.words,
            lengths=lambda: read.lengths,
        ),
        Surroundings(
            project=JudgedProject(
                name=", ".join([*names, read.pair] if read.pair else names),
                source_language=source,
                target_language=target,
                systems=len(read.judgements.system_names),
                sentences=read.sentences,
                segments=read.segments,
                candidates=read.candidates,
                prepared=judgements.provenance,
            ),
            made=clock.now().isoformat(timespec="seconds"),
            sentences=read.sentences,
            sentences_left=read.sentences - read.judgements.sentences_judged,
        ),
    )
    seconds = {
        "loading": round(loaded - begun, 4),
        **report.seconds,
        "total": round(perf_counter() - begun, 4),
    }
    return replace(report, seconds=seconds)


def ranking_of_files(choice: Choice, method: str, *, resamples: int, seed: int) -> RankingOfFiles:
    """Return ranking, pairs of systems and agreement. Raises InputError, with file and line."""
    made_of = _fingerprints(choice)
    read = read_judgements(choice)
    judgements = replace(read.judgements, provenance=tuple(_provenance(choice, read, made_of)))
    evidence = Evidence(
        judgements,
        ReportOptions(resamples=resamples, seed=seed),
        knows_missing=choice.format in SEGMENT_FORMATS,
    )
    counted: dict[str, Any] = {"seed": seed, "cells": evidence.cells, "texts": evidence.same_texts}
    published = measure_as_published(judgements)
    return RankingOfFiles(
        method=method,
        ranking=rank_all(judgements, resamples=resamples, methods=(method,), **counted)[method],
        significance=compare_pairs(judgements, draws=resamples, **counted),
        agreement=agreement_with_intervals(judgements, resamples=resamples, seed=seed),
        intra_published=_published(published.intra),
        inter_published=_published(published.inter),
        judgements=len(judgements),
        repeated=read.repeated,
        sentences=judgements.sentences_judged,
        annotators=len(judgements.annotator_names),
        resamples=resamples,
        seed=seed,
    )


def _published(agreement: Agreement) -> PublishedAgreement:
    return PublishedAgreement(
        agree=agreement.agree,
        compared=agreement.compared,
        observed=agreement.observed,
        expected=agreement.chance.expected,
        kappa=agreement.kappa,
        undefined=agreement.undefined.value if agreement.undefined else "",
    )


def _fingerprints(choice: Choice) -> list[str]:
    """Return the role, the name and the first digits of the SHA-256 of each file.

    Raises InputError for a file that cannot be read, or is a pipe.
    """
    others = (("segments", choice.segments), ("systems", choice.systems))
    roles = [
        *(("file", path) for path in choice.files),
        *((role, path) for role, path in others if path is not None),
    ]
    marks = ((role, fingerprint(path)) for role, path in roles)
    return [f"{role} {mark.name} sha256 {mark.sha256[:DIGITS]}" for role, mark in marks]


def _provenance(choice: Choice, read: JudgementFiles, made_of: Sequence[str]) -> list[str]:
    """Return what signatures say of the files and of how they were read."""
    pair = [f"pair {read.pair}"] if read.pair else []
    without = [f"without {name}" for name in choice.without]
    repeated = [f"given again, counted once {read.repeated}"] if read.repeated else []
    return [f"format {choice.format}", *pair, *made_of, *repeated, *without]
