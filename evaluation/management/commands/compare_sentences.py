"""`manage.py compare_sentences PROJECT [--json]`: segments against judgements of sentences."""

import json
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any, Final

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.formats.names import reference_name
from annotation.projects.names import find_project
from annotation.selectors.sentence_texts import Pieces
from evaluation.report.formats import UNDEFINED, decimal, text_table
from evaluation.services.sentence_level import (
    LIMIT,
    ListedSentence,
    SentenceLevelFindings,
    sentence_level_report,
)
from evaluation.stats.resampling import FEWEST_RESAMPLES
from evaluation.stats.sentence_level import Tau

TITLES: Final = {
    "better": "τ where the system's sentence was better",
    "worse": "τ where the system's sentence was worse",
    "all": "τ of all comparisons with the system",
}


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
            default=LIMIT,
            metavar="N",
            help=f"number of sentences to list by disagreement quotient (default {LIMIT})",
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
        if options["resamples"] < FEWEST_RESAMPLES:
            raise InputError(f"--resamples must be at least {FEWEST_RESAMPLES}.")
        project = find_project(options["project"])
        chosen = {name: options[name] for name in ("limit", "resamples", "seed")}
        findings = SentenceLevelFindings(project, **chosen)
        if options["json"]:
            report = sentence_level_report(findings)
            self.stdout.write(json.dumps(report, ensure_ascii=False, indent=1))
        elif not findings.imported:
            self.stdout.write(
                f"The project {project.name!r} has no judgements of whole sentences. Import them "
                f"with `manage.py import_sentence_judgements {project.pk} FILE --format wmt-five`."
            )
        else:
            self.stdout.write("\n\n".join(_paragraphs(findings)))


def _non_negative_integer(text: str) -> int:
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise ArgumentTypeError(f"{text!r} is not a non-negative integer")
    return int(text)


def _paragraphs(findings: SentenceLevelFindings) -> list[str]:
    compared = findings.compared
    together = compared.together
    head = (
        f"{compared.sentences} sentences were judged at both levels: "
        f"{compared.sentence_judgements} judgements of whole sentences, "
        f"{compared.segment_judgements} of segments."
    )
    tables = [
        f"{TITLES[name]}\n{text_table(_HEADER, [_row(*row) for row in table])}"
        for name, table in findings.tables.items()
    ]
    reasons = dict.fromkeys(
        tau.estimate.undefined
        for tau in (together, *(tau for table in findings.tables.values() for _, tau in table))
        if tau.estimate.undefined
    )
    notes = ["\n".join(f"No τ: {reason}." for reason in reasons)] if reasons else []
    overall = text_table(_HEADER, [_row("all together", together)])
    return [head, *tables, overall, *notes, *_disagreements(findings), findings.signature]


_HEADER: Final = ["system", "τ", "low", "high", "concordant", "discordant"]


def _row(system: str, tau: Tau) -> list[str]:
    estimate = tau.estimate
    figures = [decimal(each) for each in (estimate.value, estimate.low, estimate.high)]
    return [system, *figures, str(tau.concordant), str(tau.discordant)]


def _disagreements(findings: SentenceLevelFindings) -> list[str]:
    found = findings.compared.disagreements
    if not found.defined:
        return ["No disagreement quotient is defined."]
    head = (
        f"Sentences by disagreement quotient: {len(found.listed)} of {found.defined} "
        f"({found.infinite} infinite: the system won some segments and never the whole sentence). "
        f"Not listed because the system won at neither level: {found.never_won}."
    )
    return [head, *(_disagreement(row) for row in findings.sentences)]


def _disagreement(row: ListedSentence) -> str:
    figures, texts = row.figures, row.texts
    quotient = "infinite" if figures.infinite else decimal(figures.quotient)
    segments = f"{figures.segment_wins} of {figures.segments_compared}"
    whole = f"{figures.sentence_wins} of {figures.sentences_compared}"
    lines = [
        f"sentence {figures.sentence}, {figures.system}: {quotient} "
        f"(won {segments} by its segments, {whole} as a whole)"
    ]
    if texts:
        lines.append(f"  source:      {_marked(texts.source)}")
        word = "translation" if texts.whole else "candidates"
        lines.append(f"  {word + ':':<12} {_marked(texts.translation) or UNDEFINED}")
        lines += [
            f"  {reference_name(number) + ':':<12} {text}" for number, text in texts.references
        ] or [f"  reference:   {UNDEFINED}"]
    return "\n".join(lines)


def _marked(pieces: Pieces) -> str:
    return "".join(f"*{text}*" if inside else text for text, inside in pieces)
