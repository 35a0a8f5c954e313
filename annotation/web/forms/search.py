"""The search for words in source sentences."""

from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _


class SearchForm(forms.Form):
    """The words of an address; what it cannot read finds everything."""

    q = forms.CharField(required=False, max_length=200, label=_("Search"))

    @property
    def words(self) -> str:
        return str(self.cleaned_data.get("q", "")) if self.is_valid() else ""

    @property
    def query(self) -> str:
        """Return the words as the query of an address, without the page."""
        return urlencode({"q": self.words}) if self.words else ""
