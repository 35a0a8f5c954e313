"""New projects in the browser: uploaded files, their check, the preview, the creation."""
