/// Why a store cannot be opened or used.
///
/// `description` is a sentence for people: it names the store, says what is wrong and what to do, and holds no password.
public struct StoreError: Error, Sendable, Hashable {
    /// What went wrong, as far as a caller can act on it.
    public enum Code: String, Sendable, CaseIterable {
        /// The file does not exist or cannot be read (exit status 66).
        case missing
        /// The file is not a store, is encrypted, damaged, or of a kind that cannot be read (exit status 65).
        case invalid
        /// The store is locked, being replaced, vanished after it was opened, or its server is away; it may come back.
        case unavailable
        /// The server refused the credentials or the file's permissions forbid the access (exit status 77).
        case denied
        /// The store's URL is not one of a known kind (exit status 78).
        case unsupported
    }

    /// What went wrong.
    public let code: Code
    /// The sentence for people.
    public let description: String

    /// Makes an error; `description` is a full sentence that names the store.
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

extension StoreError: CustomStringConvertible {}
