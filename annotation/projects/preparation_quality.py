"""How well a project was prepared, for those who decide whether to open it to annotators."""

from django.db.models import QuerySet

from annotation.models import Project, Sentence
from annotation.preparation.predicates import VERB_LABEL
from annotation.preparation.statistics import Quality

# What provenance calls the number of sentences whose tree names no verb.
VERBLESS = "verbless"
# With a larger share of them, the trees know no verbs: in news it is 1 %, in chats 15 %.
TOO_MANY_VERBLESS = 0.5


def preparation_quality(project: Project) -> Quality | None:
    """Return what the preparation counted, from which come the shares that tell its quality.

    None where it counted nothing: the segments were imported, or prepared by an older version.
    """
    stored = project.provenance.get("quality")
    try:
        return Quality.from_json(stored)
    except TypeError:
        # A restored archive may hold anything.
        return None


def count_verbless(project: Project) -> int:
    """Return how many sentences have a stored tree that names no verb. One query over all trees."""
    return _with_trees(project).exclude(tree__regex=VERB_LABEL).count()


def verbless_sentences(project: Project) -> float | None:
    """Return the share of trees that name no verb, in which hardly any predicate can be found.

    None where predicates were not asked for, or there are no trees. It is counted, unless the
    preparation did so.
    """
    if project.provenance.get("coverage") != "predicates":
        return None
    trees = _with_trees(project).count()
    counted = project.provenance.get(VERBLESS)
    verbless = counted if type(counted) is int else count_verbless(project)
    return verbless / trees if trees else None


def _with_trees(project: Project) -> QuerySet[Sentence]:
    return project.sentences.filter(purpose=Sentence.Purpose.JUDGE).exclude(tokens="")
