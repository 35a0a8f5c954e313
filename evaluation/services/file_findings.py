"""Findings from files of judgements, without a project and without the database."""

from collections.abc import Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Final

import numpy as np
from django.utils import timezone

from annotation.formats.fingerprints import fingerprint
from evaluation.formats.judgement_files import (
    SEGMENT_FORMATS,
    Choice,
    JudgementFiles,
    read_judgements,
)
from evaluation.report import contents
from evaluation.report.options import ReportOptions
from evaluation.report.plain import (
    as_json,
    kappa_row,
    ranking_part,
    rounded,
    signed,
    significance_part,
)
from evaluation.report.shape import ReportData, SystemRow
from evaluation.stats.agreement.intervals import agreement_with_intervals
from evaluation.stats.agreement.kappa import Agreement
from evaluation.stats.agreement.wmt_kappa import measure_as_published
from evaluation.stats.annotators.controls import ControlTable
from evaluation.stats.ranking.same_texts import SameTexts, count_same_texts
from evaluation.stats.ranking.significance import compare_pairs
from evaluation.stats.ranking.systems import rank_all
from evaluation.stats.wins import count_cells

# Hexadecimal digits of the SHA-256 of a file that signatures have.
DIGITS: Final = 16


def report_of_files(choice: Choice, options: ReportOptions) -> ReportData:
    """Return the report of the judgements in files. Raises InputError, with file and line."""
    begun = perf_counter()
    made_of = _fingerprints(choice)
    read = read_judgements(choice)
    loaded = perf_counter()
    report = contents.compute(read.judgements, ControlTable(), options)
    report = replace(report, same_texts=_known(report.same_texts, choice))
    source, _, target = read.pair.partition("-")
    names = [path.name for path in choice.files]
    data = as_json(
        report,
        project={
            "name": ", ".join([*names, read.pair] if read.pair else names),
            "source_language": source,
            "target_language": target,
            "systems": len(read.judgements.system_names),
            "sentences": read.sentences,
            "segments": read.segments,
            "candidates": read.candidates,
            "prepared": _provenance(choice, read, made_of),
        },
        sentences=read.sentences,
        sentences_left=read.sentences - read.judgements.sentences_judged,
        assignments=None,
        made=timezone.now().isoformat(timespec="seconds"),
        words=read.words,
    )
    data["seconds"] = {
        "loading": round(loaded - begun, 4),
        **data["seconds"],
        "total": round(perf_counter() - begun, 4),
    }
    return data


def ranking_of_files(choice: Choice, method: str, *, resamples: int, seed: int) -> dict[str, Any]:
    """Return ranking, pairs of systems and agreement with 6 decimals; undefined is None.

    Agreement is also as WMT published it, without intervals. Raises InputError, with file and line.
    """
    made_of = _fingerprints(choice)
    read = read_judgements(choice)
    judgements = read.judgements
    rules = _provenance(choice, read, made_of)
    texts = _known(count_same_texts(judgements), choice)
    cells = count_cells(judgements)
    drawn: dict[str, Any] = {"seed": seed, "cells": cells}
    (ranking,) = rank_all(judgements, resamples=resamples, methods=(method,), **drawn).values()
    ranked = ranking_part(ranking, judgements.system_names, texts, rules)
    significance = compare_pairs(judgements, draws=resamples, **drawn)
    agreement = agreement_with_intervals(judgements, resamples=resamples, seed=seed)
    published = measure_as_published(judgements)
    return {
        "method": method,
        **ranked,
        "systems": [{**row, "ratio_of_wins": _ratio_of_wins(row)} for row in ranked["systems"]],
        "significance": significance_part(significance, texts, rules),
        "agreement": {
            **{
                kind: {**row, "undefined": row["undefined"] or None}
                for kind, row in (
                    ("intra", kappa_row(agreement.intra)),
                    ("inter", kappa_row(agreement.inter)),
                )
            },
            "intra_published": _published(published.intra),
            "inter_published": _published(published.inter),
        },
        "agreement_signature": signed(agreement.signature, rules),
        "judgements": len(judgements),
        "repeated": read.repeated,
        "sentences": judgements.sentences_judged,
        "annotators": len(judgements.annotator_names),
        "resamples": resamples,
        "seed": seed,
    }


def _known(texts: SameTexts, choice: Choice) -> SameTexts:
    """Return what the files tell: WMT's do not name the systems without a translation."""
    if choice.format in SEGMENT_FORMATS:
        return texts
    return replace(texts, missing=np.full_like(texts.missing, np.nan))


def _ratio_of_wins(row: SystemRow) -> float | None:
    decided = row["wins"] + row["losses"]
    return rounded(row["wins"] / decided) if decided else None


def _published(agreement: Agreement) -> dict[str, Any]:
    return {
        "agree": agreement.agree,
        "compared": agreement.compared,
        "observed": rounded(agreement.observed),
        "expected": rounded(agreement.chance.expected),
        "kappa": rounded(agreement.kappa),
        "undefined": agreement.undefined.value if agreement.undefined else None,
    }


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
