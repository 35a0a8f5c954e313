"""`manage.py tune PROJECT`: tune a linear model to a project's judgements."""

import json
import re
from argparse import ArgumentParser, ArgumentTypeError
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.management.given_texts import named_files
from annotation.management.progress_bar import Bar
from annotation.projects.names import find_project
from evaluation.reuse.tuning.objectives import OBJECTIVES
from evaluation.stats.resampling import FEWEST_RESAMPLES

if TYPE_CHECKING:
    from evaluation.services.tuning import Numbers, ProjectTuning


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
        from evaluation.findings import tuning as findings
        from evaluation.findings.serialisation import to_json
        from evaluation.rendering.formats import as_text
        from evaluation.report.files import check_folder
        from evaluation.reuse.tuning.experiment import TuningOptions
        from evaluation.services.tuning import TuningInput, tune_project

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
        found = findings.compute(project.name, tuning.report)
        self.stdout.write(
            json.dumps(to_json(found), ensure_ascii=False, indent=1)
            if options["json"]
            else "\n\n".join(map(as_text, findings.tables(found)))
        )


def _numbers(text: str) -> "Numbers":
    match = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", text)
    if not match or int(match[1]) > int(match[2]):
        raise ArgumentTypeError(f"{text!r} is not a range of sentence numbers such as 1-750")
    return int(match[1]), int(match[2])


def _positive(text: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text) or not int(text):
        raise ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def _write(tuning: "ProjectTuning", folder: Path) -> None:
    from evaluation.services.tuning import chosen_texts

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
