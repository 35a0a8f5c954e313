"""How well a project was prepared, for those who decide whether to open it to annotators."""

from annotation.models import Project
from annotation.preparation.quality import Quality


def preparation_quality(project: Project) -> Quality | None:
    """Return what the preparation counted, from which come the shares that tell its quality.

    None where it counted nothing: the segments were imported, or prepared by an older version.
    """
    stored = project.provenance.get("quality")
    try:
        return Quality.from_json(stored)
    except TypeError:
        # A restored archive may hold anything.
        return None
