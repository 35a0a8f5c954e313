"""What is sampled for intervals and tests: sentences, documents, or blocks of sentences.

Sentences of one document resemble each other, so intervals from sampled sentences are too narrow
for other documents. Where documents are unknown, blocks of neighbouring sentences stand for them
(Künsch 1989, "The Jackknife and the Bootstrap for General Stationary Observations").
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from annotation.formats.errors import InputError
from annotation.formats.errors import Template as _

UnitName = Literal["sentence", "document", "block"]

NO_DOCUMENT: Final = _(
    "The number of judged sentences without a document is %(without)d of %(judged)d: name the "
    "documents of all sentences with `manage.py set_documents`, or sample sentences or blocks."
)


@dataclass(frozen=True)
class Unit:
    """A sampling unit; `size` is the number of sentences of a block, 1 for other units."""

    name: UnitName = "sentence"
    size: int = 1

    @property
    def plural(self) -> str:
        """The units in reasons, such as "blocks"."""
        return f"{self.name}s"

    def __str__(self) -> str:
        """The units in signatures, such as "blocks of 10 neighbouring sentences"."""
        of = f" of {self.size} neighbouring sentences" if self.name == "block" else ""
        return f"{self.plural}{of}"


SENTENCES: Final = Unit()


def codes_of_units(
    unit: Unit,
    numbers: NDArray[np.int64],
    documents: Sequence[str],
    judged: NDArray[np.integer],
) -> NDArray[np.int32]:
    """Return the code of the unit of each sentence, from the numbers and documents of sentences.

    A block has the sentences with equal (number - 1) // size. `documents` may be empty if all are
    unknown. Raises InputError for documents where sentences at the positions `judged` have none.
    """
    names: NDArray[Any] = (numbers - 1) // unit.size
    if unit.name == "document":
        names = np.array(list(documents) or [""] * len(numbers))
        if without := int(np.count_nonzero(names[judged] == "")):
            raise InputError(NO_DOCUMENT, without=without, judged=len(judged))
    return np.unique(names, return_inverse=True)[1].astype(np.int32)
