"""`manage.py rank_judgements FILE…`: ranking and agreement from files, without a project."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from annotation.common.commands import SegRanksCommand
from evaluation.formats.judgement_files import JUDGEMENT_FORMATS, Choice, read_judgements
from evaluation.report.formats import decimal, ranking_table, text_table
from evaluation.report.plain import rounded
from evaluation.services.findings import system_report
from evaluation.stats.agreement.kappa import Agreement, measure_agreement
from evaluation.stats.agreement.wmt_kappa import measure_as_published
from evaluation.stats.judgements import Judgements
from evaluation.stats.ranking.systems import Ranking, rank_by_ratio_of_wins


class Command(SegRanksCommand):
    needs_tables = False
    help = (
        "Rank systems by ratio of wins (ties ignored) and measure agreement, from files of "
        "judgements. No project is needed, and nothing is stored. Agreement is computed over "
        "unordered pairs of candidates, and also as WMT published it. In JSON, undefined figures "
        "are null, and figures have 6 decimals."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "files", nargs="+", type=Path, metavar="FILE", help="judgements; may be gzipped"
        )
        parser.add_argument("--format", required=True, choices=JUDGEMENT_FORMATS)
        parser.add_argument(
            "--segments",
            type=Path,
            metavar="FILE",
            help="with thesis and lines: the segments",
        )
        parser.add_argument(
            "--systems",
            type=Path,
            metavar="FILE",
            help="with thesis and lines: the systems",
        )
        parser.add_argument(
            "--pair", metavar="SOURCE-TARGET", help="with WMT formats: the language pair"
        )
        parser.add_argument(
            "--without",
            nargs="+",
            action="extend",
            default=[],
            metavar="SYSTEM",
            help="exclude these systems and the candidates that only they produced",
        )
        parser.add_argument("--json", action="store_true", help="print JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        names = ("format", "files", "segments", "systems", "pair", "without")
        judgements = read_judgements(Choice(**{name: options[name] for name in names}))
        ranking = rank_by_ratio_of_wins(judgements)
        agreement = _agreements(judgements)
        if options["json"]:
            report: dict[str, Any] = {
                "systems": [system_report(result) for result in ranking.systems],
                "agreement": {
                    name: _agreement_figures(measured) for name, measured in agreement.items()
                },
                "signature": str(ranking.signature),
            }
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=1))
        else:
            self.stdout.write(_tables(judgements, ranking, agreement))


def _agreements(judgements: Judgements) -> dict[str, Agreement]:
    clean, published = measure_agreement(judgements), measure_as_published(judgements)
    return {
        "intra": clean.intra,
        "inter": clean.inter,
        "intra_published": published.intra,
        "inter_published": published.inter,
    }


def _agreement_figures(agreement: Agreement) -> dict[str, Any]:
    return {
        "agree": agreement.agree,
        "compared": agreement.compared,
        "observed": rounded(agreement.observed),
        "expected": rounded(agreement.chance.expected),
        "kappa": rounded(agreement.kappa),
        "undefined": agreement.undefined.value if agreement.undefined else None,
    }


def _tables(judgements: Judgements, ranking: Ranking, agreement: dict[str, Agreement]) -> str:
    rows = [
        [
            name.replace("_", ", as "),
            str(measured.agree),
            str(measured.compared),
            decimal(measured.observed),
            decimal(measured.chance.expected),
            decimal(measured.kappa),
        ]
        for name, measured in agreement.items()
    ]
    header = ["agreement", "agree", "compared", "observed", "expected", "κ"]
    parts = [
        ranking_table(ranking) if ranking.systems else "Unknown systems: add --systems FILE.",
        text_table(header, rows),
        *_notes(judgements, agreement),
        str(ranking.signature),
    ]
    return "\n\n".join(parts)


def _notes(judgements: Judgements, agreement: dict[str, Agreement]) -> list[str]:
    """Return why figures are missing."""
    reasons = [
        f"No κ of {name.replace('_', ', as ')}: {measured.undefined.value}."
        for name, measured in agreement.items()
        if measured.undefined
    ]
    if len(judgements) and not judgements.annotator_names:
        reasons.append("The files do not name the annotators.")
    return ["\n".join(reasons)] if reasons else []
