internal import CPostgreSQL

/// The version of libpq that the program runs with.
package enum PostgreSQLVersion {
    /// For example `15.20`.
    package static var text: String {
        let number = PQlibVersion()
        return "\(number / 10_000).\(number % 10_000)"
    }
}
