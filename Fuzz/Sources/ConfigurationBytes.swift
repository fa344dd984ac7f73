import Navigation

/// Configuration files.
enum ConfigurationBytes {
    /// It is a configuration, or every problem has a place and a sentence.
    static func take(_ bytes: [UInt8]) {
        do {
            _ = try Configuration(bytes, file: "fuzz.yaml")
        } catch {
            precondition(!error.description.isEmpty, "an error says what is wrong")
        }
    }
}
