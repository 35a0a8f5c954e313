"""Signals that let other apps take part in what annotation does."""

from typing import Final

from django.dispatch import Signal

# Sent with `user`, whose data is still there, in the transaction that anonymises the account.
# Receivers delete or change what their app stores about the user.
anonymised: Final = Signal()

# Sent with `user` once a new password is stored.
password_changed: Final = Signal()
