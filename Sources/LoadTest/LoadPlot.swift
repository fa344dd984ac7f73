internal import Glibc

/// A report as a picture: throughput and latency over time, as an SVG document.
public struct LoadPlot {
    private static let width = 960.0
    private static let panelHeight = 220.0
    private static let left = 80.0
    private static let right = 20.0
    private let report: LoadReport
    private let title: String
    private var svg = ""

    /// Makes a picture with a title.
    public init(_ report: LoadReport, title: String) {
        self.report = report
        self.title = title
    }

    /// The document.
    public var document: String {
        var copy = self
        return copy.draw()
    }

    private mutating func draw() -> String {
        svg = """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 620" font-family="sans-serif" font-size="13">
            <rect width="960" height="620" fill="#fff"/>
            <text x="80" y="28" font-size="18" font-weight="bold">\(Self.escaped(title))</text>
            <text x="80" y="50" fill="#555">\(Self.escaped(summary))</text>

            """
        drawThroughput(top: 80)
        drawLatency(top: 350)
        svg += "</svg>\n"
        return svg
    }

    private var summary: String {
        func time(_ quantile: Double) -> String { report.latency(quantile).map(Self.milliseconds) ?? "-" }
        return "\(report.answered) of \(report.sent) answered, \(Self.number(report.rate.rounded()))/s, "
            + "p50 \(time(0.5)), p99 \(time(0.99)), p99.9 \(time(0.999)), max \(time(1)); lost \(report.lost), "
            + "duplicate \(report.duplicate), unexpected \(report.unexpected)"
    }

    private var intervals: [LoadTimeline.Interval] { report.timeline.intervals }
    private var seconds: Double { Double(report.timeline.seconds) }

    private mutating func drawThroughput(top: Double) {
        let sent = intervals.map { Double($0.sent) / seconds }
        let answered = intervals.map { Double($0.answered) / seconds }
        let highest = max(1, (sent + answered).max() ?? 1)
        let step = Self.step(highest / 4)
        let limit = (highest / step).rounded(.up) * step
        frame(top: top, name: "requests a second")
        var mark = 0.0
        while mark <= limit {
            grid(y: top + Self.panelHeight * (1 - mark / limit), label: Self.number(mark))
            mark += step
        }
        line(sent, color: "#999", top: top) { $0 / limit }
        line(answered, color: "#06c", top: top) { $0 / limit }
        legend([("sent", "#999"), ("answered", "#06c")], top: top)
    }

    private mutating func drawLatency(top: Double) {
        let rows = [(0.5, "#2a2", "p50"), (0.99, "#e80", "p99"), (1.0, "#c22", "max")]
        let values = rows.map { quantile, _, _ in
            intervals.map { $0.answered == 0 ? nil : Double($0.latencies.value(atQuantile: quantile)) / 1e9 }
        }
        let all = values.joined().compactMap { $0 }.filter { $0 > 0 }
        let low = Self.decade(below: all.min() ?? 0.001)
        let high = max(low * 10, Self.decade(below: all.max() ?? 0.001) * 10)
        let decades = log10(high / low)
        frame(top: top, name: "latency")
        var mark = low
        while mark <= high * 1.001 {
            grid(y: top + Self.panelHeight * (1 - log10(mark / low) / decades), label: Self.milliseconds(mark))
            mark *= 10
        }
        for (row, values) in zip(rows, values) {
            line(values, color: row.1, top: top) { log10(max($0, low) / low) / decades }
        }
        legend(rows.map { ($0.2, $0.1) }, top: top)
        let end = Double(intervals.count) * seconds
        svg += text(Self.left, top + Self.panelHeight + 20, "0 s", anchor: "start")
        svg += text(Self.width - Self.right, top + Self.panelHeight + 20, "\(Self.number(end)) s", anchor: "end")
    }

    // MARK: Pieces

    private mutating func frame(top: Double, name: String) {
        svg += """
            <rect x="\(Self.number(Self.left))" y="\(Self.number(top))" \
            width="\(Self.number(Self.width - Self.left - Self.right))" height="\(Self.number(Self.panelHeight))" \
            fill="none" stroke="#ccc"/>

            """
        svg += text(Self.left, top - 8, name, anchor: "start")
    }

    private mutating func grid(y: Double, label: String) {
        svg += """
            <line x1="\(Self.number(Self.left))" x2="\(Self.number(Self.width - Self.right))" y1="\(Self.number(y))" \
            y2="\(Self.number(y))" stroke="#eee"/>

            """
        svg += text(Self.left - 8, y + 4, label, anchor: "end")
    }

    /// A line through the middles of the intervals; it has gaps where there is no value.
    private mutating func line(_ values: [Double?], color: String, top: Double, share: (Double) -> Double) {
        let step = (Self.width - Self.left - Self.right) / Double(max(1, values.count))
        var path = ""
        var isDrawing = false
        for (index, value) in values.enumerated() {
            guard let value else {
                isDrawing = false
                continue
            }
            let x = Self.left + step * (Double(index) + 0.5)
            let y = top + Self.panelHeight * (1 - min(1, max(0, share(value))))
            path += "\(isDrawing ? "L" : "M")\(Self.number(x)) \(Self.number(y))"
            // A point of its own is seen as a dot.
            if !isDrawing { path += "h0.1" }
            isDrawing = true
        }
        svg += "<path d=\"\(path)\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"1.5\" stroke-linecap=\"round\"/>\n"
    }

    private mutating func legend(_ entries: [(String, String)], top: Double) {
        var x = Self.width - Self.right
        for (name, color) in entries.reversed() {
            svg +=
                "<text x=\"\(Self.number(x))\" y=\"\(Self.number(top - 8))\" text-anchor=\"end\" fill=\"\(color)\">\(name)</text>\n"
            x -= Double(name.count) * 8 + 16
        }
    }

    private func text(_ x: Double, _ y: Double, _ text: String, anchor: String) -> String {
        "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" text-anchor=\"\(anchor)\" fill=\"#555\">\(Self.escaped(text))</text>\n"
    }

    // MARK: Numbers

    /// A round number that is at least this.
    private static func step(_ least: Double) -> Double {
        let decade = decade(below: least)
        return [1, 2, 5, 10].map { $0 * decade }.first { $0 >= least } ?? least
    }

    private static func decade(below value: Double) -> Double {
        var decade = 1.0
        while decade > value, decade > 1e-9 { decade /= 10 }
        while decade * 10 <= value { decade *= 10 }
        return decade
    }

    private static func milliseconds(_ seconds: Double) -> String {
        seconds >= 1 ? "\(number(seconds)) s" : "\(number(seconds * 1000)) ms"
    }

    /// At most three significant digits behind the point, without trailing zeros.
    static func number(_ value: Double) -> String {
        let rounded = (value * 1000).rounded() / 1000
        return Int64(exactly: rounded).map(String.init) ?? rounded.description
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
