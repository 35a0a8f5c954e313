"""The kinds of judgement: what annotators are asked about the sentences of a project.

Each module describes one kind. The rest of the code asks `kind_of(project)` and never compares its
name. The name is stored with the project, so it never changes.
"""

from typing import Final, Protocol

from annotation.kinds import (
    acceptability,
    adequacy,
    constituents_in_context,
    direct_assessment,
    error_spans,
    fluency,
    segment_ranking,
    sentence_ranking,
)
from annotation.kinds.kind import Kind

__all__ = ["DEFAULT", "KINDS", "Kind", "kind_of"]

DEFAULT: Final = segment_ranking.KIND
# In the order in which they are offered.
KINDS: Final = {
    kind.name: kind
    for kind in (
        DEFAULT,
        constituents_in_context.KIND,
        sentence_ranking.KIND,
        acceptability.KIND,
        adequacy.KIND,
        fluency.KIND,
        direct_assessment.KIND,
        error_spans.KIND,
    )
}


class HasKind(Protocol):
    """A project, or another object with the name of a kind."""

    @property
    def kind(self) -> str: ...


def kind_of(project: HasKind) -> Kind:
    """Return the kind of the project's judgements. No query."""
    return KINDS[project.kind]
