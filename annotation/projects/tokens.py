"""How the texts of a project are cut into tokens."""

from collections.abc import Callable

from annotation.formats.tokens import Tokenize
from annotation.kinds import kind_of
from annotation.models import Project
from annotation.preparation.tokens import tokenizer
from annotation.projects.provenance import provenance_of


def target_tokenizer(project: Project) -> Tokenize:
    """Return what cuts texts in the target language as those of the project are cut."""
    made = provenance_of(project)
    given = made.tokens == "given" or made.segments == "ready-made"
    return tokenizer(project.target_language, given=given)


def candidate_words(project: Project) -> Callable[[str], str]:
    """Return what gives the words of a candidate, joined by spaces, without marks of its gaps."""
    tokenize, unit = target_tokenizer(project), kind_of(project).unit
    return lambda text: " ".join(word for part in unit.parts(text) for word in tokenize(part).words)
