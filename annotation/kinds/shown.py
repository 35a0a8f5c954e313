"""What the annotator sees beside the candidates."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Shown:
    """The source, the reference, and the translations around candidates that are cut from them.

    `source` and `reference` are False where the text must not influence the answer. With `context`,
    each candidate is shown inside the translations that it is part of.
    """

    source: bool = True
    reference: bool = True
    context: bool = False

    def seen(self, source: str) -> str:
        """Return the source, or a neighbour of it, as annotators see it: "" if they do not."""
        return source if self.source else ""

    @property
    def needs_reference(self) -> bool:
        """Whether nothing but the reference says what a translation is to mean."""
        return self.reference and not self.source

    def lacks_reference(self, references: Iterable[object]) -> bool:
        """Tell whether a reference is needed and there is none that is not empty."""
        return self.needs_reference and not any(references)
