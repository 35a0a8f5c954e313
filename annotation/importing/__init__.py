"""Bringing in what was made elsewhere: segments, judgements, whole projects."""

from annotation.importing.archive import import_project
from annotation.importing.judgements import ImportedJudgements, import_judgements
from annotation.importing.segments import import_segments

__all__ = ["ImportedJudgements", "import_judgements", "import_project", "import_segments"]
