"""Read and fill the judging page in tests."""

import re
from html.parser import HTMLParser

import pytest
from django.urls import reverse

from tests.factories import make_annotator, make_project


class Form(HTMLParser):
    """The fields of the judging form: hidden values, and the values of each radio group."""

    def __init__(self, html):
        super().__init__()
        self.hidden, self.radios, self.checked = {}, {}, {}
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        field = dict(attributes)
        if tag == "form":
            self.inside = field.get("id") == "judgement"
        if not self.inside:
            return
        if tag == "input" and field["type"] == "hidden":
            self.hidden[field["name"]] = field["value"]
        if tag == "input" and field["type"] == "radio":
            self.radios.setdefault(field["name"], []).append(field["value"])
            if "checked" in field:
                self.checked[field["name"]] = field["value"]

    def filled(self, value="1"):
        return self.hidden | dict.fromkeys(self.radios, value)


@pytest.fixture
def project():
    return make_project(intra_rate=0, inter_rate=0)


@pytest.fixture
def jana(client, project):
    user = make_annotator(project)
    client.force_login(user)
    return user


@pytest.fixture
def url(project):
    return reverse("judge", args=[project.pk])


def get_form(client, url):
    return Form(client.get(url).content.decode())


def without_secrets(html):
    return re.sub(r'name="(csrfmiddlewaretoken|token)" value="[^"]+"', "", html)
