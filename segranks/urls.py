"""URL patterns of all apps."""

from django.contrib import admin
from django.urls import include, path

handler500 = "operations.middleware.server_error"

urlpatterns = [
    path("", include("annotation.web.urls")),
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include("api.urls")),
    path("", include("evaluation.web.urls")),
    path("", include("people.urls")),
    path("", include("crowd.urls")),
    path("", include("webhooks.urls")),
]
