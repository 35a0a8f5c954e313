"""How good the candidates of a language pair are likely to be, and what would improve them.

The figures behind it are in docs/languages.md: where neighbouring words are linked to neighbouring
words, nearly all candidates are right; elsewhere about three of four segments, if there is enough
text.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings
from django.utils.translation import gettext as _

from annotation.formats.names import reference_name
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.preparation.parsers import PhrasesParser, parser_of_language
from annotation.preparation.projection import ProjectionRule
from annotation.preparation.segmenters import LINKED
from annotation.preparation.systran import SystranAligner
from annotation.projects import parallel_text
from annotation.projects.provenance import provenance_of

# With fewer pairs of sentences, anchors of English to Japanese had F1 76 and less, with more pairs
# 91 and more (docs/languages.md).
_FEWEST_PAIRS = 2000
# With fewer pairs of sentences, parallel text helped most.
FEW_PAIRS = 5000


@dataclass(frozen=True)
class Aligned:
    """How a text is aligned and cut; the aligner learns from `pairs` of sentences."""

    rule: ProjectionRule
    aligner: str
    parser: str
    target_language: str
    pairs: int
    has_reference: bool
    has_parallel: bool


@dataclass(frozen=True)
class Expected:
    """A sentence that says how good candidates are likely to be, and how they would be better."""

    sentence: str
    advice: tuple[str, ...]


def expected_quality(text: Aligned) -> Expected | None:
    """Return what to expect; None where links were given."""
    scattered = text.rule.scattered
    if scattered is None:
        return None
    share = f"{round(100 * (1 - scattered))}\u00a0%"
    if text.rule.name == "links":
        sentence = _(
            "Nearly all candidates will be the translation of their segment: words that stand "
            "together in the source are linked to words that stand together in %(share)s of the "
            "cases."
        )
    elif text.has_parallel or text.pairs >= _FEWEST_PAIRS:
        sentence = _(
            "About three of four segments will have well cut candidates: words that stand together "
            "in the source are linked to words that stand together in only %(share)s of the cases, "
            "so candidates are the best stretches of words."
        )
    else:
        sentence = _(
            "Many candidates will be cut wrongly: words of these languages are hard to align, and "
            "there is little text to learn from."
        )
    return Expected(sentence % {"share": share}, tuple(_advice(text)))


def expected_of(project: Project) -> Expected | None:
    """Return what to expect of a prepared project; None where no segments are cut. No query."""
    made = provenance_of(project)
    if made.parser is None or made.aligner is None or not kind_of(project).unit.is_segmented:
        return None
    return expected_quality(
        Aligned(
            made.projection,
            made.aligner.name,
            made.parser.name,
            project.target_language,
            pairs=(made.counts.sentences or 0) * (made.counts.systems or 0),
            has_reference=reference_name(1) in made.files,
            has_parallel=parallel_text.SOURCE in made.files,
        )
    )


def _advice(text: Aligned) -> Iterator[str]:
    is_hard = text.rule.name == "stretches"
    if text.aligner == SystranAligner.name:
        yield _("Install eflomal, which aligns better.")
    if not text.has_reference and (
        text.parser == LINKED
        or (
            # Without such a parser, a reference changes nothing.
            text.parser == PhrasesParser.name
            and parser_of_language(text.target_language, settings.STANZA_MODELS)
        )
    ):
        yield _("Add a reference: segments will be phrases that it translates as a whole.")
    if text.parser == PhrasesParser.name:
        yield _("Install a model of stanza for the language of the source.")
    if not text.has_parallel and (is_hard or text.pairs < FEW_PAIRS):
        yield _(
            "Add parallel text of the two languages, from which the aligner learns (create_project "
            "--parallel)."
        )
