"""Human gold of segments from single judgements: direct assessments, MQM and ESA.

Segments have the scores that `score_assessments` and `score_error_spans` write; higher is better.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

from annotation.formats.error_points import WEIGHTS
from annotation.formats.errors import InputError, OnError
from annotation.formats.errors import Template as _
from annotation.formats.mqm_lines import read_mqm
from evaluation.formats.assessments import read_assessments
from evaluation.formats.error_span_scores import (
    SAME_ANSWER,
    counted,
    read_span_scores,
    segment_means,
)
from evaluation.formats.file_kinds import Kind, kind_of
from evaluation.formats.human_scores import MQM_SCORE, RAW, STANDARDISED
from evaluation.formats.metric_scores import pair_of_name
from evaluation.formats.mqm import score_ratings
from evaluation.formats.score_tables import ScoreTable
from evaluation.stats.assessment.annotators import check_annotators
from evaluation.stats.assessment.standardisation import standardise
from evaluation.stats.assessment.systems import score_segments

ASSESSMENTS: Final[tuple[Kind, ...]] = ("assessments", "appraise")
READABLE: Final[tuple[Kind, ...]] = (*ASSESSMENTS, "mqm", "esa")
NO_GOLD: Final[tuple[Kind, ...]] = ("wmt-forms", "pearmut-campaign", "pearmut-annotations")


def judged_kind(path: Path) -> Kind | None:
    """Return the kind of a file of single judgements, None for other files and unknown ones.

    Raises InputError for judgements that cannot be gold.
    """
    try:
        kind = kind_of(path).kind
    except InputError:
        # The reader of scores says what is wrong.
        return None
    if kind in NO_GOLD:
        raise InputError(
            _(
                "the file has judgements that cannot be gold (%(kind)s): give direct assessments, "
                "MQM, ESA, rankings, pairs or scores."
            ),
            str(path),
            kind=kind,
        )
    return kind if kind in READABLE else None


def judged_tables(
    kinds: dict[Path, Kind], on_error: OnError, *, all_annotators: bool, weights: str = ""
) -> tuple[list[ScoreTable], list[InputError]]:
    """Return the scores of segments in files of these kinds, and what was left out of them.

    Unless `all_annotators`, only those count who pass the test of degraded outputs, if there are
    any. `weights` (a key of WEIGHTS, "" for the first) are of error points; the name of the score
    says which, unless it is the first. Calls `on_error` for each line that cannot be used, and
    leaves it out.
    """
    notes: list[InputError] = []
    tables: list[ScoreTable] = []
    default = next(iter(WEIGHTS))
    name = MQM_SCORE if weights in ("", default) else f"{MQM_SCORE}-{weights}"
    for path, kind in kinds.items():
        if kind == "mqm":
            ratings = list(read_mqm(path, on_error=on_error))
            if ratings:
                points = score_ratings(ratings, WEIGHTS[weights or default])
                tables.append(
                    ScoreTable(
                        pair=pair_of_name(path),
                        test_set="",
                        level="seg",
                        metrics=(name,),
                        systems=points.systems,
                        items=points.segments,
                        scores=(0.0 - points.segment_points)[None],
                        layouts=("MQM",),
                        files=(str(path),),
                        counts=points.raters,
                    )
                )
    of_esa = [path for path, kind in kinds.items() if kind == "esa"]
    rows = [row for path in of_esa for row in read_span_scores(path, on_error=on_error)]
    esa = counted(rows)
    if esa.left_out[SAME_ANSWER]:
        notes.append(_given_again(esa.left_out[SAME_ANSWER]))
    tables += [
        ScoreTable(
            pair=pair,
            test_set="",
            level="seg",
            metrics=(RAW,),
            systems=means.systems,
            items=means.segments,
            scores=means.scores[None],
            layouts=("ESA",),
            files=tuple(map(str, of_esa)),
            counts=means.counts,
        )
        for pair, means in segment_means(esa.judgements).items()
    ]
    of_assessments = [path for path, kind in kinds.items() if kind in ASSESSMENTS]
    if of_assessments:
        assessed, note = _assessed(of_assessments, on_error, all_annotators=all_annotators)
        tables += assessed
        notes += note
    return tables, notes


def _assessed(
    paths: Sequence[Path], on_error: OnError, *, all_annotators: bool
) -> tuple[list[ScoreTable], list[InputError]]:
    read = read_assessments(paths, on_error)
    given = read.assessments
    notes = [_given_again(read.repeated)] if read.repeated else []
    checks = check_annotators(given)
    names = {row.annotator for row in checks.annotators}
    passed = names if all_annotators else set(checks.passed)
    codes = [code for code, name in enumerate(given.annotator_names) if name in passed]
    kept = given.select(np.isin(given.annotators, codes))
    tables = []
    for pair in given.language_pairs:
        of_pair = kept.of_pair(pair)
        scored = score_segments(of_pair, standardise(of_pair).scores)
        systems, rows = np.unique(scored.systems, return_inverse=True)
        segments, columns = np.unique(scored.segments, return_inverse=True)
        scores = np.full((2, len(systems), len(segments)), np.nan)
        scores[0, rows, columns], scores[1, rows, columns] = scored.raw, scored.z
        counts = np.zeros(scores.shape[1:], dtype=np.int64)
        counts[rows, columns] = scored.counts
        # The raw scores behind standardised ones are unknown.
        first = 1 if given.standardised else 0
        if len(scored):
            tables.append(
                ScoreTable(
                    pair=pair,
                    test_set="",
                    level="seg",
                    metrics=(RAW, STANDARDISED)[first:],
                    systems=tuple(given.system_names[code] for code in systems),
                    items=tuple(given.segment_names[code] for code in segments),
                    scores=scores[first:],
                    layouts=("single DA",),
                    files=tuple(map(str, paths)),
                    counts=counts,
                )
            )
    if len(passed) == len(names):
        return tables, notes
    note = InputError(
        _(
            "People's scores are of the %(passed)d annotators who score degraded outputs lower; "
            "%(others)d others are left out."
        ),
        passed=len(passed),
        others=len(names) - len(passed),
    )
    return tables, [*notes, note]


def _given_again(count: int) -> InputError:
    return InputError(_("Judgements that are given again, and count once: %(count)d."), count=count)
