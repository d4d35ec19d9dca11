print("changeset-lint")
