"""`manage.py evaluate_unseen PROJECT NAME=FILE…`: judge unseen systems by the judgements."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.management.given_texts import named_files
from annotation.preparation.alignment import EFFORTS
from annotation.projects.names import find_project
from evaluation.reuse.matching import METHODS

BLEU = "segranks-bleu"
PREDICTION = "prediction"
ANSWERS = "answers"


class Command(SegRanksCommand):
    help = (
        "Judge systems that people have not ranked by a project's judgements, with the methods of "
        "the thesis and by prediction. Nothing is stored. exact: only where another system has the "
        "same candidate. closest: by the ranks of the candidates at the smallest edit distance. "
        "prediction: learned from the texts and ranks of the project's systems, with an interval. "
        "segranks-bleu: BLEU with the best candidates as further references. answers: the answers "
        "on a scale about identical texts, and grades extrapolated from the closest texts. In "
        "JSON, undefined figures are null, and figures have 6 decimals."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("project", help="the project's id or exact name")
        add(
            "outputs",
            nargs="*",
            metavar="NAME=FILE",
            help="outputs of new systems, a sentence a line; they stand next to the project",
        )
        add(
            "--method",
            choices=(*METHODS, PREDICTION, BLEU, ANSWERS),
            help="how to judge (default closest; of answers on a scale, answers)",
        )
        add(
            "--leave-one-out",
            action="store_true",
            help="judge each of the project's systems as if people had not ranked it",
        )
        add(
            "--alignment",
            action="append",
            default=[],
            metavar="NAME=FILE",
            help="word alignment of outputs, in Pharaoh format (the project's aligner)",
        )
        add("--tokenized", action="store_true", help="the outputs are tokenised")
        add("--effort", default="", choices=EFFORTS, help="effort of alignment (the project's)")
        add(
            "--candidates",
            type=Path,
            metavar="FILE",
            help="candidates of new systems instead of outputs: sentence id, segment, system, "
            "candidate, token indices",
        )
        add(
            "--examples",
            type=int,
            default=0,
            metavar="N",
            help="with --leave-one-out: list N misses, drawn at random",
        )
        add("--seed", type=int, default=0, metavar="N", help="of the examples (0)")
        add(
            "--effect-from",
            metavar="PROJECT",
            help="with --method prediction: correct the prediction by how far a judged system is "
            "off its prediction in another project",
        )
        add(
            "--effect-of",
            type=plain_name,
            metavar="SYSTEM",
            help="with --effect-from: the judged system, the same or a near one",
        )
        add("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.findings import (
            predictions,
            reused_answers,
            segranks_bleu,
            unseen_systems,
        )
        from evaluation.findings.serialisation import to_json
        from evaluation.management.unseen_reports import matched, predicted, reused, scored
        from evaluation.rendering.formats import as_text
        from evaluation.services.output_candidates import OutputFiles
        from evaluation.services.unseen_systems import UnseenSystems

        files = OutputFiles(
            outputs=named_files("output", options["outputs"]),
            links=named_files("--alignment", options["alignment"]),
            tokenized=options["tokenized"],
            effort=options["effort"],
        )
        given = [bool(files.outputs), options["candidates"] is not None, options["leave_one_out"]]
        if sum(given) != 1:
            raise InputError("Give outputs (NAME=FILE), --candidates FILE or --leave-one-out.")
        if options["examples"] < 0 or options["seed"] < 0:
            raise InputError("--examples and --seed are numbers from 0.")
        if (options["effect_from"] is None) != (options["effect_of"] is None):
            raise InputError("Give --effect-from PROJECT and --effect-of SYSTEM together.")
        if options["effect_of"] and (options["method"] != PREDICTION or options["leave_one_out"]):
            raise InputError("An effect corrects --method prediction of new systems only.")
        unseen = UnseenSystems(find_project(options["project"]))
        if options["method"] is None:
            options["method"] = ANSWERS if unseen.scale.steps else "closest"
        if options["examples"] and options["method"] not in METHODS:
            raise InputError(f"--examples are of --method {' and '.join(METHODS)} only.")
        found: Any
        if options["method"] == ANSWERS:
            found = reused(unseen, files, options)
            tables = reused_answers.tables(found)
        elif options["method"] == PREDICTION:
            found = predicted(unseen, files, options)
            tables = predictions.tables(found)
        elif options["method"] == BLEU:
            found = scored(unseen, files, options)
            tables = [segranks_bleu.table(found)]
        else:
            found = matched(unseen, files, options)
            tables = unseen_systems.tables(found)
        self.stdout.write(
            json.dumps(to_json(found), ensure_ascii=False, indent=1)
            if options["json"]
            else "\n\n".join(map(as_text, tables))
        )
