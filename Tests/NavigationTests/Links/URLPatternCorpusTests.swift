import Foundation
import Testing

@testable import Navigation

/// The web platform's own cases of URLPattern, as far as they have a pathname and nothing else.
@Suite(.enabled(if: SharedData.isPresent, SharedData.absence))
struct URLPatternCorpusTests {
    /// Cases that are not ours, by their index.
    private static let exceptions = [
        198: "the error is about a call with both a dictionary and a base URL, which a configuration cannot make"
    ]

    @Test func `every pathname case of the corpus has its outcome`() throws {
        let data = Data(try SharedData.bytes("urlpattern/urlpatterntestdata.json"))
        let corpus = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        var cases = 0
        var passed = 0
        for (index, entry) in corpus.enumerated() {
            guard let patterns = entry["pattern"] as? [Any], patterns.count == 1,
                let pattern = patterns[0] as? [String: Any], pattern.count == 1,
                let pathname = pattern["pathname"] as? String
            else { continue }
            cases += 1
            if Self.exceptions[index] != nil { continue }
            let expected = Self.expected(entry)
            let outcome = Self.outcome(of: pathname, entry["inputs"] as? [Any] ?? [])
            #expect(outcome == expected, "case \(index): \(pathname) and \(entry["inputs"] ?? "")")
            if outcome == expected { passed += 1 }
        }
        print("urlpatterntestdata: \(cases) pathname cases, \(passed) passed, \(Self.exceptions.count) excepted")
        for (index, reason) in Self.exceptions { print("  case \(index): \(reason)") }
        #expect(cases >= 150)
        #expect(Self.exceptions.count <= 5)
    }

    private enum Outcome: Equatable {
        case error
        case noMatch
        case match(input: String, groups: [String: String?])
    }

    private static func expected(_ entry: [String: Any]) -> Outcome {
        if entry["expected_obj"] as? String == "error" || entry["expected_match"] as? String == "error" {
            return .error
        }
        guard let match = entry["expected_match"] as? [String: Any] else { return .noMatch }
        guard let pathname = match["pathname"] as? [String: Any], let input = pathname["input"] as? String else {
            return .error
        }
        let groups = pathname["groups"] as? [String: Any] ?? [:]
        return .match(input: input, groups: groups.mapValues { $0 as? String })
    }

    private static func outcome(of pathname: String, _ inputs: [Any]) -> Outcome {
        guard let pattern = try? PathPattern(pathname) else { return .error }
        guard let path = path(of: inputs) else { return .noMatch }
        guard let groups = pattern.match(path.span) else { return .noMatch }
        let texts = groups.map { group in group.map { String(decoding: path[$0], as: UTF8.self) } }
        return .match(
            input: String(decoding: path, as: UTF8.self),
            groups: Dictionary(uniqueKeysWithValues: zip(pattern.names, texts)))
    }

    /// The path of an input: a URL, with or without a base, or a dictionary.
    private static func path(of inputs: [Any]) -> [UInt8]? {
        if let text = inputs.first as? String {
            let url = LinkURL(text) ?? (inputs.last as? String).flatMap { resolve(text, $0) }
            return url.map { Array($0.bytes[$0.path]) }
        }
        let parts = inputs.first as? [String: String] ?? [:]
        let pathname = parts["pathname"] ?? ""
        if let base = parts["baseURL"] { return resolve(pathname, base).map { Array($0.bytes[$0.path]) } }
        // Of a scheme without hosts the path is opaque.
        if let scheme = parts["protocol"], !["http", "https"].contains(scheme) {
            return LinkURL("\(scheme):\(pathname)").map { Array($0.bytes[$0.path]) }
        }
        return URLPath.canonical(pathname.utf8Span.span)
    }

    /// A path on a base that has a host.
    private static func resolve(_ path: String, _ base: String) -> LinkURL? {
        guard let base = LinkURL(base), base.scheme.isWeb else { return nil }
        let folder = base.text(of: base.path).reversed().drop { $0 != "/" }.reversed()
        return LinkURL("https://\(base.text(of: base.host))\(path.hasPrefix("/") ? "" : String(folder))\(path)")
    }
}
