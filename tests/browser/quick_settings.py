"""The settings of the site that browsers look at: passwords are not hashed slowly on purpose."""

from segranks.settings import *  # noqa: F403

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
