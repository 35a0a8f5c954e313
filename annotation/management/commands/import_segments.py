"""`manage.py import_segments`: a project from ready-made segments and candidates."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from annotation.formats.file_roles import DOCUMENTS, SEGMENTS, SYSTEMS
from annotation.kinds import DEFAULT
from annotation.management.given_texts import (
    add_answer_options,
    add_encoding,
    answer_options_of,
    given_texts,
)
from annotation.pipeline.ready_made_segments import KINDS_OF_SEGMENTS, import_segments
from annotation.projects.provenance import provenance_of


class Command(SegRanksCommand):
    help = (
        "Create a project from the thesis' six-column file: sentence id, source, reference, "
        "segment, candidate, token indices, separated by tabs."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        add = parser.add_argument
        add("name", help="the project's name, which no other project has")
        add("file", type=Path, metavar="FILE", help="the segments; may be gzipped")
        add(
            "--systems",
            type=Path,
            metavar="FILE",
            help="systems of candidates: sentence id, segment, system, candidate, token indices",
        )
        add(
            "--documents",
            type=Path,
            metavar="FILE",
            help="the name of the document of each source sentence; line n is sentence n",
        )
        add_encoding(parser)
        add("--languages", required=True, help="source-target, as en-cs or en-zh_Hans")
        add("--kind", default=DEFAULT.name, choices=KINDS_OF_SEGMENTS, help="the kind of judgement")
        add_answer_options(parser)
        add("--description", default="", metavar="TEXT")

    def handle(self, *args: Any, **options: Any) -> None:
        with given_texts(options["encoding"], self.stderr.write) as given:
            project = import_segments(
                name=options["name"],
                languages=options["languages"],
                segments=given.text(options["file"], SEGMENTS),
                systems=given.optional(options["systems"], SYSTEMS),
                documents=given.optional(options["documents"], DOCUMENTS),
                description=options["description"],
                kind=options["kind"],
                scale=answer_options_of(options),
                originals=given.originals,
            )
        counts = provenance_of(project).counts
        self.stdout.write(
            f"Project {project.pk} {project.name!r} is open.\n"
            f"  sentences   {counts.sentences}\n"
            f"  systems     {counts.systems}\n"
            f"  segments    {counts.segments}\n"
            f"  projected   {counts.projected} candidates of known systems\n"
            f"  unique      {counts.candidates} candidates"
        )
