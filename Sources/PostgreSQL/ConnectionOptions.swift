internal import CPostgreSQL
internal import Foundation

/// libpq's connection parameters, as names and values.
enum ConnectionOptions {
    /// Why a URL cannot be used, in libpq's words.
    struct Problem: Error {
        let text: String
    }

    /// The URL's parameters with those that the environment and the service file add.
    ///
    /// libpq has no call that merges them without connecting. It merges before it judges, so that it is given one value
    /// that it must refuse; then nothing is connected, and what was merged can be read.
    static func merged(url: String) -> Result<[String: String], Problem> {
        let probe = "gssencmode"
        let connection = unsafe start([("dbname", url), (probe, "none of libpq's")])
        guard let connection = unsafe connection else { return .failure(Problem(text: "there is no memory left")) }
        defer { unsafe PQfinish(connection) }
        let message = unsafe sentence(PQerrorMessage(connection))
        guard message.contains(probe) else { return .failure(Problem(text: message)) }
        guard let list = unsafe PQconninfo(connection) else {
            return .failure(Problem(text: "there is no memory left"))
        }
        defer { unsafe PQconninfoFree(list) }
        var options: [String: String] = [:]
        var next = unsafe list
        while let keyword = unsafe next.pointee.keyword {
            if let value = unsafe next.pointee.val, unsafe value.pointee != 0 {
                options[unsafe String(cString: keyword)] = unsafe String(cString: value)
            }
            unsafe next += 1
        }
        // Kerberos is asked while libpq blocks, so that only those use it who say that it is required.
        let wanted = parsed(url: url, probe) ?? ProcessInfo.processInfo.environment["PGGSSENCMODE"]
        options[probe] = wanted == "require" ? "require" : "disable"
        return .success(options)
    }

    /// Starts connecting; nil without memory.
    static func start(_ options: [(String, String)]) -> OpaquePointer? {
        var names: [UnsafePointer<CChar>?] = unsafe []
        var values: [UnsafePointer<CChar>?] = unsafe []
        defer {
            for index in unsafe names.indices {
                unsafe free(UnsafeMutablePointer(mutating: names[index]))
                unsafe free(UnsafeMutablePointer(mutating: values[index]))
            }
        }
        for (name, value) in options {
            unsafe names.append(UnsafePointer(strdup(name)))
            unsafe values.append(UnsafePointer(strdup(value)))
        }
        unsafe names.append(nil)
        unsafe values.append(nil)
        return unsafe PQconnectStartParams(names, values, 1)
    }

    /// One parameter as the URL itself has it.
    private static func parsed(url: String, _ name: String) -> String? {
        guard let list = unsafe PQconninfoParse(url, nil) else { return nil }
        defer { unsafe PQconninfoFree(list) }
        var next = unsafe list
        while let keyword = unsafe next.pointee.keyword {
            if unsafe String(cString: keyword) == name {
                return unsafe next.pointee.val.map { unsafe String(cString: $0) }
            }
            unsafe next += 1
        }
        return nil
    }

    /// libpq's message as one line, which ends without a full stop.
    static func sentence(_ text: UnsafeMutablePointer<CChar>?) -> String {
        guard let text = unsafe text else { return "" }
        let lines = unsafe String(cString: text).split(whereSeparator: \.isNewline)
        return lines.map { $0.trimmingPrefix(while: \.isWhitespace) }.joined(separator: "; ")
    }
}
