/// The ids of a producer's requests: `RUN-PRODUCER-NUMBER`.
struct RequestNames: Sendable {
    private static let answerPrefix = Array("re:".utf8)
    private let prefix: [UInt8]

    init(run: String, producer: Int) { prefix = Array("\(run)-\(producer)-".utf8) }

    /// The id of a request.
    func id(of number: Int) -> [UInt8] {
        // Small texts take no storage of their own.
        prefix + String(number).utf8
    }

    /// The number of the request with that id; nil for any other text.
    func request(_ id: ArraySlice<UInt8>) -> Int? {
        guard id.starts(with: prefix) else { return nil }
        let digits = id.dropFirst(prefix.count)
        guard (1...18).contains(digits.count), digits.count == 1 || digits.first != UInt8(ascii: "0") else {
            return nil
        }
        var number = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            number = number * 10 + Int(digit - UInt8(ascii: "0"))
        }
        return number
    }

    /// Whether a message_id is that of an answer to the request with that id.
    func isAnswer(_ messageID: ArraySlice<UInt8>, to id: ArraySlice<UInt8>) -> Bool {
        messageID.starts(with: Self.answerPrefix) && messageID.dropFirst(Self.answerPrefix.count).elementsEqual(id)
    }
}
