/// What a misspelt word may have meant.
public enum Suggestion {
    /// The nearest of the words by edit distance; nil where none is near: at most a third of the letters differ.
    public static func nearest(to word: String, among words: [String]) -> String? {
        let sought = Array(word.lowercased().unicodeScalars)
        let ranked = words.map { (word: $0, distance: distance(sought, Array($0.lowercased().unicodeScalars))) }
        guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
        return best.distance <= max(1, max(sought.count, best.word.count) / 3) ? best.word : nil
    }

    /// How many scalars to insert, delete, replace or swap with their neighbour to come from one word to the other.
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for row in left.indices {
            var current = [row + 1]
            for column in right.indices {
                var cost = min(last[column + 1] + 1, current[column] + 1)
                cost = min(cost, last[column] + (left[row] == right[column] ? 0 : 1))
                if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
                    cost = min(cost, beforeLast[column - 1] + 1)
                }
                current.append(cost)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
