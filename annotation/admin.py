"""Django admin: accounts, projects and memberships. Judgements cannot be changed here."""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import ForeignKey, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from annotation.common.exceptions import NotPossible
from annotation.formats.names import plain_name
from annotation.models import Membership, Project, User
from annotation.projects.owners import keep_an_owner

admin.site.site_header = admin.site.site_title = "SegRanks"
admin.site.unregister(Group)


class FoundByName(admin.ModelAdmin):  # type: ignore[type-arg]  # no generic at run time
    """Searches for names in their plain form, as they are stored."""

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        return super().get_search_results(request, queryset, plain_name(search_term))


class OwnersStay(FoundByName):
    """Deletes nothing by which a project would lose its last owner."""

    def memberships(self, rows: Any) -> QuerySet[Membership]:
        """Return the memberships that end when these rows are deleted."""
        raise NotImplementedError

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        deleted, counts, lacking, protected = super().get_deleted_objects(objs, request)
        try:
            with transaction.atomic():
                keep_an_owner(self.memberships(objs))
        except NotPossible as problem:
            protected = [*protected, str(problem)]
        return deleted, counts, lacking, protected

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        try:
            with transaction.atomic():
                keep_an_owner(self.memberships(queryset))
                super().delete_queryset(request, queryset)
        except NotPossible as problem:
            # The other owner has left since the page was shown.
            raise PermissionDenied(str(problem)) from problem


class AccountForm(UserChangeForm):  # type: ignore[type-arg]
    def clean(self) -> Any:
        cleaned = super().clean()
        # The page of an account that cannot be changed has no such field.
        if not self.cleaned_data.get("is_active", True):
            _refuse_ownerless(Membership.objects.filter(user=self.instance))
        return cleaned


class MembershipForm(forms.ModelForm):  # type: ignore[type-arg]
    def clean(self) -> Any:
        cleaned = super().clean()
        if self.cleaned_data.get("role") != Membership.Role.OWNER:
            _refuse_ownerless(Membership.objects.filter(pk=self.instance.pk))
        return cleaned


def _refuse_ownerless(leaving: QuerySet[Membership]) -> None:
    """Raise ValidationError as `keep_an_owner`; the admin's page is one transaction."""
    try:
        keep_an_owner(leaving)
    except NotPossible as problem:
        raise ValidationError(str(problem)) from problem


@admin.register(User)
class AccountAdmin(OwnersStay, UserAdmin):  # type: ignore[type-arg]
    """Accounts. Imported ones belong to their project and cannot be changed."""

    form = AccountForm

    list_display = ("username", "shown_name", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser", "imported_with")
    search_fields = ("username", "display_name", "email")
    filter_horizontal = ()
    readonly_fields = ("imported_with", "created_for", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("display_name", "email", "imported_with", "created_for")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (_("Times"), {"fields": ("last_login", "date_joined")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        # Imported accounts are deleted with their project, which may take a moment.
        return super().get_queryset(request).filter(imported_with__delete_after=None)

    def memberships(self, rows: Any) -> QuerySet[Membership]:
        return Membership.objects.filter(user__in=[row.pk for row in rows])

    @admin.display(description=_("Display name"), ordering="display_name")
    def shown_name(self, account: User) -> str:
        return account.shown_name

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not _is_imported(obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and not _is_imported(obj)


def _is_imported(account: User | None) -> bool:
    return account is not None and account.imported_with_id is not None


@admin.register(Project)
class ProjectAdmin(FoundByName):
    """Settings of a project. Its texts are fixed, and it is created and deleted elsewhere."""

    list_display = ("name", "source_language", "target_language", "state", "created")
    list_filter = ("state",)
    search_fields = ("name",)
    fields = (
        "name",
        "description",
        "judges_per_sentence",
        "intra_rate",
        "inter_rate",
        "queue_order",
        "block_size",
        "lease_minutes",
        "shown_references",
        "show_neighbours",
        "show_whole_translations",
        "highlights",
        "source_language",
        "target_language",
        "min_length",
        "max_length",
        "state",
        "created",
        "provenance",
    )
    readonly_fields = fields[10:]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


@admin.register(Membership)
class MembershipAdmin(OwnersStay):
    """Roles of users in projects."""

    form = MembershipForm

    list_display = ("user", "project", "role", "sentence_limit")
    list_filter = ("role", "project")
    list_select_related = ("user", "project")
    search_fields = ("user__username", "project__name")
    fields = ("user", "project", "role", "sentence_limit")

    def memberships(self, rows: Any) -> QuerySet[Membership]:
        return Membership.objects.filter(pk__in=[row.pk for row in rows])

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("user", "project") if obj else ()

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        if db_field.name == "user":
            # Imported accounts cannot sign in.
            kwargs["queryset"] = User.objects.filter(imported_with=None).order_by("username")
        return super().formfield_for_foreignkey(db_field, request, **kwargs)
