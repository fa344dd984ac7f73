import Testing

@testable import LoadTest

struct LatencyHistogramTests {
    @Test func `a value that is read back is never too low, and too high by no more than the error`() {
        for bits in [4, 9, 12] {
            var value: UInt64 = 1
            while value < UInt64.max / 3 {
                for near in [value - 1, value, value + 1] {
                    var histogram = LatencyHistogram(bits: bits)
                    histogram.record(near)
                    // A larger one, so that the exact maximum does not hide the bucket.
                    histogram.record(.max)
                    let read = histogram.value(atQuantile: 0.5)
                    #expect(read >= near)
                    #expect(Double(read - near) <= Double(near) * histogram.relativeError, "\(near) at \(bits) bits")
                }
                value = value * 3 / 2 + 1
            }
        }
    }

    @Test func `quantiles are those of the sorted values`() {
        var histogram = LatencyHistogram()
        var values: [UInt64] = []
        var state: UInt64 = 88_172_645_463_325_252
        for _ in 0..<20_000 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            let value = state % 1_000_000_000 >> (state >> 58 & 15)
            values.append(value)
            histogram.record(value)
        }
        values.sort()
        for quantile in [0.001, 0.1, 0.5, 0.9, 0.99, 0.999, 1] {
            let exact = values[Int((quantile * Double(values.count)).rounded(.up)) - 1]
            let read = histogram.value(atQuantile: quantile)
            #expect(read >= exact)
            #expect(Double(read) <= Double(exact) * (1 + histogram.relativeError))
        }
        #expect(histogram.max == values.last)
        #expect(histogram.count == 20_000)
    }

    @Test func `the ends of the range are counted, and nothing is nothing`() {
        var histogram = LatencyHistogram()
        #expect(histogram.value(atQuantile: 0.99) == 0)
        histogram.record(0)
        #expect(histogram.value(atQuantile: 1) == 0)
        histogram.record(.max)
        #expect(histogram.value(atQuantile: 1) == .max)
        #expect(histogram.value(atQuantile: 0.5) == 0)
    }

    @Test func `histograms that are added count as one`() {
        var first = LatencyHistogram(), second = LatencyHistogram(), both = LatencyHistogram()
        for value in 0..<1000 as Range<UInt64> {
            if value.isMultiple(of: 3) { first.record(value * value) } else { second.record(value * value) }
            both.record(value * value)
        }
        first.add(second)
        for quantile in stride(from: 0.0, through: 1, by: 0.05) {
            #expect(first.value(atQuantile: quantile) == both.value(atQuantile: quantile))
        }
        #expect(first.max == both.max && first.count == both.count && first.sum == both.sum)
        first.removeAll()
        #expect(first.count == 0 && first.value(atQuantile: 1) == 0)
    }
}
