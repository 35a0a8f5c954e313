import numpy as np
import pytest
from hypothesis import given

from evaluation.stats.agreement.kappa import measure_agreement
from evaluation.stats.annotators.controls import ControlTable, count_controls
from evaluation.stats.annotators.exclusion import LeftOut, LeftOutAnnotator, leave_out
from tests.evaluation.tables import judged, tables

# Petr contradicts himself and everybody, Jana and Zuzana agree; Eva judged alone.
ROWS = [
    ("s", "jana", [1, 2, 3]),
    ("s", "zuzana", [1, 2, 3]),
    ("s", "petr", [3, 2, 1]),
    ("s", "petr", [1, 2, 3]),
    ("t", "jana", [1, 1, 2]),
    ("t", "zuzana", [1, 1, 2]),
    ("u", "petr", [1, 2, 2]),
    ("u", "jana", [1, 2, 2]),
    ("v", "eva", [1, 2, 2]),
    ("v", None, [1, 2, 2]),
]


# Each of the above in ten sentences, so that κ may exclude.
OFTEN = [(f"{name}{number}", who, ranks) for name, who, ranks in ROWS for number in range(10)]


def left(judgements, controls=None, **options):
    return leave_out(judgements, controls or ControlTable(), **options)


def kept_of(out: LeftOut) -> int:
    return out.of - out.judgements


def test_without_rules_everything_stays():
    judgements = judged(ROWS)

    kept, out = left(judgements)

    assert len(kept) == len(judgements) == kept_of(out) == 10
    assert (out.annotators, out.repeats, out.options) == ((), 0, ())


def test_annotators_below_a_kappa_go_with_all_they_judged():
    judgements = judged(OFTEN)
    petr = judgements.annotator_names.index("petr")
    agreement = measure_agreement(judgements)

    kept, out = left(judgements, minimum_kappa=0.2)

    assert petr not in kept.annotators
    assert len(kept) == kept_of(out) == 70
    assert out.annotators == (
        LeftOutAnnotator(
            "petr",
            30,
            agreement.annotators_intra[petr].kappa,
            agreement.annotators_inter[petr].kappa,
            None,
            sentences_intra=10,
            sentences_inter=20,
        ),
    )
    assert out.options == (
        "without annotators with κ below 0.2 on 10 sentences or more",
        "1 annotators left out",
    )


@pytest.mark.parametrize("sentences", [9, 10])
def test_a_kappa_of_few_sentences_excludes_no_annotator(sentences):
    rows = [("t", "eva", [1, 2]), ("t", "jana", [1, 2])]
    for number in range(sentences):
        rows += [(f"s{number}", "petr", [1, 2]), (f"s{number}", "petr", [2, 1])]
    # More judgements of a sentence are no more sentences.
    rows += [("s0", "petr", [1, 2]), ("s0", "petr", [2, 1])]

    kept, out = left(judged(rows), minimum_kappa=0.5)

    goes, stays = (out.annotators, out.spared) if sentences == 10 else (out.spared, out.annotators)
    assert [(row.annotator, row.sentences_intra) for row in goes] == [("petr", sentences)]
    assert stays == ()
    assert len(kept) == (2 if sentences == 10 else len(rows))


def test_an_undefined_kappa_excludes_no_annotator():
    judgements = judged(OFTEN)

    kept, out = left(judgements, minimum_kappa=1.1)

    names = [judgements.annotator_names[code] if code >= 0 else None for code in kept.annotators]
    assert set(names) == {"eva", None}
    assert [annotator.annotator for annotator in out.annotators] == ["jana", "petr", "zuzana"]


def test_annotators_failing_controls_go():
    controls = count_controls([("eva", True), ("eva", False), ("jana", True)])

    kept, out = left(judged(ROWS), controls, minimum_controls=0.7)

    assert [(row.annotator, row.controls) for row in out.annotators] == [("eva", 0.5)]
    assert len(kept) == 9
    assert out.options == (
        "without annotators under 0.7 of controls",
        "1 annotators left out",
    )


def test_repeats_go_and_the_first_judgement_of_each_segment_stays():
    kept, out = left(judged(ROWS), repeats=False)

    assert sorted(kept.segments) == [0, 1, 2, 3]
    assert not kept.repeats.any()
    assert (out.repeats, kept_of(out)) == (6, 4)
    assert out.options == ("6 repeats left out",)


def test_a_repeat_stays_where_what_it_repeats_has_gone():
    # Petr was the first to judge u.
    judgements = judged(OFTEN)

    kept, out = left(judgements, minimum_kappa=0.2, repeats=False)

    assert sorted(kept.segments) == list(range(40))
    assert (len(kept), out.repeats) == (40, 30)


def test_of_several_such_repeats_the_earliest_stays():
    rows = [
        ("s", "petr", [1, 2]),
        ("s", "petr", [2, 1]),
        ("s", "jana", [1, 2]),
        ("s", "eva", [2, 2]),
    ]
    judgements = judged(rows, created=[1.0, 2.0, 9.0, 8.0])
    controls = count_controls([("petr", False)])

    kept, _ = left(judgements, controls, minimum_controls=0.5, repeats=False)

    assert kept.candidate_ranks.tolist() == [[2, 2]]


@pytest.mark.parametrize("rows", [[], [("s", None, [1, 2])]])
def test_nothing_to_exclude(rows):
    kept, out = left(judged(rows), minimum_kappa=0.5, minimum_controls=0.5, repeats=False)

    assert len(kept) == kept_of(out) == len(rows)
    assert out.annotators == ()


@given(tables())
def test_without_repeats_each_segment_judged_is_judged_once(rows):
    judgements = judged(rows)

    kept, out = left(judgements, repeats=False)

    assert len(kept) == len(np.unique(judgements.segments)) == kept_of(out)
    assert set(kept.segments) == set(judgements.segments)
