"""Quality figures of a preparation, for administrators who decide whether to open a project."""

from django.db.models import QuerySet

from annotation.models import Project, Sentence
from annotation.preparation.predicates import VERB_LABEL
from annotation.projects.provenance import provenance_of

# The key in the provenance for the number of sentences whose tree has no verb.
VERBLESS = "verbless"
# With a larger share the parser does not label verbs: it is 1 % in news and 15 % in chats.
TOO_MANY_VERBLESS = 0.5


def count_verbless(project: Project) -> int:
    """Return how many sentences have a tree without a verb. Reads all trees in one query."""
    return _with_trees(project).exclude(tree__regex=VERB_LABEL).count()


def verbless_sentences(project: Project) -> float | None:
    """Return the share of trees without a verb, in which hardly any predicate is found.

    None if predicates were not requested or there are no trees. The preparation has counted them,
    else they are counted here.
    """
    made = provenance_of(project)
    if made.coverage != "predicates":
        return None
    trees = _with_trees(project).count()
    verbless = count_verbless(project) if made.verbless is None else made.verbless
    return verbless / trees if trees else None


def _with_trees(project: Project) -> QuerySet[Sentence]:
    return project.sentences.filter(purpose=Sentence.Purpose.JUDGE).exclude(tokens="")
