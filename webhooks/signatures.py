"""Signatures of messages, as specified at https://www.standardwebhooks.com.

The secret of a webhook is derived from its salt and SECRET_KEY, so the database alone does not
reveal it. Changing SECRET_KEY changes all secrets.
"""

import hmac
from base64 import b64encode
from datetime import datetime
from secrets import token_hex

from django.utils.crypto import salted_hmac

from webhooks.models import Delivery, Webhook

SIGNING_PREFIX = "whsec_"


def new_salt() -> str:
    return token_hex(16)


def secret_of(webhook: Webhook) -> str:
    """Return the secret in the form that libraries of Standard Webhooks expect."""
    return SIGNING_PREFIX + b64encode(_secret_key(webhook)).decode()


def headers(delivery: Delivery, now: datetime) -> dict[str, str]:
    """Return the headers that sign the delivery when it is sent at `now`."""
    uid, timestamp = delivery.signed_as, str(int(now.timestamp()))
    signed = f"{uid}.{timestamp}.{delivery.body}".encode()
    signature = b64encode(hmac.digest(_secret_key(delivery.webhook), signed, "sha256")).decode()
    return {
        "Webhook-Id": uid,
        "Webhook-Timestamp": timestamp,
        "Webhook-Signature": f"v1,{signature}",
    }


def _secret_key(webhook: Webhook) -> bytes:
    return salted_hmac("webhooks.secret", webhook.salt, algorithm="sha256").digest()
