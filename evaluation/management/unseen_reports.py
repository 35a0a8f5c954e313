"""The reports of `manage.py evaluate_unseen`, by its options."""

from typing import Any

from annotation.formats.errors import InputError
from annotation.projects.names import find_project
from evaluation.findings import predictions, segranks_bleu, unseen_systems
from evaluation.findings.predictions import PredictionsReport
from evaluation.findings.reused_answers import ReusedAnswersReport, report_reused_answers
from evaluation.findings.segranks_bleu import BleuReport
from evaluation.findings.unseen_systems import UnseenReport
from evaluation.reuse.matching import draw_examples, measure_errors
from evaluation.reuse.stored_answers import measure_extrapolation
from evaluation.reuse.system_effect import carry_over
from evaluation.services.output_candidates import OutputFiles
from evaluation.services.unseen_systems import UnseenSystems


def predicted(
    unseen: UnseenSystems, files: OutputFiles, options: dict[str, Any]
) -> PredictionsReport:
    if options["leave_one_out"]:
        return predictions.of_left_out(unseen.predicted_left_out, unseen.provenance)
    if options["candidates"]:
        given, origin = unseen.candidates_of_file(options["candidates"]), ["candidates given"]
    else:
        given, origin = unseen.candidates_of_outputs(files), unseen.origin(files)
    found, carried, source = unseen.predict(given), [], ""
    if options["effect_of"]:
        project = find_project(options["effect_from"])
        effect = UnseenSystems(project).effect_of(options["effect_of"])
        carried = [carry_over(prediction, effect) for prediction in found]
        source = project.name
    return predictions.of_new_systems(
        found, [*origin, *unseen.provenance], carried=carried, effect_from=source
    )


def reused(
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
    return report_reused_answers(
        systems,
        measure_extrapolation(left_out),
        scale=unseen.scale.steps,
        left_out=options["leave_one_out"],
        judgements=len(unseen.judgements),
        sentences=unseen.judgements.sentences_judged,
        undecided=unseen.scale.undecided,
        origin=origin,
        provenance=unseen.provenance,
    )


def matched(unseen: UnseenSystems, files: OutputFiles, options: dict[str, Any]) -> UnseenReport:
    origin: list[str] = []
    if options["leave_one_out"]:
        matches = unseen.left_out
    elif options["candidates"]:
        given = unseen.candidates_of_file(options["candidates"])
        matches, origin = unseen.match(given), ["candidates given"]
    else:
        matches = unseen.match(unseen.candidates_of_outputs(files))
        origin = unseen.origin(files)
    return unseen_systems.compute(
        options["method"],
        matches,
        measure_errors(unseen.left_out, options["method"]),
        left_out=options["leave_one_out"],
        examples=draw_examples(matches, number=options["examples"], seed=options["seed"]),
        seed=options["seed"],
        origin=origin,
        provenance=unseen.provenance,
    )


def scored(unseen: UnseenSystems, files: OutputFiles, options: dict[str, Any]) -> BleuReport:
    """Return BLEU and SegRanksBLEU of outputs. Raises InputError for candidates."""
    if options["candidates"]:
        raise InputError("segranks-bleu compares whole outputs: give them as NAME=FILE.")
    return segranks_bleu.compute(unseen.score_outputs(files), unseen.ratios, unseen.provenance)
