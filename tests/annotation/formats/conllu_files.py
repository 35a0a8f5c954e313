"""Sentences of CoNLL-U files that are known to be right."""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from annotation.formats.conllu import ConlluSentence, read_conllu_or_none
from annotation.formats.errors import raise_error


def read_conllu(path: Path) -> Iterator[ConlluSentence]:
    """Yield the sentences of a file. Raises InputError, with file and line."""
    return cast(Iterator[ConlluSentence], read_conllu_or_none(path, raise_error))
