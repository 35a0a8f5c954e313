from datetime import timedelta
from enum import Enum
from typing import get_args

import pytest
from django.template import Context, Template
from django.utils.translation import override

from evaluation.findings import columns, metrics, segment_length
from evaluation.findings.agreement import READINGS, Reading
from evaluation.findings.ranking import CAPTIONS, EXPLAINED, SCORES
from evaluation.findings.report import figures, tables
from evaluation.findings.sample_size import OF_SINGLE
from evaluation.meta import outliers, segment_tau, segment_ties, system_level, williams
from evaluation.meta.intervals import FEWEST_UNITS
from evaluation.rendering.text import Listed, Text
from evaluation.reuse import powered_means, prediction, stored_answers
from evaluation.services import powered_ranking
from evaluation.services.powered_means import NO_OUTPUTS, NO_SCORES
from evaluation.stats import resampling, two_way
from evaluation.stats.agreement import intervals, labels, marked_errors, scores, weighted_kappa
from evaluation.stats.agreement.kappa import Undefined
from evaluation.stats.annotators import drift, effects, given_errors, quality, sequence
from evaluation.stats.assessment.annotators import Flag, NoTest
from evaluation.stats.document_model import NotIdentified
from evaluation.stats.ranking import (
    conclusions,
    edit_rates,
    learning_curve,
    mean_grades,
    power,
    scale_answers,
)
from evaluation.stats.ranking.bradley_terry import NoMaximum
from evaluation.stats.ranking.scores import NoScore
from evaluation.stats.ranking.significance import NoDifference
from evaluation.stats.ranking.systems import BY_WINS, METHODS
from evaluation.stats.sentence_level import NoTau
from evaluation.stats.units import Unit, UnitName
from evaluation.templatetags.blocks import words
from evaluation.templatetags.findings import figure, names, probability
from evaluation.web.report_texts import CLAUSES, age
from tests.evaluation.findings.metrics_sample import make_metrics_report
from tests.evaluation.report.sample import NAMES, everything, sample

KINDS: tuple[type[Enum], ...] = (
    *(Undefined, NoScore, NoMaximum, NoTau, NoTest, Flag),
    NotIdentified,
)
# Headings that are the same in all languages.
METRICS = {"chrF++", "imported", "WMT26", "Pearmut", *(rule.name for rule in segment_tau.RULES)}
SYMBOLS = {"", "r", "ε", "κ", "τ", "λ", "p", "z", "P(A)", "P(E)", "HTER", "h:mm:ss"}


def test_every_reason_can_be_translated():
    named = {str(each.value) for kind in KINDS for each in kind}
    named |= {weighted_kappa.NO_TWO_ANNOTATORS, weighted_kappa.ALL_AGREE, intervals.ONLY_TIES}
    named |= {learning_curve.NO_ORDER, learning_curve.NO_WIDTH}
    named |= {sequence.UNKNOWN_ORDER, sequence.ALWAYS_ALIKE, sequence.UNKNOWN_PLACES}
    named |= {drift.TOO_FEW_FOR_TREND, prediction.NOT_COMPARED}
    named |= {resampling.ALL_EQUAL, resampling.ALL_UNDEFINED}
    for unit in map(Unit, get_args(UnitName)):
        named |= {resampling.too_few(unit), power.nothing_decided(unit)}
        named |= {learning_curve.too_few_for_curve(unit)}
    named.add(f"the figure comes from fewer than {FEWEST_UNITS} comparisons")
    named |= {resampling.OFTEN_UNDEFINED, effects.ONE_ANNOTATOR}
    named |= {two_way.TOO_FEW_ANNOTATORS, two_way.UNKNOWN_ANNOTATORS}
    named |= {scale_answers.NOT_JUDGED, scale_answers.ONLY_MIDDLE}
    named.add(NoDifference.NEVER_TOGETHER.value)
    named.add(edit_rates.NOT_CORRECTED)
    named |= {segment_length.INSEPARABLE, segment_length.NOT_ADDITIVE}
    named |= {segment_length.NO_TIMES, segment_length.UNKNOWN}
    named |= {scores.EQUAL_SCORES, marked_errors.NOTHING_MARKED}
    named |= {given_errors.NO_SHEETS, given_errors.NO_TIMES}
    named |= {given_errors.NO_MARKS, given_errors.NO_SCORES}
    named |= {labels.NO_REPEATS, labels.NO_COMMON_ITEMS}
    named |= {system_level.LACKS_SCORES, system_level.LACKS_SEGMENT_SCORES}
    named |= {system_level.TOO_FEW_SYSTEMS, system_level.NO_PAIRS, system_level.CONSTANT_METRIC}
    named |= {system_level.CONSTANT_HUMAN, system_level.NO_SEGMENT_SCORES}
    named |= {system_level.FEW_COMMON_SENTENCES, williams.WEAK, outliers.HALF_EQUAL}
    named |= {stored_answers.NO_HIT, stored_answers.NO_TEXT, stored_answers.NO_MISS}
    named |= {
        powered_ranking.SAMPLED,
        NO_SCORES,
        NO_OUTPUTS,
        powered_means.NO_MEAN,
        powered_means.ONE_SYSTEM,
    }
    named |= {quality.NO_TIMES, quality.NO_CONTROL, quality.NOTHING_REPEATED, quality.OTHERS_APART}
    named |= {quality.NOTHING_TO_RANK, quality.NOTHING_SHARED, quality.ALL_TIED, quality.NO_ORDER}
    named |= {conclusions.RESTS_ON_ONE, columns.NOT_IN_MODEL}
    named |= {each.value for kind in (segment_tau.NoTau, segment_ties.NoAgreement) for each in kind}

    assert named == set(map(str, CLAUSES))


