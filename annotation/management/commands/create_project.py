"""`manage.py create_project`: create a project from texts, and prepare it."""

from argparse import ArgumentParser
from contextlib import AbstractContextManager
from functools import singledispatch
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats import file_roles
from annotation.formats.rounding import rounded
from annotation.kinds import DEFAULT, KINDS, kind_of
from annotation.kinds.units import (
    OneTranslation,
    SegmentsOfSentence,
    SentenceWithTranslations,
    Unit,
)
from annotation.management.given_media import add_media_files, add_media_table, media_files
from annotation.management.given_texts import (
    GivenTexts,
    add_answer_options,
    add_encoding,
    answer_options_of,
    given_texts,
    named_files,
)
from annotation.management.progress_bar import Bar
from annotation.models import Job, Project
from annotation.pipeline import jobs
from annotation.preparation.alignment import EFFORTS
from annotation.preparation.parsers import TREES
from annotation.preparation.segmenters import COVERAGES, LINKED
from annotation.preparation.statistics import Quality
from annotation.projects.creation import new_project
from annotation.projects.deletion import delete_project
from annotation.projects.expected_quality import expected_of
from annotation.projects.options import SHEET_CHOICES, PrepareOptions, Texts
from annotation.projects.preparation_quality import TOO_MANY_VERBLESS, verbless_sentences
from annotation.projects.provenance import Program, Provenance, provenance_of
from annotation.projects.tutorials import has_tutorial


