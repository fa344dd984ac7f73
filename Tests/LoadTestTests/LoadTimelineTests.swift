import Testing

@testable import LoadTest

struct LoadTimelineTests {
    @Test func `each second has its own counts`() {
        var timeline = LoadTimeline()
        timeline.sent(at: 0)
        timeline.sent(at: 999_999_999)
        timeline.sent(at: 1_000_000_000)
        timeline.answered(at: 2_500_000_000, after: 7)
        #expect(timeline.intervals.map(\.sent) == [2, 1, 0])
        #expect(timeline.intervals.map(\.answered) == [0, 0, 1])
    }

    @Test func `a long run takes no more intervals, and loses no count`() {
        var timeline = LoadTimeline()
        for second in 0..<5000 as Range<Int64> { timeline.sent(at: second * 1_000_000_000) }
        #expect(timeline.intervals.count <= LoadTimeline.countMax)
        #expect(timeline.seconds == 16)
        #expect(timeline.intervals.reduce(0) { $0 + $1.sent } == 5000)
        var short = LoadTimeline()
        short.answered(at: 3_000_000_000, after: 1)
        short.add(timeline)
        #expect(short.seconds == 16)
        #expect(short.intervals[0].answered == 1)
        #expect(short.intervals.reduce(0) { $0 + $1.sent } == 5000)
    }

    @Test func `a picture has its numbers, escapes its title, and bears an empty report`() {
        var report = LoadReport()
        report.sent = 3
        report.answered = 2
        report.seconds = 2
        for (second, latency) in [(0, 1_000_000), (1, 2_000_000_000)] as [(Int64, UInt64)] {
            report.timeline.sent(at: second * 1_000_000_000)
            report.timeline.answered(at: second * 1_000_000_000, after: latency)
            report.latencies.record(latency)
        }
        let text = LoadPlot(report, title: "a <b> & c").document
        #expect(text.hasPrefix("<svg "))
        #expect(text.hasSuffix("</svg>\n"))
        #expect(text.contains("a &lt;b&gt; &amp; c"))
        #expect(text.contains("2 of 3 answered, 1/s"))
        #expect(text.contains("lost 1"))
        #expect(text.contains("max 2 s"))
        #expect(text.ranges(of: "<path ").count == 5)
        #expect(!text.contains("nan") && !text.contains("inf"))
        let empty = LoadPlot(LoadReport(), title: "").document
        #expect(empty.contains("0 of 0 answered"))
        #expect(!empty.contains("nan") && !empty.contains("inf"))
    }
}
