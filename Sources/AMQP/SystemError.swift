internal import Glibc

/// The system's errors in words.
enum SystemError {
    static func text(_ number: Int32) -> String {
        guard let text = unsafe strerror(number) else { return "error \(number)" }
        return unsafe String(cString: text)
    }
}
