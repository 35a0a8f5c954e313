"""Signals that let other apps take part in what annotation does.

Receivers in `apps.py` of these apps import what they call when they are called, so that a command
starts without it.
"""

from typing import Final

from django.dispatch import Signal

# Sent with `user`, whose data is still there, in the transaction that anonymises the account.
# Receivers delete or change what their app stores about the user.
anonymised: Final = Signal()

# Sent with `user` once a new password is stored.
password_changed: Final = Signal()

# Sent with the projects `original` and `copy`, and `by`, in the transaction that creates the copy,
# which has no texts yet. Receivers copy the settings that their app stores.
project_copied: Final = Signal()

# Sent with `project_id` in the transaction that stores a submission, or ends an import of some, so
# receivers must be quick.
submitted: Final = Signal()

# Sent with `project`, `user_id`, `rule`, `value`, `limit` and `sentences` in the transaction that
# stores that a rule of quality has flagged the annotator.
annotator_flagged: Final = Signal()

# Sent with `user` and `status`, their AnnotatorStatus in a project, when they can be assigned no
# sentence. A receiver may return the path to which they are redirected.
nothing_left_to_judge: Final = Signal()

# Sent when an archive is written or read. Receivers return the archive Parts of their app.
archive_opened: Final = Signal()
