"""`manage.py compare_sentences PROJECT [--json]`: segments against judgements of sentences."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.projects.names import find_project
from evaluation.stats.resampling import FEWEST_RESAMPLES
from evaluation.stats.sentence_level import LISTED


class Command(SegRanksCommand):
    help = (
        "Compare a project's judgements of segments with judgements of its whole sentences, which "
        "`manage.py import_sentence_judgements` imports: Kendall's τ of each system, and the "
        "sentences whose segments were judged better than the whole. Segments are marked with "
        "asterisks. In JSON, undefined figures are null, and figures have 6 decimals."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="a project's id or exact name")
        parser.add_argument("--json", action="store_true", help="print JSON")
        parser.add_argument(
            "--limit",
            type=_non_negative_integer,
            default=LISTED,
            metavar="N",
            help=f"number of sentences to list by disagreement quotient (default {LISTED})",
        )
        parser.add_argument(
            "--resamples",
            type=_non_negative_integer,
            default=1000,
            metavar="N",
            help=f"number of bootstrap samples (default 1000, at least {FEWEST_RESAMPLES})",
        )
        parser.add_argument("--seed", type=_non_negative_integer, default=0, metavar="N")

    def handle(self, *args: Any, **options: Any) -> None:
        from evaluation.findings.sentence_level import sentence_level_text
        from evaluation.findings.serialisation import to_json
        from evaluation.services.sentence_level import SentenceLevelFindings

        if options["resamples"] < FEWEST_RESAMPLES:
            raise InputError(f"--resamples must be at least {FEWEST_RESAMPLES}.")
        project = find_project(options["project"])
        chosen = {name: options[name] for name in ("limit", "resamples", "seed")}
        findings = SentenceLevelFindings(project, **chosen)
        if options["json"]:
            self.stdout.write(json.dumps(to_json(findings.report), ensure_ascii=False, indent=1))
        elif not findings.imported:
            self.stdout.write(
                f"The project {project.name!r} has no judgements of whole sentences. Import them "
                f"with `manage.py import_sentence_judgements {project.pk} FILE --format wmt-five`."
            )
        else:
            self.stdout.write(sentence_level_text(findings.report))


def _non_negative_integer(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ArgumentTypeError(f"{text!r} is not a non-negative integer")
    return int(text)
