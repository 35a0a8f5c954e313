"""Text of `manage.py compare_sentences`."""

from typing import Final

from annotation.formats.names import reference_name
from annotation.selectors.sentence_texts import Pieces
from evaluation.rendering.formats import decimal, text_table
from evaluation.rendering.text import UNDEFINED
from evaluation.services.sentence_level import ListedSentence, SentenceLevelFindings
from evaluation.stats.sentence_level import Tau

TITLES: Final = {
    "better": "τ where the system's sentence was better",
    "worse": "τ where the system's sentence was worse",
    "all": "τ of all comparisons with the system",
}


def findings_text(findings: SentenceLevelFindings) -> str:
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
    parts = [head, *tables, overall, *notes, *_disagreements(findings), findings.signature]
    return "\n\n".join(parts)


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
