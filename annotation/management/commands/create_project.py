"""`manage.py create_project`: from texts to a project that people can judge."""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tqdm import tqdm

from annotation.common.commands import SegRanksCommand
from annotation.formats.errors import InputError
from annotation.models import Project
from annotation.pipeline import jobs
from annotation.pipeline.leases import LeaseLost
from annotation.preparation.alignment import EFFORTS
from annotation.preparation.parsers import TREES
from annotation.preparation.segmenters import COVERAGES
from annotation.preparation.statistics import Quality
from annotation.projects.creation import create_project
from annotation.projects.deletion import delete_project
from annotation.projects.options import PrepareOptions, Texts
from annotation.projects.preparation_quality import TOO_MANY_VERBLESS, verbless_sentences


class Command(SegRanksCommand):
    help = "Make a project from a source, systems' outputs and a reference, one sentence a line."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("name", help="the project's name, which no other project has")
        add("--languages", required=True, help="source-target, as en-cs")
        add("--source", required=True, type=Path, metavar="FILE")
        add("--reference", type=Path, metavar="FILE")
        add("--system", action="append", default=[], metavar="NAME=FILE", help="repeat for each")
        tokens = parser.add_mutually_exclusive_group()
        tokens.add_argument("--tokenized", action="store_true", help="all texts are tokenised")
        tokens.add_argument(
            "--source-tokenized", action="store_true", help="only the source is tokenised"
        )
        add("--description", default="", metavar="TEXT")
        add("--min-length", type=int, default=3, help="tokens of a segment at least (3)")
        add("--max-length", type=int, default=6, help="tokens of a segment at most (6)")
        add("--parser", default="auto", choices=["auto", "embedded", "stanza", *TREES, "phrases"])
        add("--trees", type=Path, metavar="FILE", help="trees, for --parser brackets and conllu")
        add("--coverage", default=COVERAGES[0], choices=COVERAGES, help="what segments cover")
        add("--segments", type=Path, metavar="FILE", help="segments, instead of a parser")
        add("--aligner", default="auto", choices=["auto", "eflomal", "systran", "pharaoh"])
        add(
            "--alignment",
            action="append",
            default=[],
            metavar="NAME=FILE",
            help="links of a system, for --aligner pharaoh; repeat for each",
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
            help="two files, a text and its translation, to learn words from beside the project's",
        )
        add("--intra-rate", type=float, default=0.05, help="share of own repeats (0.05)")
        add("--inter-rate", type=float, default=0.05, help="share of others' repeats (0.05)")
        add("--queue", action="store_true", help="let the workers prepare it")

    def handle(self, *args: Any, **options: Any) -> None:
        queued = options["queue"]
        job = create_project(
            name=options["name"],
            languages=options["languages"],
            texts=Texts(
                source=options["source"],
                reference=options["reference"],
                systems=named_files("--system", options["system"]),
                trees=options["trees"],
                segments=options["segments"],
                alignments=named_files("--alignment", options["alignment"]),
                parallel=tuple(options["parallel"]) if options["parallel"] else None,
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
            ),
            claim=None if queued else jobs.claim_new,
        )
        if queued:
            jobs.send(job.pk)
            self.stdout.write(
                f"Project {job.project_id} {job.project.name!r} waits for a worker; "
                "`manage.py statistics` shows when it is open."
            )
            return
        self._prepare_here(job.pk, job.project)

    def _prepare_here(self, job_id: int, project: Project) -> None:
        bar = Bar()
        try:
            jobs.work(job_id, on_progress=bar)
        except LeaseLost as problem:
            raise InputError(
                f"This command stood still for so long that a worker has taken project "
                f"{project.pk} over; `manage.py statistics` shows how far it is."
            ) from problem
        except BaseException:
            # Also for Ctrl-C: nothing half done remains.
            delete_project(project)
            raise
        finally:
            bar.close()
        project.refresh_from_db()
        self._report(project)

    def _report(self, project: Project) -> None:
        made, counts = project.provenance, project.provenance["counts"]
        per_segment = counts["candidates"] / counts["segments"] if counts["segments"] else 0
        self.stdout.write(
            f"Project {project.pk} {project.name!r} is open.\n"
            f"  sentences   {counts['sentences']}\n"
            f"  systems     {counts['systems']}\n"
            f"  segments    {counts['segments']}\n"
            f"  projected   {counts['projected']} candidates, "
            f"{counts['missing']} missing (nothing linked)\n"
            f"  unique      {counts['candidates']} candidates, {per_segment:.2f} a segment\n"
            f"  tokens      {made['tokens']}\n"
            f"  parser      {made['parser']['name']} ({made['parser']['version']})\n"
            f"  coverage    {made['coverage']}\n"
            f"  aligner     {_aligner(made['aligner'])}\n"
            f"{quality_lines(Quality.from_json(made['quality']))}"
        )
        verbless = verbless_sentences(project)
        if verbless is not None:
            self.stdout.write(f"{verbless:16.1%} of sentences have a tree that names no verb")
        if verbless is not None and verbless > TOO_MANY_VERBLESS:
            self.stderr.write(
                "Warning: these trees hardly name verbs (as VB…, MD, VERB, AUX or VP), so that "
                "--coverage predicates found few predicates."
            )


class Bar:
    """A progress bar on a terminal, one for each stage; silent elsewhere."""

    def __init__(self) -> None:
        self.bar: tqdm[Any] | None = None
        self.stage = ""

    def __call__(self, stage: str, done: int, total: int) -> None:
        if self.bar is None or stage != self.stage:
            self.close()
            self.stage = stage
            self.bar = tqdm(desc=f"{stage:10}", total=total, disable=None)
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()


def _aligner(made_by: dict[str, str]) -> str:
    effort = f", effort {made_by['effort']}" if "effort" in made_by else ""
    return f"{made_by['name']} ({made_by['version']}{effort})"


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


def named_files(option: str, values: Sequence[str]) -> dict[str, Path]:
    """Return the files by name of options NAME=FILE. Raise InputError for a name given twice."""
    files: dict[str, Path] = {}
    for value in values:
        name, equals, path = value.partition("=")
        if not (name and equals and path):
            raise InputError(f"{option} {value!r} is not of the form NAME=FILE.")
        if name in files:
            raise InputError(f"{option} {name!r} is given twice: each name may stand once.")
        files[name] = Path(path)
    return files
