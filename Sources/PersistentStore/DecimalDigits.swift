import Foundation

/// The precision to which a decimal attribute survives in a store: 15 significant digits of a double.
enum DecimalDigits {
    /// The number rounded to 15 significant digits.
    static func rounded(_ number: Double) -> Double {
        Double(String(format: "%.15g", number)) ?? number
    }
}
