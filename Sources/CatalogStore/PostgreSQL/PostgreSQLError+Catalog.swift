internal import PersistentStore
internal import PostgreSQL

extension PostgreSQLError {
    /// The error for the user of a catalog at a location.
    func storeError(_ location: String) -> StoreError {
        if isRefusal {
            return StoreError(
                .denied,
                "\(location) refuses the access: \(message). Check the user, the password and the rights; a password can be "
                    + "in the URL, in PGPASSWORD, in the file that PGPASSFILE names, or in a service file.")
        }
        if isWrongSchema {
            return StoreError(
                .unavailable,
                "\(location) has no catalog yet. \(PostgreSQLMigrations.remedy) It is looked for again. (\(message))")
        }
        let code = state.map { " (\($0))" } ?? ""
        return StoreError(.unavailable, "\(location) is unavailable: \(message)\(code). It is tried again.")
    }
}
