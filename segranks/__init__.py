"""SegRanks: judging machine translation by ranking short segments."""

from segranks.celery import app as celery_app

__all__ = ["celery_app"]
