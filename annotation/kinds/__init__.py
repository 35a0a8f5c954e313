"""The kinds of judgement: what annotators are asked about the sentences of a project.

Each module describes one kind. The rest of the code asks `kind_of(project)` and never compares its
name. The name is stored with the project, so it never changes.
"""

from dataclasses import replace
from functools import lru_cache
from typing import Final, Protocol

from annotation.kinds import (
    acceptability,
    adequacy,
    constituents_in_context,
    edit_acceptance,
    error_spans,
    fluency,
    grades,
    post_editing,
    segment_ranking,
    sentence_ranking,
)
from annotation.kinds.direct_assessment import fluency as assessed_fluency
from annotation.kinds.direct_assessment import reference, source, sqm
from annotation.kinds.kind import GROUPS, Kind

__all__ = ["DEFAULT", "GROUPS", "KINDS", "Kind", "kind_of", "kind_of_cost"]

DEFAULT: Final = segment_ranking.KIND
# In the order in which they are offered, within their groups.
KINDS: Final = {
    kind.name: kind
    for kind in (
        DEFAULT,
        constituents_in_context.KIND,
        sentence_ranking.KIND,
        acceptability.KIND,
        adequacy.KIND,
        fluency.KIND,
        grades.KIND,
        error_spans.KIND,
        reference.KIND,
        source.KIND,
        assessed_fluency.KIND,
        sqm.KIND,
        post_editing.KIND,
        edit_acceptance.KIND,
    )
}


class HasKind(Protocol):
    """A project, or another object with the name of a kind, and the labels of its own scale.

    The labels are one a line, from the best; "" if the kind has no scale of the project's own.
    """

    @property
    def kind(self) -> str: ...

    @property
    def scale_labels(self) -> str: ...


def kind_of(project: HasKind) -> Kind:
    """Return the kind of the project's judgements, with the project's scale. No query."""
    kind = KINDS[project.kind]
    return _with_scale(kind, project.scale_labels) if kind.own_scale else kind


@lru_cache(maxsize=256)
def _with_scale(kind: Kind, labels: str) -> Kind:
    return replace(kind, scale=tuple(labels.splitlines()))


def kind_of_cost(kind: Kind) -> Kind:
    """Return the kind itself if its cost is published, else one whose items are as large."""
    if kind.cost is not None:
        return kind
    if kind.single_translations:
        return reference.KIND
    return sentence_ranking.KIND if kind.whole_sentences else DEFAULT
