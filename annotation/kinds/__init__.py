"""The kinds of judgement: what annotators are asked about the sentences of a project.

A kind is a unit (`units`), an answer (`answers`) and what is shown (`shown`), combined in
`declarations`. The rest of the code asks `kind_of(project)` and never compares its name.
"""

from functools import lru_cache
from typing import Final, Protocol

from annotation.kinds import declarations
from annotation.kinds.kind import GROUPS, Kind

__all__ = ["DEFAULT", "GROUPS", "KINDS", "Kind", "kind_of", "kind_of_cost"]

# In the order in which they are offered, within their groups.
KINDS: Final = {kind.name: kind for kind in declarations.KINDS}
DEFAULT: Final = declarations.KINDS[0]


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
    kind, labels = KINDS[project.kind], project.scale_labels
    return _with_labels(kind, labels) if labels else kind


@lru_cache(maxsize=256)
def _with_labels(kind: Kind, labels: str) -> Kind:
    return kind.with_labels(labels)


def kind_of_cost(kind: Kind) -> Kind:
    """Return the kind itself if its cost is published, else the first one of such a unit."""
    if kind.cost is not None:
        return kind
    return next(one for one in KINDS.values() if one.cost and type(one.unit) is type(kind.unit))
