"""Reports without names."""

from dataclasses import replace

from evaluation.findings.pseudonyms import without_names
from evaluation.findings.report import Report
from evaluation.findings.serialisation import to_json
from tests.evaluation.report.sample import agreement, change, drift, pair, sample, undecided

NAMES = ["anna", "bob", "cyril", "dana", "eva", "filip"]
PAIRS = (("anna", "bob"), ("cyril", "eva"))


def named_report() -> Report:
    (work,) = sample().annotators
    (without,) = sample().annotator_effects.without
    found = agreement(*(pair(one, other, 0.5) for one, other in PAIRS))
    (kappas,) = found.annotators
    return sample(
        annotators=tuple(
            replace(work, annotator=name, judgements=at) for at, name in enumerate(NAMES)
        ),
        agreement=replace(
            found, annotators=tuple(replace(kappas, annotator=name) for name in NAMES)
        ),
        annotator_effects=replace(
            sample().annotator_effects,
            without=tuple(
                replace(without, annotator=name, system="anna", judgements=at)
                for at, name in enumerate(NAMES)
            ),
        ),
        drift=drift(
            *(change(name, screens=at) for at, name in enumerate(NAMES)), together=change("")
        ),
        undecided=undecided(by="dana"),
    )


# Filip has none of his own.
KNOWN = {"dana": 1, "anna": 2, "eva": 3, "bob": 4, "cyril": 5}


def shared() -> Report:
    return without_names(to_json(named_report()), KNOWN)


def test_rows_are_in_the_order_of_the_numbers_and_unknown_names_follow() -> None:
    rows = shared().annotators

    assert [(row.annotator, NAMES[row.judgements]) for row in rows] == [
        (f"Annotator {number}", name) for number, name in enumerate((*KNOWN, "filip"), start=1)
    ]


def test_every_part_has_the_same_numbers() -> None:
    numbers = {**KNOWN, "filip": 6}
    report = shared()

    # Pairs and the two in each are by number: their names were in alphabetical order.
    assert [(row.annotator, row.other) for row in report.agreement.pairs] == [
        (f"Annotator {one}", f"Annotator {other}")
        for one, other in sorted(sorted((numbers[a], numbers[b])) for a, b in PAIRS)
    ]
    in_order = [f"Annotator {n}" for n in range(1, 7)]
    assert [row.annotator for row in report.agreement.annotators] == in_order
    for rows in (
        [(row.annotator, row.seconds.screens) for row in report.drift.annotators],
        [(row.annotator, row.judgements) for row in report.annotator_effects.without],
    ):
        assert rows == [
            (f"Annotator {number}", NAMES.index(name))
            for name, number in sorted(numbers.items(), key=lambda each: each[1])
        ]
    assert report.drift.together.annotator == ""


def test_systems_keep_their_names() -> None:
    report = shared()

    assert report.rankings == named_report().rankings
    # Also a system that is called like an annotator.
    assert {row.system for row in report.annotator_effects.without} == {"anna"}


def test_nothing_says_who_left_systems_undecided() -> None:
    report = shared()

    assert report.undecided is not None
    assert report.undecided.by == ""
