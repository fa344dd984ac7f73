/// Finds the word that was probably meant by a misspelt one.
public enum NearestWord {
    /// A longer word is no slip of the pen, and comparing it would take long.
    private static let lengthMax = 100
    /// More edits than these are no slip either, however long the word.
    private static let editsMax = 3

    /// The known word with the fewest edits, the first of several; nil where even that differs by more than a third.
    ///
    /// Case does not count. An edit inserts, deletes or replaces a character, or swaps two neighbours.
    public static func to(_ word: String, among known: some Sequence<String>) -> String? {
        let sought = Array(word.lowercased().unicodeScalars)
        guard sought.count <= lengthMax else { return nil }
        var nearest: (word: String, edits: Int)?
        for candidate in known {
            let scalars = Array(candidate.lowercased().unicodeScalars)
            let limit = max(1, min(editsMax, max(sought.count, scalars.count) / 3))
            guard abs(sought.count - scalars.count) <= limit else { continue }
            let edits = edits(from: sought, to: scalars)
            if edits <= limit, edits < nearest?.edits ?? .max { nearest = (candidate, edits) }
        }
        return nearest?.word
    }

    /// The fewest edits that lead from one word to the other.
    private static func edits(from left: [Unicode.Scalar], to right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                let replacement = last[column] + (left[row] == right[column] ? 0 : 1)
                var fewest = min(last[column + 1] + 1, current[column] + 1, replacement)
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    fewest = min(fewest, beforeLast[column - 1] + 1)
                }
                current.append(fewest)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
