extension String {
    /// The name as an SQL identifier.
    public var quotedForSQL: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
