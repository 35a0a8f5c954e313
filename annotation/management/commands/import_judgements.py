"""`manage.py import_judgements`: judgements from a file, into a project."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.import_export.judgements_import import ImportedJudgements, import_judgements
from annotation.import_export.left_out import left_out_sentence
from annotation.projects.names import find_project


class Command(SegRanksCommand):
    help = (
        "Store the judgements of a file of JSON lines, of the CSV with scores that export_project "
        "or Appraise writes, of annotations of Pearmut, of forms of WMT07 to WMT09, of MQM's TSV, "
        "or of the thesis' JSON; the format is detected. Judgements that the project has already "
        "are skipped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument("file", type=Path, metavar="FILE", help="may be gzipped")
        parser.add_argument(
            "--revised",
            action="store_true",
            help="later judgements replace the imported ones of the same annotator and sentence "
            "that the file lacks, instead of counting beside them",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        imported = import_judgements(
            project=project, path=options["file"], revised=options["revised"]
        )
        self.stdout.write(f"Project {project.pk} {project.name!r}: {_told(imported)}")


def _told(imported: ImportedJudgements) -> str:
    was = "was" if imported.there_already == 1 else "were"
    parts = [
        f"{counted(imported.judgements, 'judgement')} imported, {imported.there_already} {was} "
        f"there already ({imported.format})."
    ]
    others = {
        "Annotators of the new ones": imported.annotators,
        "Revised answers": imported.revised,
    }
    parts += [f"{what}: {number}." for what, number in others.items() if number]
    return " ".join([*parts, left_out_sentence(imported.left_out)]).rstrip()
