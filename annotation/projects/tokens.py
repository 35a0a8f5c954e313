"""How the texts of a project are cut into tokens."""

from collections.abc import Callable
from typing import Final

from annotation.formats.tokens import Tokenize
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.preparation.tokens import VERSION, is_written_without_spaces, tokenizer
from annotation.projects.provenance import provenance_of

# The tokens of texts that are tokenised already, in the provenance and in signatures.
GIVEN: Final = "given"


def target_tokenizer(project: Project) -> Tokenize:
    """Return what cuts texts in the target language as those of the project are cut.

    Candidates of ready-made segments have spaces between their tokens, unless their script has no
    spaces: then they are cut as texts are.
    """
    given = tokenizer(project.target_language, given=True)
    cut = tokenizer(project.target_language)
    made = provenance_of(project)
    if made.tokens == GIVEN:
        return given
    if made.segments != "ready-made":
        return cut
    return lambda text: cut(text) if is_written_without_spaces(given(text).words) else given(text)


def target_tokens(project: Project) -> str:
    """Return what signatures say of these tokens: their rules, or "given"."""
    return GIVEN if _are_given(project) else VERSION


def candidate_words(project: Project) -> Callable[[str], str]:
    """Return what gives the words of a candidate, joined by spaces, without marks of its gaps."""
    tokenize, unit = target_tokenizer(project), kind_of(project).unit
    return lambda text: " ".join(word for part in unit.parts(text) for word in tokenize(part).words)


def _are_given(project: Project) -> bool:
    made = provenance_of(project)
    return made.tokens == GIVEN or made.segments == "ready-made"
