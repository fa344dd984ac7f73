/// What a server or libpq said when something failed.
package struct PostgreSQLError: Error, Sendable, Hashable {
    /// The server's five characters; nil where it was libpq or the system that spoke.
    package let state: String?
    /// The sentence, in one line.
    package let message: String
    /// Whether a password was asked for and there is none.
    package var lacksPassword = false

    package init(state: String? = nil, _ message: String, lacksPassword: Bool = false) {
        self.state = state
        self.message = message
        self.lacksPassword = lacksPassword
    }

    /// Reads a verbose message of a connection: `... FATAL:  28P01: the sentence; LOCATION: ...`.
    ///
    /// libpq tells the code of a refused log-in nowhere else. The words around it may be of any language, but two blanks
    /// stand before it.
    init(connecting text: String, lacksPassword: Bool) {
        var message = text.replacing(/; LOCATION:.*/, with: "")
        var state: String?
        if let match = message.firstMatch(of: /:\s\s([0-9A-Z]{5}):\s/) {
            state = String(match.1)
            message.replaceSubrange(match.range, with: ": ")
        }
        self.init(state: state, message, lacksPassword: lacksPassword)
    }

    /// Whether the code begins so.
    func isOfClass(_ prefix: String) -> Bool { state?.hasPrefix(prefix) ?? false }

    /// Whether the server refused the user, the password or an operation.
    package var isRefusal: Bool { lacksPassword || isOfClass("28") || state == "42501" }

    /// Whether another attempt on a new connection may succeed at once: the connection or its server went away.
    package var isLostConnection: Bool {
        state == nil || isOfClass("08") || ["57P01", "57P02", "57P03", "25P02", "57P05"].contains(state)
    }

    /// Whether the prepared statement is not where it was left: a pooler gave the session another server.
    var isLostStatement: Bool { state == "26000" || state == "42P05" || state == "0A000" }

    /// Whether the same work may succeed when it is done again.
    package var isConflict: Bool { isOfClass("40") }

    /// Whether the tables are not there, or not as they should be.
    package var isWrongSchema: Bool { ["42P01", "42703", "3F000", "42883", "42704"].contains(state) }
}
