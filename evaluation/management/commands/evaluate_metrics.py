"""`manage.py evaluate_metrics PROJECT|--gold-file FILE…`: agreement of metrics with people."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from annotation.formats.error_points import WEIGHTS
from annotation.formats.errors import InputError
from annotation.formats.names import plain_name
from annotation.management.progress_bar import Bar
from annotation.projects.names import find_project
from evaluation.findings.options import GOLDS, BadOption, MetricsOptions, ReportOptions
from evaluation.management.metric_options import (
    add_metric_options,
    chosen_metrics,
    chosen_resources,
    write_files,
)

if TYPE_CHECKING:
    from evaluation.findings.metrics import MetricsReport
    from evaluation.report.gold_files import GoldReport

# Written instead of names of outliers.
NO_OUTLIERS = "none"
MAP_NEEDS_SCORES = "--map is for names of systems in files of scores: add --scores FILE."
# Options that need another gold.
OF_PROJECTS = ("metric", "function_words", "synonyms", "paraphrases", "model")
OF_FILES = ("without", "pair", "all_annotators", "weights")


class Command(SegRanksCommand):
    help = (
        "Say how far automatic metrics agree with people: with the annotators of a project, or "
        "with human gold in files, without a project. Files are recognised: scores of the WMT "
        "metrics tasks, people's scores of systems beside those of metrics (WMT19), direct "
        "assessments, MQM, ESA, five-way rankings, preferred pairs, and folders of "
        "mt-metrics-eval. Nothing is stored. In JSON, figures have 6 decimals, and undefined ones "
        "are null."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        add = parser.add_argument
        add("project", nargs="?", help="a project's id or exact name")
        add(
            "--gold-file",
            nargs="+",
            type=Path,
            action="extend",
            default=[],
            metavar="FILE",
            help="instead of a project: scores or pairs by people, or a folder of mt-metrics-eval",
        )
        add(
            "--scores",
            nargs="+",
            type=Path,
            action="extend",
            default=[],
            metavar="FILE",
            help="scores of metrics, of systems and of sentences; for a project, in addition to "
            "--metric",
        )
        add(
            "--lower-is-better",
            type=plain_name,
            nargs="+",
            action="extend",
            default=[],
            metavar="METRIC",
            help="with --scores: metrics in these files that are better when lower, such as "
            "error rates",
        )
        add(
            "--gold",
            type=plain_name,
            default="",
            metavar="NAME",
            help=f"the scores of systems by people: {', '.join(GOLDS)} (by default mean_z in "
            "direct assessment, minus_hter in post-editing, mean_score where each translation is "
            f"put on a step by itself, {GOLDS[0]} of rankings); with --gold-file, "
            "the name of a human score in the files (Z.SCR for systems and RAW.SCR for segments, "
            "or the first)",
        )
        add(
            "--outliers",
            type=plain_name,
            nargs="+",
            metavar="SYSTEM",
            help=f"the outliers, or {NO_OUTLIERS} (those found by MAD)",
        )
        add_metric_options(parser)
        add(
            "--map",
            type=Path,
            metavar="FILE",
            help="with --scores: a line for a system: its name in the files of scores, a tab, and "
            "its name in the project or in the gold, or nothing",
        )
        add(
            "--without",
            type=plain_name,
            nargs="+",
            action="extend",
            default=[],
            metavar="SYSTEM",
            help="with --gold-file: leave out these systems, such as human translations",
        )
        add(
            "--pair",
            nargs="+",
            action="extend",
            default=[],
            metavar="SOURCE-TARGET",
            help="with --gold-file: only these language pairs",
        )
        add(
            "--all-annotators",
            action="store_true",
            help="with --gold-file: of single direct assessments, include the annotators who do "
            "not pass the test of degraded outputs",
        )
        add(
            "--weights",
            choices=tuple(WEIGHTS),
            default="",
            help="with --gold-file: the error points of MQM, as for score_error_spans",
        )
        add("--resamples", type=int, default=1000, help="bootstrap samples (1000; at least 100)")
        add("--seed", type=int, default=0, help="random seed (0)")
        add("--json", action="store_true", help="print JSON")
        add(
            "--output",
            type=Path,
            metavar="DIR",
            help="write metrics.json and metrics.txt, too, and for a project the tables (LaTeX, "
            "CSV, Markdown, JSON) and figures of its page; the folder is created if missing",
        )

    def execute(self, *args: Any, **options: Any) -> str | None:
        self.needs_tables = options["project"] is not None and not options["gold_file"]
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.findings.serialisation import to_json
        from evaluation.report.files import WHOLE_METRICS, check_folder, metric_files
        from evaluation.report.metric_text import gold_text, metrics_text

        if (options["project"] is None) == (not options["gold_file"]):
            raise InputError("Give a project, or human gold by --gold-file, but not both.")
        if options["lower_is_better"] and not options["scores"]:
            raise InputError("--lower-is-better is for metrics in files: add --scores FILE.")
        if options["output"]:
            check_folder(options["output"])
        outliers = _outliers(options["outliers"])
        try:
            if options["project"] is None:
                of_files = _of_files(options, outliers)
                found, text = to_json(of_files), gold_text(of_files)
                files = [(WHOLE_METRICS, f"{_json(found)}\n".encode())]
            else:
                report = _of_project(options, outliers)
                found, text = to_json(report), metrics_text(report)
                files = list(metric_files(report))
        except BadOption as problem:
            raise InputError(str(problem)) from problem
        if options["output"]:
            write_files(options["output"], [("metrics.txt", f"{text}\n".encode()), *files])
        self.stdout.write(_json(found) if options["json"] else text)


def _json(found: dict[str, Any]) -> str:
    return json.dumps(found, ensure_ascii=False, indent=1)


def _of_project(options: dict[str, Any], outliers: tuple[str, ...] | None) -> "MetricsReport":
    """Return the findings about the metrics of a project."""
    from annotation.selectors import judgements
    from evaluation.formats.score_files import read_scores
    from evaluation.formats.system_names import read_system_names
    from evaluation.services.human_scores import golds_of
    from evaluation.services.metric_evaluation import evaluate_project_metrics

    _refuse(options, OF_FILES, "--gold-file FILE")
    if options["map"] and not options["scores"]:
        raise InputError(MAP_NEEDS_SCORES)
    metrics = chosen_metrics(options)
    project = find_project(options["project"])
    chosen = MetricsOptions(
        metrics=metrics,
        gold=options["gold"] or golds_of(project)[0],
        outliers=outliers,
        resamples=options["resamples"],
        seed=options["seed"],
    )
    resources = chosen_resources(options, metrics)
    names = None
    if options["map"]:
        known = [name for _id, name in judgements.systems(project)]
        names = read_system_names(options["map"], known)
    imported = None
    if options["scores"]:
        imported = read_scores(options["scores"], lower_is_better=options["lower_is_better"])
    bar = Bar()
    try:
        return evaluate_project_metrics(
            project,
            chosen,
            imported=imported,
            names=names,
            resources=resources,
            progress=lambda done, total: bar("scoring", done, total),
        )
    finally:
        bar.close()


def _of_files(options: dict[str, Any], outliers: tuple[str, ...] | None) -> "GoldReport":
    """Return the findings about gold and metrics in files."""
    from evaluation.formats.system_names import read_system_names
    from evaluation.report.gold_files import GoldOptions, evaluate_gold, gold_systems, read_gold

    _refuse(options, OF_PROJECTS, "a project")
    if options["map"] and not options["scores"]:
        raise InputError(MAP_NEEDS_SCORES)
    limits = ReportOptions(resamples=options["resamples"], seed=options["seed"])
    given = read_gold(
        options["gold_file"],
        options["scores"],
        lower_is_better=options["lower_is_better"],
        all_annotators=options["all_annotators"],
        weights=options["weights"],
    )
    chosen = GoldOptions(
        gold=options["gold"],
        outliers=outliers,
        without=tuple(options["without"]),
        pairs=tuple(options["pair"]),
        names=read_system_names(options["map"], gold_systems(given)) if options["map"] else None,
        resamples=limits.resamples,
        seed=limits.seed,
    )
    return evaluate_gold(given, chosen)


def _refuse(options: dict[str, Any], names: tuple[str, ...], wanted: str) -> None:
    for name in names:
        if options[name]:
            raise InputError(f"--{name.replace('_', '-')} is for another gold: it needs {wanted}.")


def _outliers(names: list[str] | None) -> tuple[str, ...] | None:
    """Return the listed outliers, none of them for "none", and None for those by MAD."""
    if names is None:
        return None
    if NO_OUTLIERS in names and len(names) > 1:
        raise InputError(f"--outliers: give names of systems, or {NO_OUTLIERS} alone.")
    return () if names == [NO_OUTLIERS] else tuple(dict.fromkeys(names))
