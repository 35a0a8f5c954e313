"""Accounts imported with a project: inactive, without a password, shown by their own names."""

from collections.abc import Iterator
from itertools import count

from annotation.formats.errors import InputError
from annotation.models import Project, User


class ImportedAccounts:
    """The accounts imported with a project; new ones are created when first requested."""

    def __init__(self, project: Project) -> None:
        self.project = project
        rows = User.objects.filter(imported_with=project).order_by("pk")
        self.by_name = {user.display_name: user for user in rows}
        self._numbers = count(len(self.by_name) + 1)
        self._unknown = [user for user in self.by_name.values() if user.unidentified]

    def named(self, name: str, where: str) -> User:
        """Return the account of this `plain_name`. Raise InputError for an unknown annotator's."""
        user = self.by_name.get(name) or self.create(name)
        if user.unidentified:
            raise InputError(
                f"{where}: the name {name!r} belongs to the account of an unknown annotator of "
                "this project: use another name."
            )
        return user

    def unidentified(self, position: int) -> User:
        """Return the account of the unknown annotator of judgements at this position, from 0."""
        while len(self._unknown) <= position:
            name = next(name for name in _unknown_names() if name not in self.by_name)
            self._unknown.append(self.create(name, unidentified=True))
        return self._unknown[position]

    def create(self, name: str, *, unidentified: bool = False) -> User:
        """Create the account; the caller makes sure that the project has no other of this name."""
        user = User(
            username=self._free_username(),
            display_name=name,
            imported_with=self.project,
            unidentified=unidentified,
            is_active=False,
        )
        user.set_unusable_password()
        user.save()
        self.by_name[name] = user
        return user

    def _free_username(self) -> str:
        names = (f"imported-{self.project.pk}-{number}" for number in self._numbers)
        # A person may have registered under such a name.
        return next(name for name in names if not User.objects.filter(username=name).exists())


def _unknown_names() -> Iterator[str]:
    return (f"unknown {number}" for number in count(1))
