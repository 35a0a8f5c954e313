"""Reports as files and as text for terminals, and metrics beside human gold of files."""
