import SeededRandom
import Testing

@testable import Navigation

/// The index finds what comparing every two rules finds.
struct CoverageIndexTests {
    private static let paths = [
        "*", "/a", "/a/*", "/a/b", "/a/?", "/a/b/*", "*b*", "/*/b", "?", "??", "/buy/*/x", "*.html", "/a*", "$(lang)",
        "/$(lang)/*", "/aa/aa", "a/?*",
    ]
    private static let extras = [
        "", #","?":"a=1""#, #","?":"*""#, #","?":{"a":"?*"}"#, #","?":{"a":"1"}"#, #","?":{"a":"*1*"}"#,
        ##","#":"x*""##,
        ##","#":"?*""##, #","exclude":true"#, #","caseSensitive":false"#,
    ]

    @Test func `the first rule that covers another is found as by comparing all`() throws {
        var generator = SeededGenerator(seed: 5)
        var found = 0
        for _ in 0..<300 {
            let components = (0..<12).map { _ in
                let path = Self.paths.randomElement(using: &generator) ?? ""
                return #"{"/":"\#(path)"\#(Self.extras.randomElement(using: &generator) ?? "")}"#
            }
            let rules = try AssociationFile.claims(component: components.joined(separator: ",")).rules
            var index = CoverageIndex(rules)
            for position in rules.indices {
                let naive = rules[..<position].first { $0.covers(rules[position]) }
                let covering = index.takeCovering(of: position)
                // Which of several rules covers it may differ where one of them is covered itself.
                #expect((covering == nil) == (naive == nil), "\(components[position]) of \(components)")
                if covering != nil { found += 1 }
            }
            #expect(index.isComplete)
        }
        #expect(found > 500)
    }

    @Test(arguments: ["/page%/*", "*a%*", "/%/?*/x", "*%", "$(lang)/%"])
    func `a file as large as iOS takes is compared in no time`(pattern: String) throws {
        var components: [String] = []
        var byteCount = 100
        while true {
            let component = #"{"/":"\#(pattern.replacing("%", with: String(components.count + 1_000)))"}"#
            byteCount += component.utf8.count + 1
            guard byteCount < AssociationFile.byteCountMax else { break }
            components.append(component)
        }
        let rules = try AssociationFile.claims(component: components.joined(separator: ",")).rules
        #expect(rules.count > 4_000)
        var index = CoverageIndex(rules)
        let duration = ContinuousClock().measure {
            for position in rules.indices { _ = index.takeCovering(of: position) }
        }
        #expect(index.isComplete)
        // The bound holds for unoptimised code on a busy machine; optimised code takes a twentieth.
        #expect(duration < .seconds(20))
    }

    @Test func `what cannot be told apart by its text is compared up to a limit, which is told`() throws {
        // Nine variables in every order of five: none covers another, and there is no literal text.
        let names = ["alpha", "upper", "lower", "alnum", "digit", "xdigit", "region", "lang", "x"]
        var components: [String] = []
        for number in 0..<2_000 {
            var rest = number
            var path = ""
            for _ in 0..<5 {
                path += "$(\(names[rest % 9]))"
                rest /= 9
            }
            components.append(#"{"/":"\#(path)"}"#)
        }
        let file = try AssociationFile.read(
            #"{"applinks":{"substitutionVariables":{"x":["x"]},"details":[{"appID":"A.app","components":["#
                + components.joined(separator: ",") + "]}]}}")
        let rules = file.claims(of: "A.app").rules
        var index = CoverageIndex(rules)
        for position in rules.indices { #expect(index.takeCovering(of: position) == nil) }
        #expect(!index.isComplete)
    }
}
