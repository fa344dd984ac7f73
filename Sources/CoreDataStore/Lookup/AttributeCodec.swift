internal import Foundation
internal import PersistentStore
internal import SQLite

/// Turns a column of a row into an attribute's value, whatever SQLite holds there.
///
/// The columns of Core Data have affinities, not types: a value of another storage class than the attribute's own gets
/// the best reading it has, and never fails.
struct AttributeCodec {
    let type: AttributeType
    /// Where large values lie, for an attribute that may have them there.
    let external: ExternalData?

    init(_ attribute: AttributeDescription, externalData folder: String) {
        type = attribute.type
        external = attribute.allowsExternalStorage ? ExternalData(folder: folder) : nil
    }

    /// The value in a column of the current row.
    @inline(__always)
    func value(_ row: some RowValues, _ column: Int32) -> AttributeValue {
        switch row.storage(column) {
        case .null: .null
        case .integer: integer(row.integer(column))
        case .real: real(row.real(column))
        case .text: text(row.text(column))
        case .blob: blob(row.blob(column))
        }
    }

    private func integer(_ number: Int64) -> AttributeValue {
        switch type {
        case .boolean: .boolean(number != 0)
        case .double, .float: .number(Double(number))
        case .date: .date(Double(number))
        case .string, .uri: .string(String(number))
        default: .integer(number)
        }
    }

    private func real(_ number: Double) -> AttributeValue {
        switch type {
        case .date: .date(number)
        case .decimal: .number(Self.decimal(number))
        case .boolean: .boolean(number != 0)
        case .string, .uri: .string(String(number))
        case .integer16, .integer32, .integer64: Int64(exactly: number).map { .integer($0) } ?? .number(number)
        default: .number(number)
        }
    }

    private func text(_ text: String) -> AttributeValue {
        switch type {
        case .integer16, .integer32, .integer64, .boolean:
            if let number = Int64(text) { return integer(number) }
            return Double(text).map { real($0) } ?? .string(text)
        case .double, .float, .decimal, .date:
            return Double(text).map { real($0) } ?? .string(text)
        case .uuid:
            guard text.utf8.count == 36, let uuid = UUID(uuidString: text) else { return .string(text) }
            return .uuid(uuid)
        case .binary, .transformable: return blob(Array(text.utf8))
        default: return .string(text)
        }
    }

    private func blob(_ bytes: [UInt8]) -> AttributeValue {
        switch type {
        case .uuid where bytes.count == 16: .uuid(UUID(bytes: bytes))
        case .string, .uri: String(validating: bytes, as: UTF8.self).map { .string($0) } ?? .binary(bytes)
        default: external?.value(bytes) ?? .binary(bytes)
        }
    }

    /// A decimal comes back from its double with the digits that survive in one.
    private static func decimal(_ number: Double) -> Double {
        guard number.isFinite, number != number.rounded() else { return number }
        return Double(String(format: "%.15g", number)) ?? number
    }
}

extension UUID {
    /// The UUID of 16 bytes, the first one being the most significant.
    fileprivate init(bytes: [UInt8]) {
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7], bytes[8], bytes[9],
                bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }
}
