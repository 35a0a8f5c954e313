"""Addresses of pages that have moved, which links and bookmarks may still have."""

from django.views.generic import RedirectView


class FormerAddress(RedirectView):
    """Redirects for good to the page `pattern_name`, which then asks who may see it."""

    permanent = True
    http_method_names = ["get", "head"]
