import Foundation

/// How many times slower than usual programs may be here, as under a sanitizer; 1 by default.
let slowness: Double =
    ProcessInfo.processInfo.environment["DEEPLINK_TEST_SLOWNESS"].flatMap(Double.init) ?? 1
