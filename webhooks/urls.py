"""The page of webhooks."""

from django.urls import path

from webhooks import views

WEBHOOKS = "projects/<int:pk>/webhooks"
WEBHOOK = f"{WEBHOOKS}/<int:webhook_pk>"

urlpatterns = [
    path(f"{WEBHOOKS}/", views.webhooks, name="webhooks"),
    path(f"{WEBHOOKS}/new/", views.new_webhook, name="new-webhook"),
    path(f"{WEBHOOK}/", views.change_webhook, name="change-webhook"),
    path(f"{WEBHOOK}/remove/", views.remove_webhook, name="remove-webhook"),
    path(f"{WEBHOOK}/secret/", views.renew_webhook_secret, name="renew-webhook-secret"),
    path(f"{WEBHOOK}/test/", views.test_webhook, name="test-webhook"),
    path(
        f"{WEBHOOK}/deliveries/<int:delivery_pk>/again/",
        views.deliver_again,
        name="deliver-webhook-again",
    ),
]
