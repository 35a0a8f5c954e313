"""The filters of the list of sentences, as a form that is sent in the address."""

from typing import Any

from django import forms
from django.db.models import TextChoices
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from annotation.models import Project
from annotation.selectors import judgements
from annotation.selectors.sentence_list import SentenceFilters
from annotation.web.forms.search import SearchForm


class SentenceState(TextChoices):
    JUDGED = "judged", _("Judged")
    UNJUDGED = "unjudged", _("Not judged")
    PROGRESS = "progress", _("In progress: more judges needed")
    COMPLETE = "complete", _("Complete: all judges done")
    NOTHING = "nothing", _("Nothing to judge")
    PRACTICE = "practice", _("Practice")
    EXCLUDED = "excluded", _("Excluded")


class SentenceSort(TextChoices):
    NUMBER = "number", _("Number")
    AGREEMENT = "agreement", _("Least agreement")
    FEWEST_JUDGES = "fewest-judges", _("Fewest judges")
    MOST_JUDGES = "most-judges", _("Most judges")
    SKIPS = "skips", _("Most skips")
    LAST_JUDGED = "last-judged", _("Last judged")


# The field that each filter is, in the order of the address.
FIELDS = {
    "words": "q",
    "in_translations": "translations",
    "state": "state",
    "annotator": "by",
    "disputed": "disputed",
    "skipped": "skipped",
    "commented": "commented",
    "is_open": "open",
    "stuck": "stuck",
    "system": "system",
    "differs_from": "differs",
    "sort": "sort",
}


class SentenceFilterForm(SearchForm):
    """The filters of an address; what it cannot read filters nothing. Three queries."""

    translations = forms.BooleanField(required=False, label=_("Search candidates, too"))
    state = forms.ChoiceField(required=False, label=_("State"))
    by = forms.TypedChoiceField(required=False, coerce=int, empty_value=None, label=_("Judged by"))
    system = forms.TypedChoiceField(required=False, coerce=int, empty_value=None, label=_("System"))
    differs = forms.TypedChoiceField(
        required=False, coerce=int, empty_value=None, label=_("differs from")
    )
    disputed = forms.BooleanField(required=False, label=_("Disputed"))
    skipped = forms.BooleanField(required=False, label=_("Skipped"))
    commented = forms.BooleanField(required=False, label=_("Commented"))
    open = forms.BooleanField(required=False, label=_("Open now"))
    stuck = forms.BooleanField(required=False, label=_("No annotator left"))
    sort = forms.ChoiceField(required=False, choices=SentenceSort.choices, label=_("Sort by"))

    def __init__(self, query: QueryDict, project: Project) -> None:
        super().__init__(query, auto_id="filter-%s")
        people = [(one.id, one.name) for one in judgements.annotators(project)]
        systems = judgements.systems(project)
        self._choose("state", [("", _("Any")), *SentenceState.choices])
        self._choose("by", [("", _("Anyone")), *people])
        self._choose("system", [("", _("Any")), *systems])
        self._choose("differs", [("", _("all others")), *systems])
        self.is_valid()

    def _choose(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    @property
    def filters(self) -> SentenceFilters:
        values = {name: self.cleaned_data.get(field) for name, field in FIELDS.items()}
        return SentenceFilters(**{name: value for name, value in values.items() if value})

    @property
    def more(self) -> bool:
        """Return whether a filter is used that the page shows on request only."""
        chosen = self.filters
        return bool(
            chosen.system
            or chosen.in_translations
            or chosen.is_open
            or chosen.stuck
            or chosen.commented
        )

    @property
    def query(self) -> str:
        """Return the filters as the query of an address, without the page."""
        query = QueryDict(mutable=True)
        for name, field in FIELDS.items():
            value = getattr(self.filters, name)
            if value and value != getattr(SentenceFilters(), name):
                query[field] = "on" if value is True else str(value)
        return query.urlencode()
