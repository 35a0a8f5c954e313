"""Django admin: accounts, projects and memberships. Judgements cannot be changed here."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.models import Group
from django.db.models import ForeignKey, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from annotation.models import Membership, Project, User

admin.site.site_header = admin.site.site_title = "SegRanks"
admin.site.unregister(Group)


@admin.register(User)
class AccountAdmin(UserAdmin):  # type: ignore[type-arg]  # no generic at run time
    """Accounts. Imported ones belong to their project and cannot be changed."""

    list_display = ("username", "shown_name", "is_active", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser", "imported_with")
    search_fields = ("username", "display_name", "email")
    filter_horizontal = ()
    readonly_fields = ("imported_with", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("Person"), {"fields": ("display_name", "email", "imported_with")}),
        (_("Rights"), {"fields": ("is_active", "is_staff", "is_superuser")}),
        (_("Times"), {"fields": ("last_login", "date_joined")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        # Imported accounts are deleted with their project, which may take a moment.
        return super().get_queryset(request).filter(imported_with__delete_after=None)

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
class ProjectAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
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
        "show_reference",
        "show_neighbours",
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
class MembershipAdmin(admin.ModelAdmin):  # type: ignore[type-arg]
    """Roles of users in projects."""

    list_display = ("user", "project", "role", "sentence_limit")
    list_filter = ("role", "project")
    list_select_related = ("user", "project")
    search_fields = ("user__username", "project__name")
    fields = ("user", "project", "role", "sentence_limit")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("user", "project") if obj else ()

    def formfield_for_foreignkey(
        self, db_field: "ForeignKey[Any, Any]", request: HttpRequest, **kwargs: Any
    ) -> Any:
        if db_field.name == "user":
            # Imported accounts cannot sign in.
            kwargs["queryset"] = User.objects.filter(imported_with=None).order_by("username")
        return super().formfield_for_foreignkey(db_field, request, **kwargs)
