"""The column of a name, and searches in texts."""

import unicodedata
from typing import TYPE_CHECKING, Any

from django.db import models

from annotation.formats.names import plain_name

if TYPE_CHECKING:
    Column = models.CharField[str, str]
else:
    # No generic at run time.
    Column = models.CharField


def contains(column: str, words: str) -> models.Q:
    """Return the condition that a text has the words, composed or decomposed, in any case."""
    forms = {words, *(unicodedata.normalize(form, words) for form in ("NFC", "NFD"))}
    found = models.Q()
    for form in sorted(forms):
        found |= models.Q(**{f"{column}__icontains": form})
    return found


class NameField(Column):
    """Stores a name, and looks it up, in its plain form: see `plain_name`."""

    def to_python(self, value: Any) -> Any:
        name = super().to_python(value)
        return plain_name(name) if isinstance(name, str) else name

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        name = self.to_python(super().pre_save(model_instance, add))
        setattr(model_instance, self.attname, name)
        return name

    def deconstruct(self) -> Any:
        # To the database it is such a column.
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.CharField", args, kwargs
