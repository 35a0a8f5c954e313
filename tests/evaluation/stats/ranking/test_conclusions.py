"""What is concluded about systems from scores, by the model and by published rules."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from evaluation.stats.judgements import UNIDENTIFIED
from evaluation.stats.ranking.conclusions import (
    Sheets,
    conclude,
    effects_beside,
    fit,
    pearmut_rule,
    wmt_rule,
)
from evaluation.stats.score_means import SystemScores
from evaluation.stats.units import Unit

DOCUMENTS = Unit("document")
NAMES = ("A", "B", "C", "D")


def scores(
    table: np.ndarray, documents: np.ndarray, annotators: np.ndarray | None = None
) -> SystemScores:
    """Return the known scores of a table (systems × segments)."""
    systems, segments = (codes.astype(np.int32) for codes in np.nonzero(~np.isnan(table)))
    if annotators is None:
        annotators = np.full(table.shape, UNIDENTIFIED)
    return SystemScores(
        table[systems, segments],
        systems=systems,
        segments=segments,
        annotators=annotators[systems, segments].astype(np.int32),
        units=documents[segments].astype(np.int32),
        names=len(table),
        unit=DOCUMENTS,
    )


def made_up(random: np.random.Generator, documents: int = 20) -> tuple[np.ndarray, np.ndarray]:
    """Return scores (4 × segments) of documents with two segments each, and the documents."""
    of = np.repeat(np.arange(documents), 2)
    table = random.normal(0, 5, (4, len(of))) + random.normal(0, 15, documents)[of]
    return table + np.array([0, -0.5, -12, -12.5])[:, None] + 60, of


def test_documents_of_equal_length_give_the_paired_test_of_their_means():
    table, documents = made_up(np.random.default_rng(1))
    found: Any = conclude(fit(scores(table, documents)), NAMES)

    pair = next(row for row in found.pairs if {row.system, row.other} == {"A", "C"})
    means = table.reshape(4, 20, 2).mean(axis=2)
    expected = stats.ttest_rel(means[0], means[2])
    interval = expected.confidence_interval()
    assert pair.p == pytest.approx(expected.pvalue)
    assert [pair.difference.low, pair.difference.high] == pytest.approx(list(interval))
    assert pair.wmt_p == pytest.approx(
        min(
            stats.ttest_rel(table[0], table[2]).pvalue,
            stats.ttest_ind(table[0], table[2]).pvalue,
        )
    )
    assert {row.system for row in found.systems[:2]} == {"A", "B"}
    assert [row.cluster for row in found.systems] == [1, 1, 2, 2]
    assert [(row.best_rank, row.worst_rank) for row in found.systems] == [
        (1, 2),
        (1, 2),
        (3, 4),
        (3, 4),
    ]


def test_points_are_better_where_they_are_fewer():
    table, documents = made_up(np.random.default_rng(1))
    found: Any = conclude(fit(scores(table, documents)), NAMES, lower_is_better=True)

    assert {row.system for row in found.systems[:2]} == {"C", "D"}
    assert [row.cluster for row in found.systems] == [1, 1, 2, 2]
    assert [row.wmt_cluster for row in found.systems][-1] > 1


def test_a_system_judged_on_easy_documents_only_is_not_taken_for_better():
    table, documents = made_up(np.random.default_rng(2), documents=40)
    table += np.where(documents < 20, 60, 0)
    table[3, documents >= 20] = np.nan
    found: Any = conclude(fit(scores(table, documents)), NAMES)

    by_name = {row.system: row for row in found.systems}
    assert by_name["D"].wmt_score > by_name["A"].wmt_score
    assert by_name["D"].score.value < by_name["A"].score.value - 5
    assert by_name["D"].documents == 20


def test_few_documents_and_systems_apart_have_reasons():
    table, documents = made_up(np.random.default_rng(3))
    table[2, documents > 5] = np.nan
    table[3, documents < 10] = table[:3, documents >= 10] = np.nan
    found: Any = conclude(fit(scores(table, documents)), NAMES)

    by_name = {row.system: row for row in found.systems}
    assert by_name["D"].score.undefined
    assert by_name["D"].cluster is None
    assert by_name["C"].score.no_interval == "the figure comes from fewer than 10 documents"
    assert [pair.p for pair in found.pairs if "C" in (pair.system, pair.other)] == [None] * 3


def test_severe_annotators_do_not_lower_the_systems_they_judged():
    random = np.random.default_rng(4)
    table, documents = made_up(random, documents=60)
    # On each document, two annotators judge two systems each; the second one is severe.
    second = random.permuted(np.tile([False, True, False, True], (60, 1)), axis=1).T[:, documents]
    second[0] |= documents % 3 > 0
    annotators = documents % 3 * 2 + second
    table -= 20.0 * second
    fitted = fit(scores(table, documents, annotators))
    found: Any = conclude(fitted, NAMES)

    assert fitted.terms == ("annotator",)
    assert found.only_units == ""
    means = {row.system: row.score.value for row in found.systems}
    assert means["A"] - means["D"] == pytest.approx(12.5, abs=3)
    plain = wmt_rule(scores(table, documents)).means
    assert plain[0] - plain[3] < 9.5
    pair = found.pairs[0]
    assert pair.difference.wide_low is not None
    assert pair.wide_p_holm >= pair.wide_p >= pair.p


def test_what_stands_beside_a_system_is_estimated_and_taken_away():
    random = np.random.default_rng(5)
    rows, quality = [], np.array([0.0, -5, -10, -15])
    for sheet in range(400):
        shown = random.permutation(4)[: random.integers(2, 4)]
        document = sheet // 4
        for column, system in enumerate(shown, start=1):
            others = quality[[other for other in shown if other != system]].mean() + 7.5
            score = quality[system] + document % 7 - 0.4 * others + (5 if column == 1 else 0)
            rows.append((system, document, sheet, column, score + random.normal(0, 1)))
    systems, documents, sheets, columns, values = np.array(rows).T
    judged = SystemScores(
        values,
        systems=systems.astype(np.int32),
        # One segment a document; a system may be on several sheets of it.
        segments=documents.astype(np.int32),
        annotators=np.full(len(rows), UNIDENTIFIED, dtype=np.int32),
        units=documents.astype(np.int32),
        names=4,
        unit=DOCUMENTS,
    )
    fitted = fit(judged, Sheets(sheets.astype(np.int64), columns.astype(np.int32)))
    effects: Any = effects_beside(fitted)

    assert fitted.terms == ("column", "neighbours", "number of neighbours")
    firsts = effects.columns[1].value - (effects.columns[2].value + effects.columns[3].value) / 2
    assert firsts == pytest.approx(5, abs=0.3)
    assert effects.slopes["neighbours"].low < -0.4 < effects.slopes["neighbours"].high
    means = fitted.model.means(values)
    assert means - means[0] == pytest.approx(quality, abs=0.5)
    plain = fit(judged).model.means(values)
    assert plain[3] - plain[0] > -13.5 or plain[3] - plain[0] < -16.5


def test_one_sheet_a_document_tells_nothing_of_neighbours():
    random = np.random.default_rng(6)
    table, documents = made_up(random, documents=40)
    judged = scores(table, documents)
    found = fit(judged, Sheets(judged.units.astype(np.int64), judged.systems + 1))

    assert found.terms == ()
    assert set(found.refused) == {"column", "neighbours"}


def test_pearmut_counts_the_last_score_and_draws_lines_between_neighbours():
    table, documents = made_up(np.random.default_rng(7))
    judged = scores(table, documents)
    first = 10 + 0 * judged.values
    both = SystemScores(
        np.concatenate([judged.values, first]),
        np.tile(judged.systems, 2),
        np.tile(judged.segments, 2),
        np.tile(judged.annotators, 2),
        np.tile(judged.units, 2),
        names=4,
    )
    given = np.concatenate([np.ones(len(judged)), np.zeros(len(judged))])
    rule = pearmut_rule(both, given)

    assert rule.means == pytest.approx(table.mean(axis=1))
    lines = [stats.ttest_rel(table[one], table[one + 1]).pvalue < 0.05 for one in range(3)]
    assert [rule.clusters[code] for code in range(4)] == [1, *1 + np.cumsum(lines)]
