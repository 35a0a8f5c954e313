"""Bringing in what was made elsewhere: segments, judgements, whole projects."""

from annotation.import_export.imports.archive import import_project
from annotation.import_export.imports.judgements import ImportedJudgements, import_judgements
from annotation.import_export.imports.segments import import_segments

__all__ = ["ImportedJudgements", "import_judgements", "import_project", "import_segments"]
