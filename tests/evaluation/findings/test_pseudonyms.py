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


def shared(key: bytes) -> Report:
    return without_names(to_json(named_report()), key)


def numbers_of(key: bytes) -> dict[str, int]:
    rows = shared(key).annotators
    # The rows are in the order of the numbers, not of the names.
    assert [row.annotator for row in rows] == [f"Annotator {n}" for n in range(1, 7)]
    return {NAMES[row.judgements]: number for number, row in enumerate(rows, start=1)}


def test_numbers_depend_on_the_key_and_not_on_the_alphabet() -> None:
    found = [numbers_of(bytes([seed])) for seed in range(8)]
    assert numbers_of(b"\x00") == found[0]
    assert len({tuple(each.items()) for each in found}) > 1


def test_every_part_has_the_same_numbers() -> None:
    numbers = numbers_of(b"key")
    report = shared(b"key")

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
    report = shared(b"key")

    assert report.rankings == named_report().rankings
    # Also a system that is called like an annotator.
    assert {row.system for row in report.annotator_effects.without} == {"anna"}


def test_nothing_says_who_left_systems_undecided() -> None:
    report = shared(b"key")

    assert report.undecided is not None
    assert report.undecided.by == ""
