"""How many sentences a member is given at most, as administrators set it."""

import re
from html import escape

import pytest
from django.urls import reverse

from annotation.models import Membership, User
from tests.annotation.web.manage_page import address, boss, project, send
from tests.factories import make_annotator, make_project

# Fixtures, which are used by their names.
__all__ = ["boss", "project"]

pytestmark = pytest.mark.django_db


def test_a_member_gets_no_more_sentences_than_the_limit(client, project, boss):
    petr = make_annotator(project, "petr")
    limit = address("limit-member", project, petr.pk)
    for sent, stored in (("2", 2), ("1000000", 1_000_000), ("", None)):
        messages = send(client, "limit-member", project, petr.pk, sentence_limit=sent)
        assert messages[-1] == "Limit for petr saved."
        assert Membership.objects.get(user=petr).sentence_limit == stored
        page = client.get(address("person", project, petr.pk)).content.decode()
        form = page.partition(f'action="{limit}"')[2]
        assert f'value="{sent}"' in form.partition("</form>")[0]
    assert not Membership.objects.exclude(sentence_limit=None).exists()


@pytest.mark.parametrize("value", ["0", "-1", "1000001", "9" * 30, "1.5", '"><script>'])
def test_it_refuses_an_invalid_limit(client, project, boss, value):
    Membership.objects.update(sentence_limit=5)
    petr = make_annotator(project, "petr")
    response = client.post(address("limit-member", project, petr.pk), {"sentence_limit": value})
    assert response.status_code == 400
    page = response.content.decode()
    sentence = "Enter a whole number from 1 to 1000000, or leave empty for no limit."
    assert re.findall(r"<li>(.*?)</li>", page) == [sentence]
    assert page.count('aria-invalid="true"') == page.count('aria-describedby="limit-error"') == 1
    assert f'value="{escape(value)}"' in page
    assert Membership.objects.get(user=petr).sentence_limit is None


def test_only_members_who_judge_have_a_limit(client, project, boss):
    eva = make_annotator(project, "eva", "observer")
    page = client.get(address("person", project, eva.pk)).content.decode()
    assert address("limit-member", project, eva.pk) not in page
    other = make_annotator(make_project("other"), "stranger")
    for pk in (other.pk, 10**30):
        response = client.post(address("limit-member", project, pk), {"sentence_limit": "3"})
        assert response.status_code == 404
    assert not Membership.objects.exclude(sentence_limit=None).exists()


def test_in_the_administration_a_limit_is_checked_the_same(client, project):
    root = User.objects.create_superuser("root")
    client.force_login(root)
    member = make_annotator(project, "petr").memberships.get()
    path = reverse("admin:annotation_membership_change", args=[member.pk])
    for sent, status in (("0", 200), ("1000001", 200), ("7", 302)):
        answer = client.post(path, {"role": "annotator", "sentence_limit": sent})
        assert answer.status_code == status
    member.refresh_from_db()
    assert member.sentence_limit == 7
