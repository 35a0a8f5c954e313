"""Being signed in by a password, or by a link that stands for one."""

from django.contrib.auth.backends import ModelBackend
from django.db.models import QuerySet

from annotation.common.compiled_queries import ReadyMadeRead
from annotation.models import User


@ReadyMadeRead
def _account(pk: int) -> QuerySet[User]:
    return User.objects.filter(pk=pk)


class PasswordBackend(ModelBackend):
    """Django's, which reads the account of each request with ready-made SQL."""

    def get_user(self, user_id: int) -> User | None:
        """Return the account; None where there is none, or it is switched off."""
        user = _account.first(user_id)
        return user if user and self.user_can_authenticate(user) else None
