"""A summary of a preparation and its quality for administrators."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.formats.rounding import rounded
from annotation.kinds import kind_of
from annotation.kinds.unit_words import Words
from annotation.models import Project
from annotation.preparation.eflomal import NO_SEED
from annotation.preparation.projection import ProjectionRule
from annotation.preparation.segmenters import FROM, GivenSegments
from annotation.preparation.statistics import Quality
from annotation.projects.expected_quality import Expected, expected_of
from annotation.projects.options import CHOICES
from annotation.projects.preparation_quality import verbless_sentences
from annotation.projects.provenance import (
    Counts,
    Program,
    Provenance,
    is_aligned,
    provenance_of,
)


@dataclass(frozen=True)
class Fact:
    """A program that was used, or a count, with its label."""

    name: str
    value: str


@dataclass(frozen=True)
class Share:
    """A share in percent, its meaning, and the usual value ("" = unknown)."""

    percent: str
    words: str
    usual: str = ""


@dataclass(frozen=True)
class HowPrepared:
    """The programs that prepared the texts, the counts, and quality figures."""

    facts: list[Fact]
    counts: list[Fact]
    shares: list[Share]
    expected: Expected | None


def how_prepared(project: Project) -> HowPrepared | None:
    """Return the summary; None for ready-made segments and candidates."""
    made = provenance_of(project)
    if made.parser is None:
        return None
    kind = kind_of(project)
    is_cut = kind.unit.is_segmented
    shares = list(_shares(made.quality)) if made.quality and is_cut else []
    verbless = verbless_sentences(project)
    if verbless is not None:
        words = _("of sentences have a tree without a verb, so no predicates are found")
        shares.append(Share(percent(verbless), words, _("usual: 1 to 15 %")))
    facts = [Fact(_("Kind of judgement"), str(kind.label))]
    if is_cut:
        facts += _facts(made, made.parser)
    if made.aligner and is_aligned(project):
        facts += _aligner_facts(made.aligner)
        if is_cut:
            facts.append(Fact(_("Candidates are"), projected_by(made.projection)))
    counts = list(_counts(made.counts, kind.unit.words))
    return HowPrepared(facts, counts, shares, expected_of(project))


def _facts(made: Provenance, parser: Program) -> Iterator[Fact]:
    if parser.name == GivenSegments.name and parser.version.startswith(FROM):
        file = parser.version.removeprefix(FROM)
        yield Fact(_("Segments"), _("from %(file)s") % {"file": file})
    else:
        yield Fact(_("Parser"), str(parser))
    if made.coverage not in ("", GivenSegments.coverage):
        yield Fact(_("What segments cover"), _chosen("coverage", made.coverage))


def projected_by(rule: ProjectionRule) -> str:
    """Return how candidates are found in translations."""
    if rule.name == "links":
        return _("all words that are linked to the segment")
    return _("the best stretches of words, by the links of both directions")


def _aligner_facts(aligner: Program) -> Iterator[Fact]:
    yield Fact(_("Aligner"), str(aligner))
    if aligner.effort:
        yield Fact(_("Alignment quality"), _chosen("effort", aligner.effort))
    if seed := aligner.seed:
        random = _("none: the same texts would be aligned a little differently each time")
        yield Fact(_("Random seed of the alignment"), random if seed == NO_SEED else seed)


def _counts(counts: Counts, words: Words) -> Iterator[Fact]:
    names = {
        "sentences": words.lines,
        "systems": _("Systems"),
        "segments": words.segments,
        "candidates": _("Candidates"),
    }
    if words.segments == words.lines:
        # Sheets can repeat paragraphs: the numbers would differ under one name.
        del names["segments"]
    for name, label in names.items():
        count = getattr(counts, name)
        if label and count is not None:
            yield Fact(str(label), number_format(count, force_grouping=True))


def _chosen(option: str, value: str) -> str:
    _label, rows = CHOICES[option]
    return str(dict(rows).get(value, value))


def _shares(quality: Quality) -> Iterator[Share]:
    rows = (
        (
            quality.empty_projections,
            _("of systems’ places have no candidate: nothing was aligned to the segment there"),
            "",
        ),
        (
            quality.candidates_with_gaps,
            _("of candidates leave out words in between"),
            _("usual: 3 to 14 %"),
        ),
        (
            quality.unique_candidates,
            _("of candidates are left to rank after identical ones were merged"),
            "",
        ),
        (
            quality.agreeing_segments,
            _("of segments have the same candidate from all systems"),
            "",
        ),
        (
            quality.sentences_without_segments,
            _("of sentences have no segment and won’t be shown"),
            "",
        ),
    )
    for share, words, usual in rows:
        if share is not None:
            yield Share(percent(share), words, usual)


def percent(share: float) -> str:
    return f"{number_format(rounded(100 * share, 1), 1)}\u00a0%"
