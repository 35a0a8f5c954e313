"""Taking out what was made here: judgements, segments, whole projects; all of it streams."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from annotation.common.atomic_files import write_file
from annotation.formats.errors import InputError
from annotation.import_export.exports.archive import archive
from annotation.import_export.exports.tables import placements, segments, source_segments, systems
from annotation.import_export.exports.thesis import thesis_json, thesis_pickle
from annotation.models import Project

__all__ = ["FORMATS", "export_project", "thesis_json"]

FORMATS: dict[str, Callable[[Project], Iterator[str] | Iterator[bytes]]] = {
    "json": thesis_json,
    "pickle": thesis_pickle,
    "csv": placements,
    "segments": segments,
    "systems": systems,
    "source-segments": source_segments,
    "archive": archive,
}


def export_project(*, project: Project, format_name: str, to: Path | BinaryIO) -> None:
    """Write the project in one of FORMATS to a file, whole or not at all, or to a stream.

    Memory does not grow with the project. Raises InputError where the project is not prepared,
    the file cannot be written, or the format cannot hold what the project has.
    """
    if project.state in (Project.State.PREPARING, Project.State.FAILED):
        raise InputError(
            f"The project {project.name!r} is not prepared: export it when it is open "
            "(`manage.py statistics` shows how far it is)."
        )
    pieces = (
        piece.encode() if isinstance(piece, str) else piece
        for piece in FORMATS[format_name](project)
    )
    if isinstance(to, Path):
        write_file(to, pieces)
    else:
        to.writelines(pieces)
