import Navigation
import Testing

/// Patterns of titles and identifiers, seen through a rule that answers with its captures.
@Suite struct PatternTests {
    /// What a pattern with the captures `$a` and `$b` takes of a text; nil where it does not match.
    private func captures(_ pattern: String, _ text: String) throws -> [String]? {
        let quoted = pattern.replacing("'", with: "''")
        let names = ["a", "b"].filter { pattern.contains("$\($0)") || pattern.contains("${\($0)}") }
        let arguments = names.map { "\($0): ${\($0)}" }.map { $0.replacing("${", with: "\"${") + "\"" }
        let scene = try Scene(
            "activities: [{activityType: t, title: '\(quoted)', command: c, arguments: {\(arguments.joined(separator: ", "))}}]",
            stores: [])
        let escaped = text.unicodeScalars.map {
            $0.isASCII && $0.value < 0x20 ? "\\u000\(String($0.value, radix: 16))" : String($0)
        }
        let command = try scene.command(#"{"activityType":"t","title":"\#(escaped.joined())"}"#)
        guard case .handled(_, let json) = command.disposition else { return nil }
        let text = String(decoding: json, as: UTF8.self)
        // The arguments are {"a":"…","b":"…"}; the texts of these tests hold no quotes.
        let strings = text.split(separator: "\"").map(String.init)
        return names.isEmpty
            ? []
            : names.compactMap { name in
                strings.firstIndex(of: name).map { strings[$0 + 2] }
            }
    }

    @Test(arguments: [
        ("Movies", "Movies", [String]?([])),
        ("Movies", "movies", nil),
        ("Movies", "Movies ", nil),
        ("", "", []),
        ("", "x", nil),
        ("$a", "x", ["x"]),
        ("$a", "", nil),
        ("movie-$a", "movie-12", ["12"]),
        ("movie-$a", "movie-", nil),
        ("movie-$a", "Movie-12", nil),
        ("$a-movie", "12-movie", ["12"]),
        ("$a-movie", "-movie", nil),
        ("$a-movie", "1-movie-movie", ["1-movie"]),
        ("$a for $b", "Anna for Friday", ["Anna", "Friday"]),
        ("$a for $b", "x for for y", ["x", "for y"]),
        ("$a for $b", " for  for ", nil),
        ("$a for $b", " for   for  ", [" for  ", " "]),
        ("$a for $b", "x for ", nil),
        ("$a, $b.", "1, 2, 3.", ["1", "2, 3"]),
        ("cost $$$a", "cost $5", ["5"]),
        ("${a}b$b", "xbby", ["x", "by"]),
        ("a$a", "aa", ["a"]),
        ("ab$a", "ab", nil),
        ("x$a", "xx", ["x"]),
        ("aa${a}aa", "aaaa", nil),
        ("aa${a}aa", "aaaaa", ["a"]),
    ])
    func `literal text and captures match whole texts`(pattern: String, text: String, found: [String]?) throws {
        #expect(try captures(pattern, text) == found)
    }

    @Test(arguments: [
        ("Amélie", "Ame\u{301}lie", [String]?([])),
        ("Ame\u{301}lie", "Amélie", []),
        ("Amélie", "Amelie", nil),
        ("für $a", "fu\u{308}r Zoe\u{308}", ["Zoe\u{308}"]),
        ("e$a", "e\u{301}x", nil),
        ("$a\u{301}", "e\u{301}", nil),
        ("${a}e", "xe\u{301}", nil),
        ("👩$a", "👩‍👧x", nil),
        ("$a👧", "👩‍👧", nil),
        ("$a🎬", "👨‍👩‍👧‍👦🎬", ["👨‍👩‍👧‍👦"]),
        ("$a 🇫🇷", "🇩🇪 🇫🇷", ["🇩🇪"]),
        ("🇩$a", "🇩🇪x", nil),
        ("פגישה עם $a", "פגישה עם דנה", ["דנה"]),
        ("موعد مع $a في $b", "موعد مع ليلى في الجمعة", ["ليلى", "الجمعة"]),
        ("한$a", "\u{1112}\u{1161}\u{11AB}국", ["국"]),
        ("K$a", "\u{212A}x", ["x"]),
        ("ﬁ$a", "fix", nil),
        ("ß", "SS", nil),
    ])
    func `texts compare under canonical equivalence and between graphemes`(
        pattern: String, text: String, found: [String]?
    ) throws {
        #expect(try captures(pattern, text) == found)
    }

    @Test func `a line break of two bytes is one character`() throws {
        let scene = try Scene(
            #"activities: [{activityType: t, title: "a\r${x}", command: c}, {activityType: t, title: "a$x", command: d}]"#,
            stores: [])
        let command = try scene.command(#"{"activityType":"t","title":"a\r\nb"}"#)
        #expect(command.rule == "activities[1]")
    }

    @Test(.timeLimit(.minutes(1)), arguments: ["a", "é"])
    func `a hostile text takes linear time`(letter: String) throws {
        let run = String(repeating: letter, count: 400)
        let pattern = "${a}\(run)b${b}\(run)c"
        let scene = try Scene("activities: [{activityType: t, title: '\(pattern)', command: c}]", stores: [])
        let text = String(repeating: letter, count: 200_000 / letter.utf8.count)
        #expect(try scene.command(#"{"activityType":"t","title":"\#(text)"}"#).reason == .activityNotRouted)
        #expect(try scene.command(#"{"activityType":"t","title":"\#(text)b\#(text)c"}"#).isHandled)
    }

    @Test func `conditions beside the title must all hold`() throws {
        let scene = try Scene(
            """
            activities:
              - activityType: t
                userInfo: {kind: appointment, user.id: "u$id"}
                persistentIdentifier: $person-$day
                command: book
                arguments: {id: $id, person: $person, day: $day}
              - {activityType: t, targetContentIdentifier: movie/$m, command: target, arguments: {m: $m}}
              - {activityType: t, contextIdentifierPath: [maths, $chapter, exercise-$n], command: classKit, arguments: [n]}
            """.replacing("arguments: [n]", with: "arguments: {c: $chapter, n: $n}"), stores: [])
        #expect(
            try scene.answer(
                #"{"activityType":"t","userInfo":{"kind":"appointment","user":{"id":"u7"}},"persistentIdentifier":"Zoë-Fri"}"#
            ).contains(#""arguments":{"day":"Fri","id":"7","person":"Zoë"},"command":"book""#))
        #expect(
            try scene.command(
                #"{"activityType":"t","userInfo":{"kind":"other","user.id":"u7"},"persistentIdentifier":"a-b"}"#
            )
            .reason == .activityNotRouted)
        #expect(
            try scene.answer(#"{"activityType":"t","targetContentIdentifier":"movie/12"}"#)
                .contains(#""arguments":{"m":"12"}"#))
        #expect(
            try scene.answer(#"{"activityType":"t","contextIdentifierPath":["maths","2","exercise-9"]}"#)
                .contains(#""arguments":{"c":"2","n":"9"}"#))
        #expect(
            try scene.command(#"{"activityType":"t","contextIdentifierPath":["maths","2"]}"#).reason
                == .activityNotRouted)
    }

    @Test func `a condition on userInfo meets numbers and Booleans as they are written`() throws {
        let scene = try Scene(
            "activities: [{activityType: t, userInfo: {n: '7', b: 'true'}, command: c}]", stores: [])
        #expect(try scene.command(#"{"activityType":"t","userInfo":{"n":7,"b":true}}"#).isHandled)
        #expect(try scene.command(#"{"activityType":"t","userInfo":{"n":7.5,"b":true}}"#).reason == .activityNotRouted)
        #expect(try scene.command(#"{"activityType":"t","userInfo":{"n":[7],"b":null}}"#).reason == .activityNotRouted)
    }
}
