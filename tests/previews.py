"""Previews computed in the test's own process, as workers do."""

from annotation.models import StoredPreview
from annotation.uploads.preview_queue import compute


def make_previews() -> None:
    """Compute all previews that wait."""
    waiting = StoredPreview.objects.filter(state=StoredPreview.State.WAITING)
    for pk in list(waiting.values_list("pk", flat=True)):
        compute(pk)
