/// The ASCII form of a label's characters (RFC 3492).
enum Punycode {
    private static let base = 36
    private static let initialBias = 72
    private static let initialN: UInt32 = 128

    /// The label with `xn--` before it; nil where numbers would not fit.
    static func encodedLabel(_ scalars: [Unicode.Scalar]) -> [UInt8]? {
        var output = scalars.filter(\.isASCII).map { UInt8($0.value) }
        let basicCount = output.count
        if basicCount > 0 { output.append(UInt8(ascii: "-")) }
        var (next, delta, bias, handled) = (initialN, 0, initialBias, basicCount)
        while handled < scalars.count {
            guard let lowest = scalars.lazy.map(\.value).filter({ $0 >= next }).min() else { return nil }
            let (product, overflow) = Int(lowest - next).multipliedReportingOverflow(by: handled + 1)
            guard !overflow, product < Int(Int32.max) else { return nil }
            delta += product
            next = lowest
            for scalar in scalars {
                if scalar.value < next { delta += 1 }
                guard scalar.value == next else { continue }
                append(delta, bias: bias, to: &output)
                bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
                delta = 0
                handled += 1
            }
            delta += 1
            next += 1
        }
        return Array("xn--".utf8) + output
    }

    private static func append(_ delta: Int, bias: Int, to output: inout [UInt8]) {
        var rest = delta
        var position = base
        while true {
            let threshold = min(max(position - bias, 1), 26)
            if rest < threshold { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            position += base
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> UInt8 {
        UInt8(value < 26 ? value + 0x61 : value - 26 + 0x30)
    }

    private static func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
        var delta = isFirst ? delta / 700 : delta / 2
        delta += delta / count
        var steps = 0
        while delta > 455 {
            delta /= base - 1
            steps += base
        }
        return steps + base * delta / (delta + 38)
    }
}
