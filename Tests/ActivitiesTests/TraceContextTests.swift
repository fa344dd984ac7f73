import Activities
import Testing

struct TraceContextTests {
    private static let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let span = "00f067aa0ba902b7"

    private func isParent(_ text: String) -> Bool { TraceContext.isParent(Array(text.utf8)[...]) }
    private func isState(_ text: String) -> Bool { TraceContext.isState(Array(text.utf8)[...]) }

    @Test(arguments: [
        "00-\(trace)-\(span)-01", "00-\(trace)-\(span)-ff", "cc-\(trace)-\(span)-00", "01-\(trace)-\(span)-01-more",
    ])
    func `a traceparent of a known form is one`(_ text: String) {
        #expect(isParent(text))
    }

    @Test(arguments: [
        "", "00", "00-\(trace)-\(span)", "00-\(trace)-\(span)-1", "00-\(trace)-\(span)-01-more",
        "00-\(trace)-\(span)-012",
        "ff-\(trace)-\(span)-01", "0-\(trace)-\(span)-001", "00-\(trace.uppercased())-\(span)-01",
        "00_\(trace)_\(span)_01",
        "00-00000000000000000000000000000000-\(span)-01", "00-\(trace)-0000000000000000-01", " 00-\(trace)-\(span)-01",
        "00-\(trace)-\(span)-0x", "0g-\(trace)-\(span)-01", "01-\(trace)-\(span)-01.more",
        "01-\(trace)-\(span)-01-" + String(repeating: "x", count: 600),
    ])
    func `anything else is no traceparent`(_ text: String) {
        #expect(!isParent(text))
    }

    @Test(arguments: [
        "a=1", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "a=1 , b=2", "a=1,,b=2",
        "fw529a3039@dt=FfD/+=".replacing("+=", with: "+"),
        "0a@b=x y", "a_-*/=!~", (0..<32).map { "k\($0)=v" }.joined(separator: ","),
        String(repeating: "k", count: 256) + "=" + String(repeating: "v", count: 256),
    ])
    func `a tracestate of members is one`(_ text: String) {
        #expect(isState(text))
    }

    @Test(arguments: [
        "", ",", "a", "a=", "=1", "A=1", "a=1=2", "a=é", "a=\u{7}", "a@b@c=1", "@b=1", "a@=1", "a@1=1", "a=1,a=2",
        "a b=1",
        "-a=1", (0..<33).map { "k\($0)=v" }.joined(separator: ","), String(repeating: "k", count: 257) + "=1",
        "a=" + String(repeating: "v", count: 257), "a@" + String(repeating: "s", count: 15) + "=1",
    ])
    func `anything else is no tracestate`(_ text: String) {
        #expect(!isState(text))
    }
}
