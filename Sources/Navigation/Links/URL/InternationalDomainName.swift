internal import CIDN2
internal import Glibc

/// Domain names beyond ASCII, by libidn2 (UTS #46, non-transitional, as the WHATWG URL standard asks).
@safe
enum InternationalDomainName {
    /// The ASCII form of a name in UTF-8; nil for a name that has none.
    static func ascii(_ name: [UInt8]) -> [UInt8]? {
        guard !name.contains(0), String(validating: name, as: UTF8.self) != nil else { return nil }
        let flags = Int32(IDN2_NFC_INPUT.rawValue | IDN2_NONTRANSITIONAL.rawValue)
        var output: UnsafeMutablePointer<CChar>?
        let status = unsafe (name + [0]).withUnsafeBufferPointer { bytes in
            unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                unsafe idn2_to_ascii_8z(characters.baseAddress, &output, flags)
            }
        }
        guard status == IDN2_OK.rawValue, let output = unsafe output else { return nil }
        defer { unsafe free(output) }
        return unsafe Array(String(cString: output).utf8)
    }
}
