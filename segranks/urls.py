"""URL patterns of all apps."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

handler500 = "operations.middleware.server_error"

urlpatterns = [
    path("", include("annotation.web.urls")),
    # Django's own page would not count wrong passwords.
    path(
        "admin/password_change/",
        admin.site.admin_view(RedirectView.as_view(pattern_name="set-password")),
    ),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("api.urls")),
    path("", include("evaluation.web.urls")),
    path("", include("people.urls")),
    path("", include("crowd.urls")),
    path("", include("webhooks.urls")),
]
