"""Base classes of the serializers."""

from collections.abc import Mapping
from typing import Any, cast

from django.utils.translation import gettext as _
from rest_framework import serializers

from annotation.projects.permissions import LARGEST_ID


class RefuseUnknownMixin:
    """Refuses fields that the serializer does not know, so that a typo is not ignored."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, Mapping):
            fields = cast(Any, self).fields
            unknown = [name for name in data if name not in fields or fields[name].read_only]
            if unknown:
                raise serializers.ValidationError({str(name): [_("Unknown.")] for name in unknown})
        return cast(Any, super()).to_internal_value(data)


# Without a docstring, which the schema would show for each subclass that has none.
class StrictSerializer(RefuseUnknownMixin, serializers.Serializer[Any]):
    pass


class IdField(serializers.IntegerField):
    """An id that the database can hold."""

    def __init__(self, **options: Any) -> None:
        super().__init__(min_value=1, max_value=LARGEST_ID, **options)
