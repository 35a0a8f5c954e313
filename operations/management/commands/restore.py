"""`manage.py restore`: a backup into an empty database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from annotation.common.commands import SegRanksCommand
from operations.backups import restore


class Command(SegRanksCommand):
    needs_tables = False
    help = (
        "Restore a backup into an empty database, SQLite or PostgreSQL, and migrate its tables. "
        "Stop web processes and workers first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="may be gzipped; - is standard input")

    def handle(self, *args: Any, **options: Any) -> None:
        restored = restore(Path(options["file"]))
        self.stdout.write(f"The backup of {restored.made} is restored: {restored.rows:,} rows.")