class Command(SegRanksCommand):
    help = "Create a project from a source, systems' outputs and references, one sentence a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("name", help="the project's name, which must be new")
        add("--languages", required=True, help="source-target, as en-cs or en-zh_Hans")
        add("--kind", default=DEFAULT.name, choices=list(KINDS), help="the kind of judgement")
        add_answer_options(parser)
        add("--source", required=True, type=Path, metavar="FILE")
        add(
            "--reference",
            action="append",
            type=Path,
            default=[],
            metavar="FILE",
            help="a human translation; repeat for several: the first is reference 1",
        )
        add("--system", action="append", default=[], metavar="NAME=FILE", help="repeat for each")
        add("--documents", type=Path, metavar="FILE", help="the document of each sentence")
        add_media_files(parser, "--media", action="extend", nargs="+", default=[])
        add_media_table(parser, "--media-table")
        add_encoding(parser)
        tokens = parser.add_mutually_exclusive_group()
        tokens.add_argument("--tokenized", action="store_true", help="all texts are tokenised")
        tokens.add_argument(
            "--source-tokenized", action="store_true", help="only the source is tokenised"
        )
        add("--description", default="", metavar="TEXT")
        add("--min-length", type=int, default=3, help="tokens of a segment at least (3)")
        add("--max-length", type=int, default=6, help="tokens of a segment at most (6)")
        parsers = ["auto", "embedded", "stanza", *TREES, LINKED, "phrases"]
        add("--parser", default="auto", choices=parsers)
        add("--trees", type=Path, metavar="FILE", help="trees, for --parser brackets and conllu")
        add("--coverage", default=COVERAGES[0], choices=COVERAGES, help="what segments cover")
        add("--segments", type=Path, metavar="FILE", help="segments, instead of a parser")
        add("--aligner", default="auto", choices=["auto", "eflomal", "systran", "pharaoh"])
        add(
            "--alignment",
            action="append",
            default=[],
            metavar="NAME=FILE",
            help="links of a system, or of reference, reference 2 …, for --aligner pharaoh; "
            "repeat for each",
        )
        add(
            "--effort",
            default="normal",
            choices=list(EFFORTS),
            help="runs of eflomal that vote: 1, 3 or 5 (normal)",
        )
        add(
            "--parallel",
            nargs=2,
            type=Path,
            metavar=("SOURCE", "TARGET"),
            help="a text and its translation, from which the aligner learns more words",
        )
        add("--intra-rate", type=float, default=0.05, help="share of intra repeats (0.05)")
        add("--inter-rate", type=float, default=0.05, help="share of inter repeats (0.05)")
        add(
            "--batches",
            action="store_true",
            help="direct assessment, error spans: in batches of 100",
        )
        add(
            "--each-system",
            action="store_true",
            help="judge equal translations of two systems apart, where one is shown at a time",
        )
        add(
            "--paragraphs",
            type=int,
            default=PrepareOptions.sheet_paragraphs,
            metavar="N",
            help="documents: paragraphs at a time, at most (20)",
        )
        add(
            "--side-by-side",
            type=int,
            default=PrepareOptions.sheet_systems,
            metavar="N",
            help="documents side by side: systems beside each other, at most (3)",
        )
        add(
            "--systems-of-document",
            choices=[name for name, _label in SHEET_CHOICES],
            default=PrepareOptions.sheet_choice,
            help="documents: complete, every system is judged on every document; balanced, some on "
            "each, all equally often beside each other; dynamic, some on each, chosen when a sheet "
            "is assigned, the best so far more often (complete)",
        )
        add(
            "--sheets-of-document",
            type=int,
            default=PrepareOptions.sheets_of_document,
            metavar="N",
            help="balanced, dynamic: sheets of each document (2)",
        )
        add(
            "--first-documents",
            type=int,
            default=PrepareOptions.first_documents,
            metavar="N",
            help="dynamic: documents on which each system comes first (20)",
        )
        add(
            "--rate-documents",
            action="store_true",
            help="documents: each is judged as a whole, too",
        )
        add("--seed", type=int, default=0, help="the seed of aligner, batches and documents (0)")
        add(
            "--highlights",
            action="store_true",
            help="pointing at a word marks the words aligned with it; whole sentences are aligned",
        )
        add(
            "--tutorial",
            action="store_true",
            help="annotators begin with SegRanks' tutorial for these languages; kinds with errors",
        )
        add("--queue", action="store_true", help="let a worker prepare it")

    def handle(self, *args: Any, **options: Any) -> None:
        with given_texts(options["encoding"], self.stderr.write) as given:
            self._create(_new_project(options, given), queue=options["queue"])

    def _create(self, new: AbstractContextManager[Job], *, queue: bool) -> None:
        with new as job:
            if queue:
                jobs.enqueue(job.pk)
            else:
                jobs.start_in_foreground(job)
        if queue:
            self.stdout.write(
                f"Project {job.project_id} {job.project.name!r} is queued for a worker; "
                "`manage.py statistics` shows when it is open."
            )
        else:
            self._prepare(job)

    def _prepare(self, job: Job) -> None:
        project, bar = job.project, Bar()
        try:
            jobs.run_in_foreground(job, bar)
        except BaseException:
            # Also at Ctrl-C: no unfinished project remains.
            delete_project(project)
            raise
        finally:
            bar.close()
        project.refresh_from_db()
        self._report(project)

    def _report(self, project: Project) -> None:
        made = provenance_of(project)
        self.stdout.write(f"Project {project.pk} {project.name!r} is open.")
        self.stdout.write(counted(kind_of(project).unit, made))
        if has_tutorial(project):
            self.stdout.write("  tutorial      before the first sheet")
        if made.batches is not None:
            self.stdout.write(f"  batches       {made.batches}, seed {made.seed}")
        if expected := expected_of(project):
            self.stdout.write("\n".join((expected.sentence, *expected.advice)))
        verbless = verbless_sentences(project)
        if verbless is not None:
            self.stdout.write(f"{verbless:16.1%} of sentences have a tree that names no verb")
        if verbless is not None and verbless > TOO_MANY_VERBLESS:
            self.stderr.write(
                "Warning: these trees hardly name verbs (as VB…, MD, VERB, AUX or VP), so that "
                "--coverage predicates found few predicates."
            )


@singledispatch
def counted(unit: Unit, made: Provenance) -> str:
    """Return how much was prepared, and with which programs."""
    raise NotImplementedError(unit)


