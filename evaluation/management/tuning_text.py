"""Text of `manage.py tune`."""

from typing import Final

from evaluation.rendering.formats import decimal, text_table
from evaluation.rendering.text import UNDEFINED
from evaluation.reuse.tuning.choices import Choice
from evaluation.services.tuning import ProjectTuning
from evaluation.stats.estimates import Estimate

# Figures have so many decimals in tables.
PLACES: Final = 4


def tuning_text(tuning: ProjectTuning) -> str:
    report = tuning.report
    paragraphs = [
        f"Trained on {report.training_sentences} sentences, judged on {report.test_sentences} "
        f"others: wins of {report.judged_by}, ties left out."
    ]
    if report.missing:
        paragraphs.append(f"Not possible here: {', '.join(report.missing)}.")
    parts = {
        "tuned to": [one.choice for one in report.tuned],
        "untrained": report.untrained,
        "bounds": report.bounds,
    }
    for title, choices in parts.items():
        paragraphs.append(text_table([title, *_HEADER], [_row(choice) for choice in choices]))
    header = ["weight per deviation", *(one.objective for one in report.tuned)]
    rows = [
        [name, *(decimal(float(one.weights[place]), 3) for one in report.tuned)]
        for place, name in enumerate(report.feature_names)
    ]
    reasons = {
        estimate.undefined or estimate.no_interval
        for choices in parts.values()
        for choice in choices
        for estimate in (choice.people, choice.minus_bleu, choice.minus_consensus)
        if estimate is not None
    } - {""}
    notes = ["\n".join(f"{UNDEFINED}: {reason}." for reason in sorted(reasons))] if reasons else []
    paragraphs += [text_table(header, rows), *notes, str(report.signature)]
    return "\n\n".join(paragraphs)


_HEADER: Final = [
    "people",
    "95 %",
    "− BLEU's",
    "95 %",
    "− consensus",
    "95 %",
    "± seeds",
    "BLEU",
    "hits",
]


def _row(choice: Choice) -> list[str]:
    figures = [choice.people, choice.minus_bleu, choice.minus_consensus]
    cells = [cell for estimate in figures for cell in _cells(estimate)]
    rest = (choice.spread, choice.bleu, choice.hit_rate)
    return [choice.name, *cells, *(decimal(figure, PLACES) for figure in rest)]


def _cells(estimate: Estimate | None) -> tuple[str, str]:
    if estimate is None or estimate.value is None:
        return UNDEFINED, UNDEFINED
    if estimate.low is None or estimate.high is None:
        return decimal(estimate.value, PLACES), UNDEFINED
    ends = f"{decimal(estimate.low, PLACES)} to {decimal(estimate.high, PLACES)}"
    return decimal(estimate.value, PLACES), ends
