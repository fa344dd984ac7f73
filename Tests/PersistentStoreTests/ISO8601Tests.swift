import Foundation
import Testing

@testable import PersistentStore

struct ISO8601Tests {
    @Test(arguments: [
        (0.0, "2001-01-01T00:00:00Z"), (319_512_340, "2011-02-16T01:25:40Z"), (0.5, "2001-01-01T00:00:00.500Z"),
        (0.0004, "2001-01-01T00:00:00.000Z"), (0.9996, "2001-01-01T00:00:01.000Z"), (-0.25, "2000-12-31T23:59:59.750Z"),
        (-31_622_400, "2000-01-01T00:00:00Z"), (5_097_600, "2001-03-01T00:00:00Z"),
    ])
    func `seconds become text in UTC with decimals only where they are not whole`(seconds: Double, text: String) {
        #expect(ISO8601.text(seconds: seconds) == text)
    }

    @Test(arguments: [Double.nan, .infinity, 1e15, -1e15, -63_200_000_000, 300_000_000_000])
    func `a time outside the years 1 to 9999 has no text`(seconds: Double) {
        #expect(ISO8601.text(seconds: seconds) == nil)
    }

    @Test func `text is read back, and Foundation agrees on every day of 400 years`() throws {
        let style = Date.ISO8601FormatStyle()
        for day in stride(from: -150_000.0, to: 150_000, by: 1) {
            let seconds = day * 86_400 + 12_345
            let text = try #require(ISO8601.text(seconds: seconds))
            if text != style.format(Date(timeIntervalSinceReferenceDate: seconds))
                || ISO8601.seconds(in: text) != seconds
            {
                Issue.record("\(text)")
            }
        }
    }

    @Test(arguments: [
        "", "2026", "2026-01-01", "2026-01-01T00:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+1:00", "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00+25:00", "2026-1-1T00:00:00Z",
    ])
    func `anything that is not a date, time and zone is nothing`(text: String) {
        #expect(ISO8601.seconds(in: text) == nil)
    }

    @Test(arguments: ["+01:30", "+0130", "-02:00", "+05"])
    func `zones east and west are read`(zone: String) throws {
        let seconds = try #require(ISO8601.seconds(in: "2001-01-01T12:00:00" + zone))
        let offsets = ["+01:30": 5_400.0, "+0130": 5_400, "-02:00": -7_200, "+05": 18_000]
        #expect(seconds == 43_200 - (offsets[zone] ?? .nan))
    }
}
