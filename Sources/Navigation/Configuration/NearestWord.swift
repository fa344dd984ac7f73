/// Finds the word that was probably meant.
enum NearestWord {
    /// The known word with the fewest edits, where they are few enough for a slip; the first of several.
    static func to(_ word: String, among known: some Sequence<String>) -> String? {
        let limit = max(1, min(3, word.count / 2))
        var nearest: (word: String, distance: Int)?
        for candidate in known {
            let distance = distance(Array(word.lowercased().utf8), Array(candidate.lowercased().utf8))
            if distance <= limit, distance < nearest?.distance ?? .max { nearest = (candidate, distance) }
        }
        return nearest?.word
    }

    /// The insertions, deletions, replacements and swaps of neighbours between two words.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        guard abs(left.count - right.count) <= 3, left.count <= 100 else { return .max }
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(current[column] + 1, last[column + 1] + 1, last[column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
