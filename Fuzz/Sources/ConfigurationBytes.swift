import PersistentStore

@testable import Navigation

/// Configuration files, and what they hold or name.
enum ConfigurationBytes {
    /// It is a configuration, or every problem has a place and a sentence.
    static func take(_ bytes: [UInt8]) {
        do {
            _ = try Configuration(bytes, file: "fuzz.yaml")
        } catch {
            precondition(!error.description.isEmpty, "an error says what is wrong")
        }
    }

    /// A configuration with the files that it names: the parts of the input between bytes that no text has.
    static func takeSet(_ bytes: [UInt8]) {
        let files = bytes.split(separator: 0xFF, omittingEmptySubsequences: false).map(Array.init)
        do {
            let set = try ConfigurationSet(files[0], file: "fuzz.yaml") { path throws(UnreadableFile) in
                guard let digit = path.utf8.last, files.count > 1 else {
                    throw UnreadableFile("The file \(path) is missing.")
                }
                return files[1 + Int(digit) % (files.count - 1)]
            }
            precondition(!set.configurations.isEmpty, "there is a configuration")
            precondition(set.appIDs.allSatisfy { set.replyToOfApps[$0] != nil }, "every app has its reply queues")
            precondition(Set(set.replyTo).count == set.replyTo.count, "each reply queue once")
        } catch {
            precondition(!error.description.isEmpty, "an error says what is wrong")
        }
    }

    /// An association file behind a line with a URL: judged with all rules looked at, the verdict is the same.
    static func takeAssociation(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1, omittingEmptySubsequences: false)
        let url = LinkURL(String(decoding: lines[0], as: UTF8.self))
        if let url {
            precondition(url.bytes.allSatisfy { $0 < 0x80 }, "a URL is ASCII")
            precondition(
                !url.scheme.isWeb || url.bytes[url.path].first == UInt8(ascii: "/"), "a path begins with a slash")
        }
        guard lines.count == 2, let file = try? AssociationFile(Array(lines[1])) else { return }
        for appID in file.appIDs.prefix(3) {
            let claims = file.claims(of: appID)
            guard let url else { continue }
            precondition(claims.judge(url) == claims.judge(url) { _, _ in }, "explained it is the same")
        }
    }

    /// A predicate, or an error that says where.
    static func takePredicate(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let count = text.unicodeScalars.count
        do throws(FormatError) {
            let format = try PredicateFormat(text)
            precondition(!format.comparisons.isEmpty, "a predicate compares something")
            var last = -1
            for comparison in format.comparisons {
                precondition(comparison.attributeOffset > last, "comparisons stand in order")
                precondition(comparison.operandOffset < count, "an operand is in the text")
                last = comparison.operandOffset
            }
        } catch {
            precondition((0...count).contains(error.offset), "an error is in the text")
            precondition(!error.description.isEmpty, "an error says what is wrong")
        }
    }
}
