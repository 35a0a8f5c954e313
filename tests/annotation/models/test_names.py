import pytest
from django.db import IntegrityError

from annotation.models import Candidate, Project, System, User
from annotation.models.names import contains
from tests.factories import make_project

pytestmark = [pytest.mark.django_db, pytest.mark.databases]


def test_names_are_stored_and_looked_up_in_their_plain_form():
    made = make_project(name="Pr\u030ceklad\u00a0")

    assert made.name == "Překlad"
    for spelling in ("Překlad", "Pr\u030ceklad", " Překlad\u200b"):
        assert Project.objects.get(name=spelling) == made
        assert Project.objects.filter(name__in=[spelling]).exists()
    assert not Project.objects.filter(name="překlad").exists()


def test_a_second_spelling_of_a_system_is_refused():
    project = make_project()
    System.objects.bulk_create([System(project=project, name="č")])

    with pytest.raises(IntegrityError):
        System.objects.bulk_create([System(project=project, name="c\u030c ")])


def test_changed_names_are_plain():
    user = User.objects.create(username="jana")
    User.objects.filter(pk=user.pk).update(display_name="Jana Nova\u0301k\u00a0")
    user.refresh_from_db()
    assert user.display_name == "Jana Novák"

    user.display_name = "\u200bJana "
    user.save(update_fields=["display_name"])
    assert user.display_name == "Jana"
    assert User.objects.filter(display_name="Jana").exists()


def test_user_names_are_looked_up_as_they_are_stored():
    assert User.normalize_username(" Nova\u0301k\u00a0") == "Novák"


@pytest.mark.parametrize("words", ["dům", "du\u030am", "Du\u030am"])
def test_texts_are_found_composed_or_decomposed(words: str) -> None:
    make_project(sentences=1, segments={"0": ("starý dům", "stary\u0301 du\u030am", "chata")})
    found = Candidate.objects.filter(contains("text", words)).order_by("pk")
    assert [one.text for one in found] == ["starý dům", "stary\u0301 du\u030am"]
