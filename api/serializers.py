"""What is sent and shown: serializers that take only what they know."""

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from rest_framework import serializers

from annotation.projects.permissions import LARGEST_ID

# Of JSON, so that nothing is taken for something else: "1" is no number, and 1 no text.
TYPES: tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], tuple[type, ...]], ...] = (
    (serializers.BooleanField, (bool,)),
    (serializers.IntegerField, (int,)),
    (serializers.FloatField, (int, float)),
    (serializers.CharField, (str,)),
    (serializers.ChoiceField, (str,)),
)


class Strict:
    """What is sent; a name that is not known is refused, so that no slip of the pen is lost.

    With `json` in its context, values have to be of the very type too.
    """

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            self._refuse_unknown(data)
            if cast(Any, self).context.get("json"):
                self._refuse_other_types(data)
        return cast(Any, super()).to_internal_value(data)

    def _refuse_unknown(self, data: Mapping[str, Any]) -> None:
        fields = cast(Any, self).fields
        unknown = [name for name in data if name not in fields or fields[name].read_only]
        if unknown:
            raise serializers.ValidationError({str(name): [_("Unknown.")] for name in unknown})

    def _refuse_other_types(self, data: Mapping[str, Any]) -> None:
        wrong = {}
        for name, value in data.items():
            field = cast(Any, self).fields[name]
            types = next((types for kind, types in TYPES if isinstance(field, kind)), None)
            is_null = value is None and field.allow_null
            if types and not is_null and not _is_one_of(value, types):
                wrong[name] = [_("This is of another type.")]
        if wrong:
            raise serializers.ValidationError(wrong)


def _is_one_of(value: object, types: tuple[type, ...]) -> bool:
    # True is a number to Python.
    return isinstance(value, types) and (bool in types or not isinstance(value, bool))


# Without a docstring: the schema would show it wherever a subclass has none.
class Fields(Strict, serializers.Serializer[Any]):
    pass


class Shown(serializers.Serializer[Any]):
    """What is shown, and never sent: all of it is there always."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.read_only = True
            field.required = False
        return fields


class Id(serializers.IntegerField):
    """An id as databases have them."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **options)
