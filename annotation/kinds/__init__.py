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
    """A project, or another object with the name of a kind, and the options of its answer.

    The options are one a line; "" if the answer has none.
    """

    @property
    def kind(self) -> str: ...

    @property
    def answer_options(self) -> str: ...


def kind_of(project: HasKind) -> Kind:
    """Return the kind of the project's judgements, with the project's options. No query."""
    name, options = project.kind, project.answer_options
    return _with_options(name, options) if options else KINDS[name]


@lru_cache(maxsize=256)
def _with_options(name: str, options: str) -> Kind:
    return KINDS[name].with_options(options)


def kind_of_cost(kind: Kind) -> Kind:
    """Return the kind itself if its cost is published, else the first one of such a unit."""
    if kind.cost is not None:
        return kind
    return next(one for one in KINDS.values() if one.cost and isinstance(kind.unit, type(one.unit)))
