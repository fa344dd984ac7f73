/// A substitution variable of an association file: the values that `$(NAME)` stands for.
struct SubstitutionVariable: Sendable {
    /// Values without wildcards, sorted.
    private let words: [[UInt8]]
    /// The lengths that words have.
    private let lengths: [Int]
    /// Values with wildcards.
    private let patterns: [[WildcardPattern.Token]]

    /// Makes the variable of values that have been folded already where case does not count.
    init(_ values: some Sequence<[WildcardPattern.Token]>) {
        var words: [[UInt8]] = []
        var patterns: [[WildcardPattern.Token]] = []
        for tokens in values {
            if tokens.isEmpty {
                words.append([])
            } else if tokens.count == 1, case .literal(let word) = tokens[0] {
                words.append(word)
            } else {
                patterns.append(tokens)
            }
        }
        self.words = words.sorted { $0.lexicographicallyPrecedes($1) }
        self.lengths = Set(words.map(\.count)).sorted()
        self.patterns = patterns
    }

    /// Where a value can end that begins at one of the places.
    func reach(from start: Reach, in text: Span<UInt8>) -> Reach {
        var found: [Int] = []
        start.forEachPlace(in: text) { place in
            for length in lengths where place + length <= text.count && contains(text, at: place, length) {
                found.append(place + length)
            }
        }
        var reach = Reach(unsorted: found)
        // The values hold no variables of their own.
        for tokens in patterns { reach = reach.union(WildcardPattern.reach(tokens[...], from: start, in: text, [])) }
        return reach
    }

    /// Whether the text at that place is a word of that length.
    private func contains(_ text: Span<UInt8>, at place: Int, _ length: Int) -> Bool {
        var low = 0
        var high = words.count
        while low < high {
            let middle = (low + high) / 2
            switch Self.order(words[middle], text, place, length) {
            case 0: return true
            case ..<0: low = middle + 1
            default: high = middle
            }
        }
        return false
    }

    /// How the word stands to the text: before it, the same, or after it.
    private static func order(_ word: [UInt8], _ text: Span<UInt8>, _ place: Int, _ length: Int) -> Int {
        for index in 0..<min(word.count, length) where word[index] != text[place + index] {
            return word[index] < text[place + index] ? -1 : 1
        }
        return word.count - length
    }
}

extension SubstitutionVariable {
    /// The values of the variables that every association file knows; nil for a name that is none of them.
    static func predefined(_ name: String) -> [String]? {
        switch name {
        case "alpha": characters(letters + letters.uppercased())
        case "upper": characters(letters.uppercased())
        case "lower": characters(letters)
        case "alnum": characters(letters + letters.uppercased() + digits)
        case "digit": characters(digits)
        case "xdigit": characters(digits + "abcdefABCDEF")
        case "region": RegionCodes.all
        case "lang": LanguageCodes.all
        default: nil
        }
    }

    /// The names of those variables.
    static let predefinedNames = ["alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang"]

    private static let letters = "abcdefghijklmnopqrstuvwxyz"
    private static let digits = "0123456789"

    private static func characters(_ text: String) -> [String] { text.map { String($0) } }
}