@pytest.mark.parametrize(
    ("made", "drawn"),
    [
        (tables(everything()), figures(everything())),
        (tables(sample()), figures(sample())),
        (metrics.tables(make_metrics_report()), metrics.figures(make_metrics_report())),
    ],
    ids=("everything", "sample", "metrics"),
)
def test_every_text_of_a_report_can_be_translated(made, drawn):
    for table in made:
        heads = [text for each in table.columns for text in (each.heading, each.unit)]
        for text in (table.caption, *table.notes, *heads):
            assert isinstance(text, Text) or text in {*NAMES, *SYMBOLS, *METRICS}, text
    for each in drawn:
        assert isinstance(each.caption, Text), each.name


def test_texts_of_pages_are_escaped_and_names_have_a_direction_of_their_own():
    text = Text("%(names)s: 5 %% & more.", {"names": Listed(["<A>", "B"])})
    assert str(words(text)) == "<bdi>&lt;A&gt;</bdi>, <bdi>B</bdi>: 5 % &amp; more."
    assert str(words("<A>")) == "&lt;A&gt;"


def test_every_method_and_reading_has_words():
    ranked = {mean_grades.METHOD, *METHODS}
    assert EXPLAINED.keys() == ranked
    assert SCORES.keys() == {*ranked, *OF_SINGLE}
    # Only commands, which are in English, rank by other methods.
    assert {name for name, caption in CAPTIONS.items() if isinstance(caption, Text)} == ranked
    assert CAPTIONS.keys() == {mean_grades.METHOD, *BY_WINS}
    assert READINGS.keys() == set(Reading)


@pytest.mark.parametrize(
    ("passed", "words"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=1), "1 hour ago"),
        (timedelta(hours=47), "47 hours ago"),
        (timedelta(days=3), "3 days ago"),
    ],
)
def test_age_is_given_in_its_largest_unit(passed, words):
    assert age(passed) == words


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        ("{{ 0.45|reading }}", "moderate"),
        ("{{ None|reading }}", "–"),
        ("{{ 0.45|percent }}", "45.00"),
        ("{{ -0.1|percent }}", "0.00"),
        ("{{ ''|clause }}", ""),
        (
            "{{ 'the system tied in every comparison'|clause }}",
            "the system tied in every comparison",
        ),
    ],
)
def test_figures_are_written_in_words(template, shown):
    assert Template("{% load findings %}" + template).render(Context()) == shown


def test_figures_are_rounded_and_not_cut_off():
    assert figure(0.876964, 3) == "0.877"
    assert figure(1.0, 3) == "1.000"


def test_figures_are_written_as_the_language_does():
    with override("cs"):
        assert figure(-0.0894, 3) == "−0,089"


def test_a_tiny_p_is_not_0():
    assert [probability(p, 4) for p in (1e-12, 0.0001, None)] == ["<\xa00.0001", "0.0001", "–"]
    with override("cs"):
        assert probability(0.0004, 3) == "<\xa00,001"


def test_what_is_undefined_is_a_dash():
    assert figure(None, 3) == "–"


def test_names_are_listed_and_escaped():
    assert names(("A", "<B>", "C")) == "<bdi>A</bdi>, <bdi>&lt;B&gt;</bdi> and <bdi>C</bdi>"
    assert names(("{first}", "{last}")) == "<bdi>{first}</bdi> and <bdi>{last}</bdi>"
    assert names(("A",)) == "<bdi>A</bdi>"
    assert names(()) == ""
