"""Making a person unknown: other rooms may keep something about people, too."""

from typing import Final

from django.dispatch import Signal

# Sent with `user`, as known still, in the transaction in which all that says who it is goes; what
# hangs on the account, by a key that deletes with it, goes without.
anonymised: Final = Signal()
