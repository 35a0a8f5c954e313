"""`manage.py tune PROJECT`: tune a linear model to a project's judgements."""

import json
import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import Any, Final

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.management.given_texts import named_files
from annotation.management.progress_bar import Bar
from annotation.projects.names import find_project
from evaluation.report.files import check_folder
from evaluation.report.formats import UNDEFINED, decimal, text_table
from evaluation.reuse.tuning.choices import Choice
from evaluation.reuse.tuning.experiment import TuningOptions
from evaluation.reuse.tuning.objectives import OBJECTIVES
from evaluation.services.tuning import (
    Numbers,
    ProjectTuning,
    TuningInput,
    chosen_texts,
    tune_project,
    tuning_report,
)
from evaluation.stats.estimates import Estimate
from evaluation.stats.resampling import FEWEST_RESAMPLES

# Figures have so many decimals in tables.
PLACES: Final = 4


class Command(SegRanksCommand):
    help = (
        "Tune the weights of a linear model to BLEU and to a project's judgements, on N-best lists "
        "or on the outputs of the project's systems, and report how people judged what it chooses "
        "of other sentences. In JSON, figures have 6 decimals, and undefined ones are null."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("project", help="a project's id or exact name")
        hypotheses = parser.add_mutually_exclusive_group()
        hypotheses.add_argument(
            "--nbest",
            type=Path,
            action="append",
            default=[],
            metavar="FILE",
            help="N-best lists as Moses writes them, tokenised as the project; id 0 is sentence 1; "
            "repeat to merge lists of several runs",
        )
        hypotheses.add_argument(
            "--outputs", action="store_true", help="the outputs of the project's systems (default)"
        )
        add(
            "--output-of",
            action="append",
            default=[],
            metavar="NAME=FILE",
            help="outputs of a system, a sentence a line, if the project does not store them",
        )
        add("--tokenized", action="store_true", help="the files of --output-of are tokenised")
        add("--system-indicators", action="store_true", help="each system is a feature too")
        add(
            "--objective",
            action="append",
            default=[],
            choices=OBJECTIVES,
            help="what to tune to; repeat for several (all that are possible)",
        )
        add("--train", type=_numbers, metavar="A-B", help="sentences for training (all others)")
        add(
            "--test",
            type=_numbers,
            metavar="A-B",
            help="sentences for the test (all others, or the second half)",
        )
        add("--restarts", type=_positive, default=5, metavar="N", help="random starts (5)")
        add("--seeds", type=_positive, default=5, metavar="N", help="runs with other seeds (5)")
        add(
            "--resamples",
            type=_positive,
            default=1000,
            metavar="N",
            help="of sentences (1000, at least 100)",
        )
        add("--cased", action="store_true", help="BLEU and SegRanksBLEU distinguish case")
        add(
            "--chosen",
            type=Path,
            metavar="DIR",
            help="write the chosen translations to this folder, a file for each objective",
        )
        add("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["resamples"] < FEWEST_RESAMPLES:
            raise InputError(f"--resamples must be at least {FEWEST_RESAMPLES}.")
        project = find_project(options["project"])
        folder: Path | None = options["chosen"]
        if folder:
            check_folder(folder, "--chosen")
        given = TuningInput(
            nbest=options["nbest"],
            output_files=named_files("--output-of", options["output_of"]),
            tokenized=options["tokenized"],
            training=options["train"],
            test=options["test"],
            indicators=options["system_indicators"],
        )
        chosen = TuningOptions(
            objectives=tuple(options["objective"]),
            restarts=options["restarts"],
            seeds=options["seeds"],
            resamples=options["resamples"],
            cased=options["cased"],
        )
        bar = Bar()
        try:
            tuning = tune_project(
                project, given, chosen, lambda done, total: bar("tuning", done, total)
            )
        finally:
            bar.close()
        if folder:
            _write(tuning, folder)
        if options["json"]:
            self.stdout.write(json.dumps(tuning_report(tuning), ensure_ascii=False, indent=1))
        else:
            self.stdout.write("\n\n".join(_paragraphs(tuning)))


def _numbers(text: str) -> Numbers:
    match = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text)
    if not match or int(match[1]) > int(match[2]):
        raise ArgumentTypeError(f"{text!r} is not a range of sentence numbers such as 1-750")
    return int(match[1]), int(match[2])


def _positive(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text) or not int(text):
        raise ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def _write(tuning: ProjectTuning, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in chosen_texts(tuning).items():
            (folder / f"{name}.txt").write_text(
                "".join(f"{line}\n" for line in lines), encoding="utf-8"
            )
    except OSError as problem:
        raise InputError(
            f"The folder {folder} cannot be written ({problem.strerror}): choose another --chosen."
        ) from problem


def _paragraphs(tuning: ProjectTuning) -> list[str]:
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
    return [*paragraphs, text_table(header, rows), *notes, str(report.signature)]


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