@counted.register
def _segments(unit: SegmentsOfSentence, made: Provenance) -> str:
    counts = made.counts
    per_segment = (counts.candidates or 0) / counts.segments if counts.segments else 0
    coverage = f"  coverage    {made.coverage}\n" if made.coverage else ""
    return (
        f"  sentences   {counts.sentences}\n"
        f"  systems     {counts.systems}\n"
        f"  segments    {counts.segments}\n"
        f"  projected   {counts.projected} candidates, "
        f"{counts.missing} missing (nothing linked)\n"
        f"  unique      {counts.candidates} candidates, "
        f"{rounded(per_segment, 2)} a segment\n"
        f"  tokens      {made.tokens}\n"
        f"  parser      {_described(made.parser)}\n"
        f"{coverage}"
        f"  aligner     {_described(made.aligner)}\n"
        f"  candidates  {made.projection.name}\n"
        f"{quality_lines(made.quality or Quality())}"
    )


@counted.register(SentenceWithTranslations)
@counted.register(OneTranslation)
def _translations(unit: Unit, made: Provenance) -> str:
    counts = made.counts
    # A dynamic project has none before its sheets are assigned.
    translations = (
        f"{counts.candidates} different ones, of {counts.projected}"
        if counts.projected
        else "chosen when a sheet is assigned"
    )
    return (
        f"  sentences     {counts.sentences}\n"
        f"  systems       {counts.systems}\n"
        f"  translations  {translations}\n"
        f"  aligner       {_described(made.aligner)}"
    )


def _new_project(options: dict[str, Any], given: GivenTexts) -> AbstractContextManager[Job]:
    parallel = options["parallel"] and (
        given.text(options["parallel"][0], file_roles.SOURCE),
        given.text(options["parallel"][1], file_roles.REFERENCE),
    )
    return new_project(
        name=options["name"],
        languages=options["languages"],
        kind=options["kind"],
        scale=answer_options_of(options),
        texts=Texts(
            source=given.text(options["source"], file_roles.SOURCE),
            references=given.references(options["reference"]),
            systems=given.of_systems(named_files("--system", options["system"])),
            trees=given.optional(options["trees"], file_roles.TREES),
            segments=given.optional(options["segments"], file_roles.GIVEN),
            alignments=named_files("--alignment", options["alignment"]),
            documents=given.optional(options["documents"], file_roles.DOCUMENTS),
            parallel=parallel,
            media=media_files(options["media"]),
            media_lines=options["media_table"],
            originals=given.originals,
        ),
        description=options["description"],
        min_length=options["min_length"],
        max_length=options["max_length"],
        intra_rate=options["intra_rate"],
        inter_rate=options["inter_rate"],
        options=PrepareOptions(
            parser=options["parser"],
            coverage=options["coverage"],
            aligner=options["aligner"],
            effort=options["effort"],
            tokenized=options["tokenized"],
            source_tokenized=options["source_tokenized"],
            batches=options["batches"],
            sheet_paragraphs=options["paragraphs"],
            sheet_systems=options["side_by_side"],
            sheet_choice=options["systems_of_document"],
            sheets_of_document=options["sheets_of_document"],
            first_documents=options["first_documents"],
            rate_documents=options["rate_documents"],
            each_system=options["each_system"],
            seed=options["seed"],
            highlights=options["highlights"],
            tutorial=options["tutorial"],
        ),
    )


def _described(used: Program | None) -> str:
    if used is None:
        return ""
    effort = f", effort {used.effort}" if used.effort else ""
    seed = f", seed {used.seed}" if used.seed else ""
    return f"{used.name} ({used.version}{effort}{seed})"


def quality_lines(quality: Quality) -> str:
    """Return the shares by which the administrator can judge the preparation."""
    shares = (
        (quality.empty_projections, "of projections are empty"),
        (quality.candidates_with_gaps, "of candidates have gaps"),
        (quality.unique_candidates, "of candidates are unique"),
        (quality.agreeing_segments, "of segments have one candidate only, nothing to compare"),
        (quality.sentences_without_segments, "of sentences have no segment"),
    )
    lines = (f"{share:7.1%} {what}" for share, what in shares if share is not None)
    return "\n".join(f"  {'quality' if not n else '':9}{line}" for n, line in enumerate(lines))
