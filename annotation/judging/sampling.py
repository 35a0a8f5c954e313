"""Drawing some sentences of a project, where to look at all of them would take long."""

import random

from django.db.models import QuerySet

from annotation.common.compiled_queries import ReadyMadeRead
from annotation.models import Project, Sentence


def last_number(project: Project) -> int:
    """Return the largest number of a sentence to judge, 0 where there is none."""
    return _last_number.first(project) or 0


@ReadyMadeRead
def _last_number(project: Project) -> QuerySet[Sentence, int]:
    judged = project.sentences.filter(purpose=Sentence.Purpose.JUDGE)
    return judged.order_by("-number").values_list("number", flat=True)[:1]


def draw(last: int, count: int) -> list[int]:
    """Return so many different numbers up to the last; 0, which none has, where there are fewer."""
    numbers = random.sample(range(1, last + 1), min(count, last))
    return numbers + [0] * (count - len(numbers))
