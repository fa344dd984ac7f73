internal import Glibc
internal import PersistentStore

/// The time of day, for timestamps; never for measuring.
enum WallClock {
    /// Seconds since 1970.
    static var seconds: UInt64 { UInt64(max(0, time(nil))) }

    /// Milliseconds since 1970.
    static var milliseconds: Int64 { Int64(preciseSeconds * 1000) }

    /// Seconds since 1970, to the nanosecond.
    static var preciseSeconds: Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_REALTIME, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    /// A time in ISO 8601, with milliseconds where they are given.
    static func text(_ seconds: Double) -> String {
        // ISO8601 counts from 2001, as Core Data does.
        ISO8601.text(seconds: seconds - 978_307_200) ?? "-"
    }
}
