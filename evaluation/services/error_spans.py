"""Systems by marked errors and scores of segments in files: MQM, ESA and Pearmut's annotations."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from annotation.formats.error_points import WEIGHTS, ErrorWeights
from annotation.formats.errors import InputError, OnError
from annotation.formats.fingerprints import fingerprint
from annotation.formats.mqm_lines import read_mqm
from annotation.formats.pearmut import Annotation, read_annotations
from annotation.formats.problems import raise_problems
from evaluation.findings.error_spans import (
    EachScore,
    ScoredSegments,
    compute,
    long_tables,
    tables,
)
from evaluation.findings.evidence import DOCUMENTS
from evaluation.findings.scoped_tables import ScopedTables
from evaluation.formats.error_span_scores import (
    counted,
    documents_and_segments,
    read_span_scores,
    segment_means,
)
from evaluation.formats.file_kinds import READ_BY, Kind, kind_of
from evaluation.formats.metric_scores import IN_DOCUMENT
from evaluation.formats.metrics_eval_folder import NO_DOMAIN
from evaluation.formats.mqm import score_ratings
from evaluation.services.file_findings import DIGITS
from evaluation.stats.error_spans import ErrorPoints, score_errors
from evaluation.stats.judgements import Codes
from evaluation.stats.ranking.conclusions import Sheets
from evaluation.stats.resampling import Floats
from evaluation.stats.score_means import SystemScores

ESA, MQM, PEARMUT = "esa", "mqm", "pearmut-annotations"

BROKEN: Final = "errors counted without their places, since <v> and </v> do not alternate"


def error_spans_of_files(
    paths: Sequence[Path], *, weights: str | None, resamples: int, seed: int
) -> ScopedTables:
    """Return the tables of the judgements in files of one kind.

    Files of MQM are ranked one by one, those of ESA by language pair, Pearmut's by campaign.
    `weights` (a key of WEIGHTS, None for the first) are of error points. Raises InputError, in one
    sentence for files of other kinds, else with all problems and their lines.
    """
    marks = {path: fingerprint(path) for path in paths}
    kind = _kind(paths)
    problems: list[InputError] = []
    chosen = WEIGHTS[weights or next(iter(WEIGHTS))]
    if kind == ESA:
        read = _esa(paths, problems.append)
    elif kind == MQM:
        read = [_mqm(path, chosen, problems.append) for path in dict.fromkeys(paths)]
    else:
        read = _pearmut(paths, chosen, problems.append)
    raise_problems(problems)
    if weights and not any(one.lower_is_better for one in read):
        raise InputError("The files have scores, not error points: leave out --weights.")
    provenance = [f"file {mark.name} sha256 {mark.sha256[:DIGITS]}" for mark in marks.values()]
    scope = tuple(sentence for one in read for sentence in one.scope)
    ranked = [one for one in read if one.systems]
    if not ranked:
        raise InputError(" ".join(("No judgement counts.", *scope)))
    found = [compute(one, provenance, resamples=resamples, seed=seed) for one in ranked]
    return ScopedTables(
        scope,
        tuple(table for one in found for table in tables(one)),
        tuple(table for one in found for table in long_tables(one)),
    )


def _kind(paths: Sequence[Path]) -> Kind:
    """Return the kind of all files. Raises InputError for others and for several."""
    kinds: dict[Kind, Path] = {}
    for path in paths:
        kind = kind_of(path).kind
        if kind in (ESA, MQM, PEARMUT):
            kinds.setdefault(kind, path)
        else:
            raise InputError(f"the file has {READ_BY[kind]}.", str(path))
    if len(kinds) > 1:
        names = " and ".join(f"{path} ({kind})" for kind, path in kinds.items())
        raise InputError(f"The files are of several kinds: rank {names} one by one.")
    return next(iter(kinds))


def _esa(paths: Sequence[Path], on_error: OnError) -> list[ScoredSegments]:
    rows = [row for path in paths for row in read_span_scores(path, on_error=on_error)]
    found = []
    for pair in sorted({row.pair for row in rows}):
        counts = counted(row for row in rows if row.pair == pair)
        marked: dict[str, list[int]] = defaultdict(list)
        for row in counts.judgements:
            marked[row.system].append(len(row.errors))
        if not counts.judgements:
            found.append(_nothing(pair, counts.left_out))
            continue
        means = segment_means(counts.judgements)[pair]
        placed = documents_and_segments(counts.judgements)
        found.append(
            ScoredSegments(
                name=pair,
                systems=means.systems,
                segments=means.segments,
                scores=means.scores,
                judgements=means.counts,
                errors=_means(marked, means.systems),
                lower_is_better=False,
                words=("ESA", "mean over users"),
                domains=means.domains,
                domains_of=means.domains_of,
                left_out=counts.left_out,
                each=_each(
                    [
                        _Score(row.system, document, segment, row.user, row.score, row.ended)
                        for row, (document, segment) in zip(counts.judgements, placed, strict=True)
                    ],
                    means.systems,
                ),
            )
        )
    return found


def _mqm(path: Path, weights: ErrorWeights, on_error: OnError) -> ScoredSegments:
    controls: list[str] = []
    ratings = list(read_mqm(path, controls=controls, on_error=on_error))
    left_out = {"control": len(controls)} if controls else {}
    if not ratings:
        return _nothing(path.name, left_out)
    marked: Counter[str] = Counter(row.system for row in ratings if row.error is not None)
    broken = sum(row.broken_marks for row in ratings)
    points = score_ratings(ratings, weights)
    sums: dict[_Score, float] = defaultdict(float)
    for row in ratings:
        segment = f"{row.document}{IN_DOCUMENT}{row.segment}"
        key = _Score(row.system, row.document, segment, row.rater, 0.0, 0.0)
        error = row.error
        sums[key] += 0.0 if error is None else weights.of(error.category, error.severity)
    return _of_points(
        path.name,
        points,
        weights,
        ("MQM",),
        marked,
        left_out,
        (f"{path.name}: {BROKEN}: {broken}.",) if broken else (),
        each=_each([key._replace(value=value) for key, value in sums.items()], points.systems),
    )


def _of_points(
    name: str,
    points: ErrorPoints,
    weights: ErrorWeights,
    words: tuple[str, ...],
    marked: Mapping[str, int],
    left_out: Mapping[str, int],
    notes: tuple[str, ...] = (),
    each: EachScore | None = None,
) -> ScoredSegments:
    judged = points.raters.sum(axis=1)
    if each is not None:
        words = ("mean error points", "fewer are better", *weights.words)
        each = replace(each, scores=replace(each.scores, words=words))
    return ScoredSegments(
        name=name,
        systems=points.systems,
        segments=points.segments,
        scores=points.segment_points,
        judgements=points.raters,
        errors=np.array([marked.get(system, 0) for system in points.systems]) / judged,
        lower_is_better=True,
        words=(*words, "error points, mean over raters", *weights.words),
        domains=(NO_DOMAIN,),
        domains_of=np.zeros(len(points.segments), dtype=np.intp),
        left_out=left_out,
        notes=notes,
        each=each,
    )


def _pearmut(
    paths: Sequence[Path], weights: ErrorWeights, on_error: OnError
) -> list[ScoredSegments]:
    campaigns: dict[str, dict[tuple[Any, ...], Annotation]] = defaultdict(dict)
    repeated: Counter[str] = Counter()
    for path in paths:
        for one in read_annotations(path, on_error=on_error):
            # A download has the campaigns' names, and a log has only one campaign.
            name = one.campaign_id or path.name
            key = (one.user, one.origin, one.document, one.item, one.system)
            before = campaigns[name].get(key)
            if before is None or (one.ended or 0) >= (before.ended or 0):
                campaigns[name][key] = one
            repeated[name] += before is not None
    return [
        _campaign(name, list(rows.values()), repeated[name], weights, on_error)
        for name, rows in sorted(campaigns.items())
    ]


def _campaign(
    name: str,
    rows: Sequence[Annotation],
    repeated: int,
    weights: ErrorWeights,
    on_error: OnError,
) -> ScoredSegments:
    """Return mean scores, or error points if no output has a score.

    `repeated` answers are in several files, and only once in `rows`.
    """
    left_out = +Counter({"in another file": repeated})
    kept = []
    for row in rows:
        if row.origin != "task":
            left_out[f"{row.origin} documents"] += 1
        elif row.checked:
            left_out["checked answers"] += 1
        else:
            kept.append(row)
    by_score = any(row.score is not None for row in kept)
    if not by_score and any(row.sliders for row in kept):
        on_error(
            InputError(
                "the outputs have sliders but no score of the whole output: "
                "only DA, ESA and MQM can be ranked.",
                name,
            )
        )
        return _nothing(name, left_out)
    if by_score:
        left_out["without a score"] = sum(row.score is None for row in kept)
        kept = [row for row in kept if row.score is not None]
    if not kept:
        return _nothing(name, +left_out)
    marked: Counter[str] = Counter()
    for row in kept:
        marked[row.system] += len(row.errors)
    segments = _segments(kept)
    of_rows = [[row.score or 0.0] if by_score else _points(row, weights, on_error) for row in kept]
    lines = [
        (row, segment, points)
        for row, segment, of_row in zip(kept, segments, of_rows, strict=True)
        for points in of_row
    ]
    points = score_errors(
        systems=[row.system for row, _segment, _points in lines],
        segments=[segment for _row, segment, _points in lines],
        # A user may judge a text in several documents.
        raters=[f"{row.document} {row.item} {row.user}" for row, _segment, _points in lines],
        points=[points for _row, _segment, points in lines],
        weights=weights,
    )
    each = _each_of_campaign(kept, segments, of_rows, points.systems)
    if not by_score:
        return _of_points(name, points, weights, ("Pearmut",), marked, +left_out, each=each)
    return ScoredSegments(
        name=name,
        systems=points.systems,
        segments=points.segments,
        scores=points.segment_points,
        judgements=points.raters,
        errors=np.array([marked[system] for system in points.systems]) / points.raters.sum(axis=1),
        lower_is_better=False,
        words=("Pearmut", "mean over users"),
        domains=(NO_DOMAIN,),
        domains_of=np.zeros(len(points.segments), dtype=np.intp),
        left_out=+left_out,
        each=each,
    )


def _each_of_campaign(
    rows: Sequence[Annotation],
    segments: Sequence[str],
    points: Sequence[Sequence[float]],
    systems: Sequence[str],
) -> EachScore:
    """Return the scores of a campaign; users may have numbers of documents of their own.

    So a document has the name of its first segment. Which column a system had is not in the file.
    """
    first: dict[tuple[str, int], tuple[int, str]] = {}
    for row, segment in zip(rows, segments, strict=True):
        place = row.user, row.document
        first[place] = min(first.get(place, (row.item, segment)), (row.item, segment))
    sheets = [f"{row.user} {row.document} {row.ended}" for row in rows]
    given = [
        _Score(
            row.system,
            first[row.user, row.document][1],
            segment,
            row.user,
            sum(of_row),
            row.ended or 0.0,
        )
        for row, segment, of_row in zip(rows, segments, points, strict=True)
    ]
    return _each(given, systems, sheets)


class _Score(NamedTuple):
    """The score or the points that one annotator gave one system in a segment."""

    system: str
    document: str
    segment: str
    annotator: str
    value: float
    ended: float


def _each(given: Sequence[_Score], systems: Sequence[str], sheets: Sequence[str] = ()) -> EachScore:
    """Return the scores as arrays; `sheets` name what was judged at once, if it matters."""

    def codes(names: Sequence[str]) -> Codes:
        return np.unique(np.array(names), return_inverse=True)[1].astype(np.int32)

    place = {system: code for code, system in enumerate(systems)}
    beside = None
    if sheets:
        numbers = codes(sheets).astype(np.int64)
        beside = Sheets(numbers, np.zeros(len(sheets), dtype=np.int32))
    return EachScore(
        SystemScores(
            np.array([row.value for row in given], dtype=np.float64),
            systems=np.array([place[row.system] for row in given], dtype=np.int32),
            segments=codes([row.segment for row in given]),
            annotators=codes([row.annotator for row in given]),
            units=codes([row.document for row in given]),
            names=len(systems),
            unit=DOCUMENTS,
        ),
        beside,
        np.array([row.ended for row in given], dtype=np.float64),
    )


def _points(row: Annotation, weights: ErrorWeights, on_error: OnError) -> list[float]:
    points = [0.0]
    for error in row.errors:
        try:
            points.append(weights.of(error.category, error.severity))
        except KeyError:
            on_error(
                InputError(
                    f"the severity {error.severity[:40]!r} is unknown; known are neutral, minor, "
                    "major, critical.",
                    row.where,
                )
            )
    return points


def _segments(rows: Sequence[Annotation]) -> list[str]:
    """Return the names of segments: texts with one id, or without any, are numbered.

    Users have documents of their own, so that equal places may be different texts.
    """
    sources: dict[str, dict[str, int]] = defaultdict(dict)
    for row in rows:
        known = sources[row.item_id]
        known.setdefault(row.source, len(known) + 1)
    return [
        row.item_id
        if row.item_id and len(sources[row.item_id]) == 1
        else f"{row.item_id}#{sources[row.item_id][row.source]}".removeprefix("#")
        for row in rows
    ]


def _means(values: Mapping[str, Sequence[int]], systems: Sequence[str]) -> Floats:
    return np.array([np.mean(values[system]) for system in systems], dtype=np.float64)


def _nothing(name: str, left_out: Mapping[str, int]) -> ScoredSegments:
    empty = np.zeros((0, 0))
    return ScoredSegments(
        name=name,
        systems=(),
        segments=(),
        scores=empty,
        judgements=empty.astype(np.int64),
        errors=np.zeros(0),
        lower_is_better=False,
        words=(),
        domains=(),
        domains_of=np.zeros(0, dtype=np.intp),
        left_out=left_out,
    )
