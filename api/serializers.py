"""Base classes of the serializers."""

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from rest_framework import serializers

from annotation.formats.names import plain_name
from annotation.projects.permissions import LARGEST_ID

# What counts of submitted work mean, as in docs/glossary.md.
SENTENCES = "Different sentences, or single translations, without practice and controls."
ASSIGNMENTS = "Sheets submitted, with repeats and control sentences; limits count these."
JUDGEMENTS = "Segments ranked, with repeats and without control sentences."

# REST framework also reads "5" as a number, 5 as a text and "no" as false.
JSON_TYPES: Mapping[type[serializers.Field[Any, Any, Any, Any]], tuple[type, ...]] = {
    serializers.BooleanField: (bool,),
    serializers.IntegerField: (int,),
    serializers.FloatField: (int, float),
    serializers.CharField: (str,),
}


class StrictMixin:
    """Refuses fields that the serializer does not know, so that a typo is not ignored.

    With `json` in its context, a value of another JSON type than the field's is refused, too.
    """

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            fields = cast(Any, self).fields
            unknown = [name for name in data if name not in fields or fields[name].read_only]
            if unknown:
                raise serializers.ValidationError({str(name): [_("Unknown.")] for name in unknown})
            if cast(Any, self).context.get("json"):
                wrong = [name for name in data if not _has_json_type(data[name], fields[name])]
                if wrong:
                    errors = {name: [fields[name].error_messages["invalid"]] for name in wrong}
                    raise serializers.ValidationError(errors)
        return cast(Any, super()).to_internal_value(data)


def _has_json_type(value: object, field: serializers.Field[Any, Any, Any, Any]) -> bool:
    types = next((types for kind, types in JSON_TYPES.items() if isinstance(field, kind)), None)
    # In Python, True is a number.
    return (
        value is None
        or types is None
        or (isinstance(value, types) and (bool in types or not isinstance(value, bool)))
    )


# Without a docstring, which the schema would show for each subclass that has none.
class StrictSerializer(StrictMixin, serializers.Serializer[Any]):
    pass


class NameField(serializers.CharField):
    """A name in its plain form."""

    def to_internal_value(self, data: Any) -> str:
        name = plain_name(super().to_internal_value(data))
        if not name and not self.allow_blank:
            self.fail("blank")
        return name


class IdField(serializers.IntegerField):
    """An id that the database can hold."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **options)
