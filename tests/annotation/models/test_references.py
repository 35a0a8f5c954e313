"""A translation is a system's output or a numbered reference, and never both."""

import pytest
from django.db import IntegrityError, transaction

from annotation.models import Translation
from tests.factories import make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


@pytest.mark.parametrize(
    ("of_system", "reference"), [(False, None), (True, 2), (False, 0), (False, 1)]
)
def test_it_refuses_what_is_neither_or_both(of_system: bool, reference: int | None) -> None:
    project = make_project()
    system = project.systems.order_by("name").first() if of_system else None
    # It has the reference 1.
    sentence = project.sentences.get(number=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Translation.objects.create(
            sentence=sentence, system=system, reference=reference, text="dům", tokens="0-3"
        )
    Translation.objects.create(sentence=sentence, reference=3, text="dům", tokens="0-3")
