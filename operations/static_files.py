"""How static files are named and stored."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class HashedStaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Files with a hash of their content in their names, also those that ES modules import.

    Browsers never ask again for a file with a hash. Without it, they would ask for each imported
    module a minute later, and after an upgrade they could mix modules of two versions.
    """

    support_js_module_import_aggregation = True
