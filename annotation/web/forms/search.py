"""Searches for words: in source sentences, and in the names of projects."""

from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _


class SearchForm(forms.Form):
    """The words of an address; what it cannot read finds everything."""

    q = forms.CharField(required=False, max_length=200, label=_("Search"))

    @property
    def words(self) -> str:
        self.is_valid()
        return str(self.cleaned_data.get("q", ""))

    @property
    def query(self) -> str:
        """Return the words as the query of an address, without the page."""
        return urlencode({"q": self.words}) if self.words else ""


class ProjectSearchForm(SearchForm):
    """The words and the order of the list of projects."""

    sort = forms.ChoiceField(
        required=False,
        label=_("Sort by"),
        choices=[
            ("open", _("Open projects first")),
            ("name", _("Name")),
            ("newest", _("Newest first")),
        ],
    )

    @property
    def order(self) -> str:
        """Return one of PROJECT_ORDERS; the default one if none or another is in the address."""
        self.is_valid()
        return str(self.cleaned_data.get("sort") or "open")

    @property
    def query(self) -> str:
        chosen = {"q": self.words, "sort": self.order if self.order != "open" else ""}
        return urlencode({name: value for name, value in chosen.items() if value})
