"""`manage.py import_sentence_judgements`: import rankings of whole sentences."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand, counted
from annotation.projects.names import find_project
from evaluation.formats.judgement_files import WMT_FORMATS
from evaluation.services.sentence_judgements import ImportedRankings, import_sentence_judgements


class Command(SegRanksCommand):
    help = (
        "Import rankings of a project's whole sentences, as WMT publishes them, to compare them "
        "with the judgements of segments (`manage.py compare_sentences`). Rankings that were "
        "imported before are skipped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("project", help="the project's id or name")
        parser.add_argument("file", type=Path, metavar="FILE", help="may be gzipped")
        parser.add_argument("--format", required=True, choices=WMT_FORMATS)
        parser.add_argument(
            "--pair", metavar="SOURCE-TARGET", help="the language pair, if the file has several"
        )
        parser.add_argument(
            "--map",
            type=Path,
            metavar="FILE",
            help="a file with system names that differ: the file's name, a tab, and the project's "
            "name, which is empty for a system that the project does not have",
        )
        parser.add_argument(
            "--offset",
            type=int,
            default=0,
            metavar="N",
            help="add N to the sentence numbers of the file (default 0)",
        )
        parser.add_argument(
            "--replace",
            action="store_true",
            help="delete earlier imported rankings of the project first",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        project = find_project(options["project"])
        imported = import_sentence_judgements(
            project=project,
            path=options["file"],
            file_format=options["format"],
            pair=options["pair"],
            names=options["map"],
            offset=options["offset"],
            replace=options["replace"],
        )
        self.stdout.write(f"Project {project.pk} {project.name!r} {_told(imported)}")


def _told(imported: ImportedRankings) -> str:
    parts = []
    if imported.removed:
        removed = counted(imported.removed, "judgement")
        parts.append(f"lost the {removed} of whole sentences that it had.")
    if imported.stored:
        parts.append(
            f"has {counted(imported.stored, 'more judgement')} of whole sentences, of "
            f"{counted(imported.sentences, 'sentence')}, "
            f"by {counted(imported.judges, 'judge')}."
        )
    else:
        parts.append("has nothing new.")
    others = {
        "There already": imported.there_already,
        "Of sentences that it does not have": imported.elsewhere,
        "Of too few of its systems to say anything": imported.of_too_few,
    }
    parts += [f"{what}: {number}." for what, number in others.items() if number]
    return " ".join(parts)
