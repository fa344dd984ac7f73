import AMQP
import CoreDataStore
import PostgreSQL
import SQLite

/// The versions of the program and of the libraries it runs with.
enum Versions {
    static let program = "0.1.0"

    static var text: String {
        """
        deeplink-worker \(program)
        librabbitmq \(LibraryVersion.text)
        SQLite \(SQLiteVersion.text)
        libpq \(PostgreSQLVersion.text)
        """
    }
}
