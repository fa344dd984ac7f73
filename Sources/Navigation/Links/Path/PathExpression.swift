/// Path patterns as regular expressions, as the URLPattern standard translates them.
enum PathExpression {
    /// The memory that a pattern may take.
    static let memoryMax: Int64 = 1 << 20

    static func compiled(_ parts: [PathPatternPart]) throws(PathPatternError) -> RegularExpression {
        var source: [UInt8] = []
        for part in parts { append(try value(of: part), of: part, to: &source) }
        do throws(RegularExpression.CompileError) {
            return try RegularExpression(source, memoryMax: memoryMax)
        } catch {
            throw located(error, in: parts)
        }
    }

    /// The expression of what a part captures.
    private static func value(of part: PathPatternPart) throws(PathPatternError) -> [UInt8] {
        switch part.kind {
        case .fixed: []
        case .segment: Array("[^/]+?".utf8)
        case .anything: Array("(?s:.*)".utf8)
        case .expression(let text, let offset): Array(try ExpressionTranslation.translated(text, at: offset).utf8)
        }
    }

    private static func append(_ value: [UInt8], of part: PathPatternPart, to source: inout [UInt8]) {
        func add(_ text: StaticString) { source += text.description.utf8 }
        func add(quoting bytes: [UInt8]) {
            for byte in bytes {
                if byte < 0x80, !byte.isASCIILetter, !byte.isASCIIDigit, byte != UInt8(ascii: "_") { add("\\") }
                source.append(byte)
            }
        }
        func addModifier() { if let modifier = part.modifier { source.append(UInt8(modifier.rawValue.value)) } }

        if part.kind == .fixed {
            add("(?:")
            add(quoting: part.prefix)
            add(")")
            return addModifier()
        }
        add("(?:")
        add(quoting: part.prefix)
        if part.modifier == nil || part.modifier == .optional {
            add("(")
            source += value
            add(")")
            add(quoting: part.suffix)
            add(")")
            return addModifier()
        }
        if part.prefix.isEmpty, part.suffix.isEmpty {
            add("((?:")
            source += value
            add(")")
            addModifier()
            return add("))")
        }
        // What is repeated is captured as one, with what stands between.
        add("((?:")
        source += value
        add(")(?:")
        add(quoting: part.suffix + part.prefix)
        add("(?:")
        source += value
        add("))*)")
        add(quoting: part.suffix)
        add(")")
        if part.modifier == .zeroOrMore { add("?") }
    }

    /// An error where it belongs: at the expression that cannot be compiled alone, else at the pattern's start.
    private static func located(
        _ error: RegularExpression.CompileError, in parts: [PathPatternPart]
    ) -> PathPatternError {
        for part in parts {
            guard case .expression(let text, let offset) = part.kind, let value = try? value(of: part) else { continue }
            do throws(RegularExpression.CompileError) {
                _ = try RegularExpression(value, memoryMax: memoryMax)
            } catch {
                let place = text.firstRange(of: error.part).map {
                    text.unicodeScalars.distance(from: text.startIndex, to: $0.lowerBound)
                }
                return PathPatternError(
                    offset: offset + (error.part.isEmpty ? 0 : place ?? 0),
                    description: "The regular expression (\(text)) cannot be compiled: \(error.sentenceEnd)")
            }
        }
        return PathPatternError(offset: 0, description: "The pattern cannot be compiled: \(error.sentenceEnd)")
    }
}
