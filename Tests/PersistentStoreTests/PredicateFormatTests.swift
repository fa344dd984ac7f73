import PersistentStore
import Testing

@Suite struct PredicateFormatTests {
    private typealias Comparison = PredicateFormat.Comparison

    @Test(
        arguments: [
            ("name == $title", PredicateFormat.Operand.variable("title")),
            ("name=$userInfo.movie", .variable("userInfo.movie")),
            ("name == ${any text}", .variable("any text")),
            (#"name == "Alien""#, .literal(.string("Alien"))),
            (#"name == 'It\'s "1\\2"'"#, .literal(.string(#"It's "1\2""#))),
            (#"name == "$title""#, .literal(.string("$title"))),
            (#"name == "\u00e9\n""#, .literal(.string("é\n"))),
            ("name == 12", .literal(.integer(12))),
            ("name == -3", .literal(.integer(-3))),
            ("name == 0.5", .literal(.number(0.5))),
            ("name == 1e3", .literal(.number(1000))),
            ("name == 9223372036854775808", .literal(.number(9223372036854775808))),
            ("name == true", .literal(.boolean(true))),
            ("name == YES", .literal(.boolean(true))),
            ("name == no", .literal(.boolean(false))),
            ("name == FALSE", .literal(.boolean(false))),
            ("name == nil", .literal(.null)),
            ("name == NULL", .literal(.null)),
        ] as [(String, PredicateFormat.Operand)])
    func `each kind of value is read`(text: String, operand: PredicateFormat.Operand) throws {
        let comparisons = try PredicateFormat(text).comparisons
        #expect(comparisons.map(\.operand) == [operand])
        #expect(comparisons.map(\.comparison) == [.init(attribute: "name")])
    }

    @Test(arguments: [
        ("n == 1", false, false), ("n = 1", false, false), ("n ==[c] 1", true, false), ("n =[d] 1", false, true),
        ("n ==[cd] 1", true, true), ("n ==[dc]1", true, true), ("n==[CD]1", true, true),
        ("  n  ==  [c]  1  ", true, false),
    ])
    func `each operator is read`(text: String, ignoresCase: Bool, ignoresDiacritics: Bool) throws {
        let comparison = try PredicateFormat(text).comparisons[0].comparison
        #expect(comparison.ignoresCase == ignoresCase)
        #expect(comparison.ignoresDiacritics == ignoresDiacritics)
    }

    @Test(arguments: [
        "a == 1 AND b == $x", "a==1 and b==$x", "a == 1 && b == $x", "a == 1&&b == $x", "a == 1 And\nb == $x",
    ])
    func `comparisons are joined`(text: String) throws {
        let format = try PredicateFormat(text)
        #expect(format.comparisons.map(\.operand) == [.literal(.integer(1)), .variable("x")])
        #expect(
            format.predicate(entity: "E")
                == Predicate(entity: "E", comparisons: [.init(attribute: "a"), .init(attribute: "b")]))
    }

    @Test func `places count Unicode scalars`() throws {
        let comparisons = try PredicateFormat("naïve == '🎬é' AND größe_2 == $x").comparisons
        #expect(comparisons.map(\.attributeOffset) == [0, 18])
        #expect(comparisons.map(\.operandOffset) == [9, 29])
        #expect(comparisons[1].comparison.attribute == "größe_2")
    }

    @Test(arguments: [
        (
            "", 0,
            "The end of the predicate stands where the name of an attribute must; a predicate is ATTRIBUTE == VALUE, joined by AND."
        ),
        (
            "$x == 1", 0,
            "The character $ stands where the name of an attribute must; a predicate is ATTRIBUTE == VALUE, joined by AND."
        ),
        ("name", 4, "The end of the predicate stands where == must; a predicate is ATTRIBUTE == VALUE, joined by AND."),
        (
            "name ==", 7,
            "The end of the predicate stands where a value must: a $variable, a quoted string, a number, true, false or nil."
        ),
        ("name != 1", 5, "!= is not supported in a predicate; only == (or =), alone or with [c], [d] or [cd], is."),
        ("name >= 1", 5, ">= is not supported in a predicate; only == (or =), alone or with [c], [d] or [cd], is."),
        (
            "name BEGINSWITH[c] 'a'", 5,
            "BEGINSWITH is not supported in a predicate; only == (or =), alone or with [c], [d] or [cd], is."
        ),
        ("name IN $x", 5, "IN is not supported in a predicate; only == (or =), alone or with [c], [d] or [cd], is."),
        (
            "NOT name == 1", 0,
            "NOT is not supported in a predicate; only == (or =), alone or with [c], [d] or [cd], is."
        ),
        (
            "ANY movies.name == 1", 0,
            "ANY is not supported in a predicate; only == (or =), alone or with [c], [d] or [cd], is."
        ),
        (
            "director.name == 1", 0,
            "Key paths are not supported in a predicate; compare an attribute of the entity itself."
        ),
        ("a == 1 OR b == 2", 7, "OR is not supported in a predicate; write one rule for each alternative."),
        ("a == 1 || b == 2", 7, "OR is not supported in a predicate; write one rule for each alternative."),
        (
            "(a == 1)", 0,
            "Parentheses are not supported in a predicate; a predicate is ATTRIBUTE == VALUE, joined by AND."
        ),
        (
            "a == 1)", 6,
            "Parentheses are not supported in a predicate; a predicate is ATTRIBUTE == VALUE, joined by AND."
        ),
        ("a ==[n] 1", 4, "The options of == can be [c], [d] or [cd], nothing else."),
        ("a ==[cc] 1", 4, "The options of == can be [c], [d] or [cd], nothing else."),
        ("a == %@", 5, "Placeholders are not supported; write the value or a $variable."),
        (
            "a == b", 5,
            "b is not a value; write text in quotes, or $b for a variable. Two attributes cannot be compared with one another."
        ),
        ("a == 'x", 5, "The string that begins here is not closed: its second ' is missing."),
        (#"a == 'x\q'"#, 7, #"\q is not an escape; those are \\, \", \', \n, \t, \r, \u and four hexadecimal digits."#),
        (#"a == '\ud800'"#, 6, "This escape needs 4 hexadecimal digits that are the code of a character."),
        ("a == 1x", 5, "1x is not a number; write digits, for example 12, -3 or 0.5."),
        ("a == 0x1F", 5, "0x1F is not a number; write digits, for example 12, -3 or 0.5."),
        ("a == -", 5, "- is not a number; write digits, for example 12, -3 or 0.5."),
        ("a == 1e999", 5, "1e999 is not a number; write digits, for example 12, -3 or 0.5."),
        ("a == $", 5, "A $ without a name after it; write $$ for a dollar sign, or $name for a variable."),
        ("a == $$", 5, "$$ is not a value; text with a dollar sign stands in quotes."),
        ("a == ${x", 5, "A variable in braces is not closed: a } is missing after ${."),
        ("a == 1 b == 2", 7, "b stands where the predicate must end or go on with AND."),
        (
            "a == 1 AND", 10,
            "The end of the predicate stands where the name of an attribute must; a predicate is ATTRIBUTE == VALUE, joined by AND."
        ),
    ])
    func `each mistake is named with its place`(text: String, offset: Int, sentence: String) {
        #expect(throws: FormatError(offset: offset, sentence)) { try PredicateFormat(text) }
    }

    @Test func `no text makes the reader crash`() {
        let pieces = [
            "a", "==", "=", "[c]", "[", "'", "\"", "\\", "$", "${", "}", "AND", "&&", "1", "-", ".", "(", "!",
            "\u{301}", " ", "nil", "\\u12",
        ]
        // A linear congruential generator, so that a failure can be had again.
        var state: UInt64 = 1
        func next(below count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % count
        }
        for _ in 0..<20_000 {
            let text = (0...next(below: 8)).map { _ in pieces[next(below: pieces.count)] }.joined()
            do {
                let format = try PredicateFormat(text)
                #expect(!format.comparisons.isEmpty, "\(text)")
            } catch {
                #expect((0...text.unicodeScalars.count).contains(error.offset), "\(text)")
            }
        }
    }
}
