"""The pages of findings, for those who administer a project."""
