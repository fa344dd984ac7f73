import Testing

@testable import Navigation

@Suite(.enabled(if: SharedData.isPresent, SharedData.absence))
struct AppleMatchFactsTests {
    @Test func `every outcome of Apple's own matcher is reached`() throws {
        let table = String(decoding: try SharedData.bytes("aasa/apple-match-facts.tsv"), as: UTF8.self)
        var cases = 0
        var passed = 0
        for line in table.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(columns.count == 4, "a row is: group, component, URL, outcome")
            let claims = try AssociationFile.claims(component: columns[1])
            let url = try #require(LinkURL("https://example.com" + columns[2]))
            let outcome = if case .claimed = claims.judge(url) { "match" } else { "no_match" }
            #expect(outcome == columns[3], "\(columns[1]) and \(columns[2])")
            cases += 1
            if outcome == columns[3] { passed += 1 }
        }
        print("apple-match-facts: \(cases) cases, \(passed) passed, 0 excepted")
        #expect(cases >= 50)
    }

    @Test func `every published association file is read`() throws {
        let names = try SharedData.names(in: "aasa/published")
        var rules = 0
        var urls = 0
        for name in names {
            let file = try AssociationFile(try SharedData.bytes("aasa/published/\(name)"))
            for appID in file.appIDs {
                let claims = file.claims(of: appID)
                rules += claims.rules.count
                urls += try Self.judgeDerivedURLs(claims, name)
            }
        }
        print("published association files: \(names.count) files, \(rules) rules, \(urls) URLs judged")
        #expect(names.count >= 12)
        #expect(rules > 236)
    }

    /// Judges a URL made from each rule, and one that its pattern just misses, by the rules one after the other.
    private static func judgeDerivedURLs(_ claims: AssociationClaims, _ name: String) throws -> Int {
        var count = 0
        for rule in claims.rules {
            guard let text = rule.sampleURL else { continue }
            for (address, isMiss) in [
                (text, false), (text.replacing("example.com/", with: "example.com/-miss-"), true),
            ] {
                let url = try #require(LinkURL(address), "\(name): \(address)")
                var failures: [String: AssociationRule.Failure] = [:]
                let verdict = claims.judge(url) { failures[$0.place] = $1 }
                // Who does not look at each rule comes to the same.
                #expect(claims.judge(url) == verdict, "\(name): \(address)")
                if !isMiss { #expect(failures[rule.place] == nil, "\(name): \(rule.place) takes \(address)") }
                if isMiss, rule.path?.first?.tokens.first.map({ if case .literal = $0 { true } else { false } }) == true
                {
                    #expect(failures[rule.place] == .path || verdict != .unclaimed, "\(name): \(address)")
                }
                count += 1
            }
        }
        return count
    }

    @Test func `a file of 236 rules is judged in microseconds`() throws {
        let file = try AssociationFile(try SharedData.bytes("aasa/published/test.wikipedia.org.json"))
        let claims = file.claims(of: "AKK7J2GV64.org.wikimedia.wikipedia")
        #expect(claims.rules.count == 236)
        let url = "https://test.wikipedia.org/wiki/Alien_(film)?uselang=en"
        let rounds = 200
        var claimed = 0
        let duration = try ContinuousClock().measure {
            for _ in 0..<rounds {
                if case .claimed = claims.judge(try #require(LinkURL(url))) { claimed += 1 }
            }
        }
        print("236 rules: \(duration / rounds) a URL in this build")
        #expect(claimed == rounds)
        // The bound holds for unoptimised code on a busy machine; optimised code takes a few microseconds.
        #expect(duration / rounds < .milliseconds(5))
    }
}

extension AssociationFile {
    /// The claims of an app whose only component this is.
    static func claims(component: String) throws -> AssociationClaims {
        let json = #"{"applinks":{"details":[{"appIDs":["A.app"],"components":[\#(component)]}]}}"#
        return try read(json).claims(of: "A.app")
    }

    static func read(_ json: String) throws(AssociationFileError) -> AssociationFile {
        try AssociationFile(Array(json.utf8))
    }
}

extension AssociationRule {
    /// A URL that the rule takes, where its patterns have no variables.
    var sampleURL: String? {
        func text(_ pattern: WildcardPattern?) -> String? {
            var text = ""
            for token in pattern?.tokens ?? [] {
                switch token {
                case .literal(let bytes): text += String(decoding: bytes, as: UTF8.self)
                case .any: text += "x"
                case .run: text += "run"
                case .variable: return nil
                }
            }
            return text
        }
        guard let path = text(path?.first), let fragment = text(fragment) else { return nil }
        var query = ""
        switch self.query {
        case nil: break
        case .whole(let pattern): query = "?" + (text(pattern) ?? "")
        case .items(let items):
            let pairs = items.map { String(decoding: $0.name, as: UTF8.self) + "=" + (text($0.pattern) ?? "") }
            query = "?" + pairs.joined(separator: "&")
        }
        return "https://example.com/\(path)\(query)#\(fragment)"
    }
}
