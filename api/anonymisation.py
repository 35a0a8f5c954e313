"""What goes where a person is made unknown."""

import json
from typing import Any

from django.db.models import Q

from annotation.models import User
from api.models import StoredAnswer, Token


def forget(user: User, **_signal: Any) -> None:
    """Delete the answers that anybody was given about the person: they would be given again."""
    Token.objects.filter(user=user).delete()
    about = Q(user=user)
    for name in filter(None, {user.username, user.display_name, user.email}):
        about |= Q(body__icontains=json.dumps(name, ensure_ascii=False))
    StoredAnswer.objects.filter(about).delete()
