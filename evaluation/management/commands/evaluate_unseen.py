"""`manage.py evaluate_unseen PROJECT NAME=FILE…`: judge unseen systems by the judgements."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.kinds import kind_of
from annotation.management.given_texts import named_files
from annotation.preparation.alignment import EFFORTS
from annotation.projects.names import find_project
from evaluation.report.predictions import (
    PredictionsReport,
    predictions_json,
    predictions_text,
)
from evaluation.report.reused_answers import (
    ReusedAnswersReport,
    reused_json,
    reused_text,
)
from evaluation.report.unseen_systems import (
    BleuReport,
    UnseenReport,
    bleu_json,
    bleu_text,
    unseen_json,
    unseen_text,
)
from evaluation.reuse.matching import METHODS, draw_examples, measure_errors
from evaluation.reuse.stored_answers import measure_extrapolation
from evaluation.reuse.system_effect import carry_over
from evaluation.services.unseen_systems import OutputFiles, UnseenSystems

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
            options["method"] = ANSWERS if unseen.scale else "closest"
        if options["examples"] and options["method"] not in METHODS:
            raise InputError(f"--examples are of --method {' and '.join(METHODS)} only.")
        found: Any
        if options["method"] == ANSWERS:
            reused = _reused(unseen, files, options)
            found = (reused_json if options["json"] else reused_text)(reused)
        elif options["method"] == PREDICTION:
            predicted = _predicted(unseen, files, options)
            found = (predictions_json if options["json"] else predictions_text)(predicted)
        elif options["method"] == BLEU:
            if options["candidates"]:
                raise InputError("segranks-bleu compares whole outputs: give them as NAME=FILE.")
            bleu = BleuReport(unseen.score_outputs(files), unseen.ratios, unseen.provenance)
            found = (bleu_json if options["json"] else bleu_text)(bleu)
        else:
            report = _report(unseen, files, options)
            found = (unseen_json if options["json"] else unseen_text)(report)
        if isinstance(found, dict):
            found = json.dumps(found, ensure_ascii=False, indent=1)
        self.stdout.write(found)


def _predicted(
    unseen: UnseenSystems, files: OutputFiles, options: dict[str, Any]
) -> PredictionsReport:
    if options["leave_one_out"]:
        left_out = unseen.predicted_left_out
        return PredictionsReport(
            [each.prediction for each in left_out], left_out, unseen.provenance
        )
    if options["candidates"]:
        given, origin = unseen.candidates_of_file(options["candidates"]), ["candidates given"]
    else:
        given, origin = unseen.candidates_of_outputs(files), unseen.origin(files)
    predictions, carried, source = unseen.predict(given), [], ""
    if options["effect_of"]:
        project = find_project(options["effect_from"])
        effect = UnseenSystems(project).effect_of(options["effect_of"])
        carried = [carry_over(prediction, effect) for prediction in predictions]
        source = project.name
    return PredictionsReport(
        predictions, (), [*origin, *unseen.provenance], carried=carried, effect_from=source
    )


def _reused(
    unseen: UnseenSystems, files: OutputFiles, options: dict[str, Any]
) -> ReusedAnswersReport:
    left_out, origin = unseen.answers_left_out, []
    if options["leave_one_out"]:
        systems = left_out
    elif options["candidates"]:
        systems = unseen.reuse_answers(unseen.candidates_of_file(options["candidates"]))
        origin = ["candidates given"]
    else:
        systems = unseen.reuse_answers(unseen.candidates_of_outputs(files))
        origin = unseen.origin(files)
    return ReusedAnswersReport(
        systems=systems,
        errors=measure_extrapolation(left_out),
        scale=unseen.scale,
        left_out=options["leave_one_out"],
        judgements=len(unseen.judgements),
        sentences=unseen.judgements.sentences_judged,
        undecided=kind_of(unseen.project).undecided,
        origin=origin,
        provenance=unseen.provenance,
    )


def _report(unseen: UnseenSystems, files: OutputFiles, options: dict[str, Any]) -> UnseenReport:
    origin: list[str] = []
    if options["leave_one_out"]:
        matches = unseen.left_out
    elif options["candidates"]:
        given = unseen.candidates_of_file(options["candidates"])
        matches, origin = unseen.match(given), ["candidates given"]
    else:
        matches = unseen.match(unseen.candidates_of_outputs(files))
        origin = unseen.origin(files)
    return UnseenReport(
        method=options["method"],
        matches=matches,
        errors=measure_errors(unseen.left_out, options["method"]),
        left_out=options["leave_one_out"],
        examples=draw_examples(matches, number=options["examples"], seed=options["seed"]),
        seed=options["seed"],
        origin=origin,
        provenance=unseen.provenance,
    )
