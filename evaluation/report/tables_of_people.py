"""The tables of a report about annotators, their agreement, and what they disagree on."""

from typing import Any, Final

from evaluation.report.notes import interval_note, reasons
from evaluation.report.shape import KappaRow, ReportData
from evaluation.report.table import Cell, Column, Table

_KAPPA: Final = (
    Column("agree", "alike"),
    Column("compared", "compared"),
    Column("kappa", "κ"),
    Column("low", "from"),
    Column("high", "to"),
)


def agreement(report: ReportData) -> Table:
    part = report["agreement"]
    rows: list[tuple[Cell, ...]] = [
        (f"κ {name}", kappa["agree"], kappa["compared"], *_span(kappa, "kappa"))
        for name, kappa in (("intra", part["intra"]), ("inter", part["inter"]))
    ]
    for name, estimate in (
        ("α (Krippendorff)", part["alpha"]),
        ("τ-b intra", part["tau_b"]["intra"]),
        ("τ-b inter", part["tau_b"]["inter"]),
    ):
        rows.append((name, None, None, *_span(estimate, "value")))
    everything = [part["intra"], part["inter"], part["alpha"], *part["tau_b"].values()]
    return Table(
        "agreement",
        "Agreement of annotators with themselves (intra) and with each other (inter).",
        (
            Column("measure", "measure", is_text=True),
            Column("agree", "alike"),
            Column("compared", "compared"),
            Column("value", "value"),
            Column("low", "from"),
            Column("high", "to"),
        ),
        tuple(rows),
        (interval_note(report), *reasons(everything), part["signature"]),
    )


def _span(row: Any, key: str) -> tuple[Cell, Cell, Cell]:
    return row[key], row["low"], row["high"]


def annotators(report: ReportData) -> Table:
    rows = [
        (
            row["annotator"],
            row["sentences"],
            row["segments"],
            row["seconds"],
            row["seconds_per_segment"],
            *_kappa(row["intra"]),
            *_kappa(row["inter"]),
            row["controls"],
            row["controls_passed"],
        )
        for row in report["annotators"]
    ]
    return Table(
        "annotators",
        "Annotators, their time and their agreement.",
        (
            Column("annotator", "annotator", is_text=True),
            Column("sentences", "sentences"),
            Column("segments", "segments"),
            Column("seconds", "seconds", places=0),
            Column("seconds_per_segment", "s/segment", places=1),
            Column("kappa_intra", "κ intra"),
            Column("kappa_intra_low", "from"),
            Column("kappa_intra_high", "to"),
            Column("kappa_intra_sentences", "sentences"),
            Column("kappa_inter", "κ inter"),
            Column("kappa_inter_low", "from"),
            Column("kappa_inter_high", "to"),
            Column("kappa_inter_sentences", "sentences"),
            Column("controls", "controls"),
            Column("controls_passed", "passed"),
        ),
        tuple(rows),
        (
            interval_note(report),
            *reasons(
                [kappa for row in report["annotators"] for kappa in (row["intra"], row["inter"])]
            ),
            report["agreement"]["signature"],
        ),
    )


def _kappa(row: KappaRow) -> tuple[Cell, Cell, Cell, Cell]:
    return row["kappa"], row["low"], row["high"], row.get("sentences")


def pairs(report: ReportData) -> Table:
    rows = [
        (
            row["annotator"],
            row["other"],
            row["agree"],
            row["compared"],
            row["kappa"],
            row["low"],
            row["high"],
            row.get("sentences"),
        )
        for row in report["pairs"]
    ]
    return Table(
        "pairs-of-annotators",
        "Agreement of every two annotators who judged the same segments.",
        (
            Column("annotator", "annotator", is_text=True),
            Column("other", "other", is_text=True),
            *_KAPPA,
            Column("sentences", "sentences"),
        ),
        tuple(rows),
        (interval_note(report), *reasons(report["pairs"]), report["agreement"]["signature"]),
    )


def disputed(report: ReportData) -> Table:
    rows = [
        (
            row["sentence"],
            row["words"],
            row["judgements"],
            row["annotators"],
            row["agree"],
            row["reversed"],
            row["compared"],
        )
        for row in report["disputed"]
    ]
    return Table(
        "disputed-segments",
        "Segments whose judgements differ most.",
        (
            Column("sentence", "sentence"),
            Column("words", "segment", is_text=True),
            Column("judgements", "judgements"),
            Column("annotators", "annotators"),
            Column("agree", "alike"),
            Column("reversed", "reversed"),
            Column("compared", "compared"),
        ),
        tuple(rows),
        (
            "Of all pairs of candidates compared, those ordered alike and those ordered the other "
            "way round.",
            report["signature"],
        ),
    )


def sequence(report: ReportData) -> Table:
    """Return whether a judgement depends on the one before, and on where candidates stood."""
    part = report["sequence"]
    rows: list[tuple[Cell, ...]] = [
        (name, row["compared"], *_span(row, "value"), row["p"])
        for name, row in (
            ("share in the garbage, with the sentence before", part["garbage"]),
            ("share of ties, with the sentence before", part["ties"]),
        )
    ]
    place = part["place"]
    pairs = place["earlier_better"] + place["later_better"]
    rows.append(("candidate shown earlier better", pairs, *_span(place, "value"), place["p"]))
    return Table(
        "sequence",
        "Sequence effects: correlations with the sentence before, and the share of pairs in which "
        "the candidate shown earlier is better.",
        (
            Column("effect", "effect", is_text=True),
            Column("compared", "compared"),
            Column("value", "value"),
            Column("low", "from"),
            Column("high", "to"),
            Column("p", "p", places=4),
        ),
        tuple(rows),
        (
            interval_note(report),
            *reasons([part["garbage"], part["ties"], place]),
            part["signature"],
        ),
    )


def drift(report: ReportData) -> Table:
    """Return how time and agreement change per 100 sentences."""
    part = report["drift"]
    rows = [
        (
            row["annotator"] or "together",
            *_span(row["seconds"], "value"),
            row["seconds"]["screens"],
            *_span(row["agreement"], "value"),
            row["agreement"]["screens"],
        )
        for row in (*part["annotators"], part["together"])
    ]
    return Table(
        "drift",
        "Change per 100 sentences of the time for a segment (relative) and of the share of pairs "
        "on which others agree.",
        (
            Column("annotator", "annotator", is_text=True),
            Column("seconds", "time"),
            Column("seconds_low", "from"),
            Column("seconds_high", "to"),
            Column("seconds_screens", "sentences"),
            Column("agreement", "agreement"),
            Column("agreement_low", "from"),
            Column("agreement_high", "to"),
            Column("agreement_screens", "sentences"),
        ),
        tuple(rows),
        (interval_note(report), part["signature"]),
        frozenset({len(rows) - 1}),
    )
