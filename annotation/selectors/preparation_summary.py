"""A summary of a preparation and its quality for administrators."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from annotation.formats.rounding import rounded
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.preparation.eflomal import NO_SEED
from annotation.preparation.segmenters import FROM, GivenSegments
from annotation.preparation.statistics import Quality
from annotation.projects.options import CHOICES
from annotation.projects.preparation_quality import preparation_quality, verbless_sentences


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


def how_prepared(project: Project) -> HowPrepared | None:
    """Return the summary; None for ready-made segments and candidates."""
    made = project.provenance
    if not isinstance(made.get("parser"), dict):
        return None
    quality = preparation_quality(project)
    whole = kind_of(project).whole_sentences
    shares = list(_shares(quality)) if quality and not whole else []
    verbless = verbless_sentences(project)
    if verbless is not None:
        words = _("of sentences have a tree without a verb, so no predicates are found")
        shares.append(Share(percent(verbless), words, _("usual: 1 to 15 %")))
    facts = [Fact(_("Kind of judgement"), str(kind_of(project).label))]
    if not whole:
        facts += _facts(made)
    return HowPrepared(facts, list(_counts(made.get("counts"), whole=whole)), shares)


def _facts(made: dict[str, Any]) -> Iterator[Fact]:
    used = str(made["parser"].get("version", ""))
    if made["parser"].get("name") == GivenSegments.name and used.startswith(FROM):
        file = used.removeprefix(FROM)
        yield Fact(_("Segments"), _("from %(file)s") % {"file": file})
    else:
        yield Fact(_("Parser"), _program(made["parser"]))
    coverage = made.get("coverage")
    if coverage and coverage != GivenSegments.coverage:
        yield Fact(_("What segments cover"), _chosen("coverage", coverage))
    aligner = made.get("aligner")
    if isinstance(aligner, dict):
        yield Fact(_("Aligner"), _program(aligner))
        if effort := aligner.get("effort"):
            yield Fact(_("Alignment quality"), _chosen("effort", effort))
        if seed := aligner.get("seed"):
            random = _("none: the same texts would be aligned a little differently each time")
            yield Fact(_("Random seed of the alignment"), random if seed == NO_SEED else str(seed))


def _counts(counts: object, *, whole: bool) -> Iterator[Fact]:
    names = {
        "sentences": _("Sentences"),
        "systems": _("Systems"),
        "segments": _("Segments"),
        "candidates": _("Candidates"),
    }
    if whole:
        # One a sentence.
        del names["segments"]
    if isinstance(counts, dict):
        for name, label in names.items():
            if isinstance(counts.get(name), int):
                yield Fact(label, number_format(counts[name], force_grouping=True))


def _program(used: dict[str, Any]) -> str:
    # The provenance of a restored archive is not validated.
    return " ".join(str(used[name]) for name in ("name", "version") if used.get(name))


def _chosen(option: str, value: object) -> str:
    _label, rows = CHOICES[option]
    return str(dict(rows).get(str(value), value))


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
            _("usual: 10 to 14 %"),
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
