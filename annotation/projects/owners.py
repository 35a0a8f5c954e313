"""The rule that a project does not lose its last owner; no database constraint can express it."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from annotation.common.exceptions import NotPossible
from annotation.models import Membership, Project


def keep_an_owner(leaving: QuerySet[Membership]) -> None:
    """Raise NotPossible if a project would have no owner without these memberships.

    An owner whose account is deactivated does not count. The caller has opened the transaction in
    which it then ends or changes them: their projects stay locked until it ends, so that of two
    owners who remove each other at once, one remains.
    """
    owners = Membership.objects.filter(role=Membership.Role.OWNER, user__is_active=True)
    projects = list(leaving.filter(role=Membership.Role.OWNER).values_list("project", flat=True))
    # In one order, so that no two transactions wait for each other.
    locked = Project.objects.select_for_update(no_key=True).filter(pk__in=projects).order_by("pk")
    for project in locked:
        of_project = owners.filter(project=project)
        left = of_project.exclude(pk__in=leaving.values("pk"))
        if of_project.exists() and not left.exists():
            raise NotPossible(
                _("%(project)s would have no owner. Make another member an owner first.")
                % {"project": project.name}
            )
