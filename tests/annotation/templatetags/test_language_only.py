"""What is rendered once for each language."""

from typing import Any

from django.template import Context, Template
from django.utils.translation import override

TEMPLATE = (
    "{% load i18n language_only %}"
    '{% language_only %}{% translate "Submit" %}{{ name }}{% end_language_only %} {{ name }}'
)


def test_each_language_has_its_own_words_and_nobody_anothers_context() -> None:
    template = Template(TEMPLATE)

    def rendered(language: str, name: str) -> str:
        context: dict[str, Any] = {"name": name}
        with override(language):
            return template.render(Context(context))

    assert rendered("en", "Jana") == "Submit Jana"
    assert rendered("cs", "Petr") == "Odevzdat Petr"
    assert rendered("en", "Petr") == "Submit Petr"
