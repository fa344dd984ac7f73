/// Dates in the form that commands carry: ISO 8601 in UTC.
public enum ISO8601 {
    /// The days from 1970-01-01 to 2001-01-01, where Core Data's time begins.
    private static let referenceDay = 11_323

    /// Seconds since 2001-01-01T00:00:00Z as text, for example `2026-01-31T23:59:59Z`.
    ///
    /// Three decimals, rounded, where the time is not whole; nil outside the years 1 to 9999.
    public static func text(seconds: Double) -> String? {
        guard seconds.isFinite, abs(seconds) < 4e11 else { return nil }
        let milliseconds = Int((seconds * 1000).rounded(.toNearestOrAwayFromZero))
        let (second, thousandths) = milliseconds.flooredQuotientAndRemainder(by: 1000)
        let (day, time) = second.flooredQuotientAndRemainder(by: 86_400)
        let (year, month, dayOfMonth) = civil(fromDay: day + referenceDay)
        guard (1...9999).contains(year) else { return nil }
        var text = "\(padded(year, 4))-\(padded(month, 2))-\(padded(dayOfMonth, 2))T"
        text += "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        if thousandths != 0 || seconds != seconds.rounded() { text += ".\(padded(thousandths, 3))" }
        return text + "Z"
    }

    /// The seconds since 2001-01-01T00:00:00Z of a date, time and zone, for example `2026-01-31T23:59:59.5+01:00`.
    ///
    /// nil for anything else, also for a day that the month does not have.
    public static func seconds(in text: String) -> Double? {
        var reader = Reader(rest: text.utf8[...])
        guard let year = reader.number(4), reader.skip("-"), let month = reader.number(2), reader.skip("-"),
            let day = reader.number(2), reader.skip("T") || reader.skip("t") || reader.skip(" "),
            let hour = reader.number(2), reader.skip(":"), let minute = reader.number(2), reader.skip(":"),
            let second = reader.number(2), let fraction = reader.fraction(), let zone = reader.zone(),
            reader.rest.isEmpty, (1...12).contains(month), hour < 24, minute < 60, second < 60
        else { return nil }
        let dayNumber = Self.day(year: year, month: month, day: day)
        guard Self.civil(fromDay: dayNumber) == (year, month, day) else { return nil }
        let whole = (dayNumber - referenceDay) * 86_400 + hour * 3600 + minute * 60 + second - zone
        return Double(whole) + fraction
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    // The Gregorian calendar from March to February, in eras of 400 years (146,097 days).

    private static func day(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shifted.flooredQuotientAndRemainder(by: 400)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(fromDay day: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = (day + 719_468).flooredQuotientAndRemainder(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    private struct Reader {
        var rest: Substring.UTF8View

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func number(_ width: Int) -> Int? {
            let digits = rest.prefix(width)
            guard digits.count == width, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            rest = rest.dropFirst(width)
            return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
        }

        /// A point and digits, or nothing (0).
        mutating func fraction() -> Double? {
            guard skip(".") else { return 0 }
            let digits = rest.prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, digits.count <= 18 else { return nil }
            rest = rest.dropFirst(digits.count)
            return Double("0." + String(Substring(digits)))
        }

        /// `Z`, `+01:00`, `+0100` or `+01`, in seconds east of UTC.
        mutating func zone() -> Int? {
            if skip("Z") || skip("z") { return 0 }
            let sign = skip("+") ? 1 : skip("-") ? -1 : 0
            guard sign != 0, let hours = number(2) else { return nil }
            let minutes = skip(":") || !rest.isEmpty ? number(2) : 0
            guard let minutes, hours < 24, minutes < 60 else { return nil }
            return sign * (hours * 3600 + minutes * 60)
        }
    }
}

extension Int {
    /// Quotient rounded down and a remainder that is never negative.
    fileprivate func flooredQuotientAndRemainder(by divisor: Int) -> (quotient: Int, remainder: Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
