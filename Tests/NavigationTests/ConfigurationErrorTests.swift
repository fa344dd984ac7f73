import Navigation
import Testing

/// Every error of a configuration, with its place.
@Suite struct ConfigurationErrorTests {
    @Test(arguments: [
        "", "# nothing\n", "---\n", "{}", "null", "stores:\nentities:\nactivities: ~\nlinks:\nreplyTo:\n",
    ])
    func `an empty file, section or key counts as absent`(yaml: String) {
        #expect(errors(yaml) == [])
    }

    @Test func `JSON is YAML`() {
        #expect(
            errors(
                #"{"activities": [{"activityType": "t", "title": "\u00e9", "command": "c", "arguments": {"a": [1, null]}}]}"#
            ) == [])
    }

    @Test func `a character beyond U+FFFF may be written in two halves, as JSON's writers do`() throws {
        let json =
            #"{"activities":[{"activityType":"t","command":"c","arguments":{"x":"\ud83d\ude00 \\\ud83d\ude00 \\ud83d"}}]}"#
        let scene = try Scene(json)
        let answer = try scene.answer(#"{"activityType":"t"}"#)
        #expect(answer.contains(#"{"x":"😀 \\😀 \\ud83d"}"#), "\(answer)")
        #expect(errors(#"{"activities":[{"activityType":"\ud83d","command":"c"}]}"#).count == 1)
    }

    @Test(arguments: [
        // The file.
        ("- a", "1:1: The configuration must be a mapping of keys to values; it is a list."),
        ("text", "1:1: The configuration must be a mapping of keys to values; it is text."),
        ("{}\n---\n{}", "2:1: The file holds several documents (---); a configuration is one."),
        ("entites: {}", "1:1: The configuration has no key entites; did you mean entities?"),
        (
            "colour: red",
            "1:1: The configuration has no key colour; known keys are stores, storeAliases, entities, searchResults, activities, links, replyTo, apps, default."
        ),
        ("replyTo: [a]\nreplyTo: [b]", "2:1: The key replyTo is here twice; the first is in line 1."),
        ("entities: &a {}", "1:11: The anchor &a is not allowed in a configuration; write the value where it is used."),
        ("entities: *a", "1:11: The alias *a is not allowed in a configuration; write the value itself."),
        (
            "entities: !!set {}",
            "1:11: The tag tag:yaml.org,2002:set is not allowed; write the value as what it is, text in quotes."
        ),
        (
            "replyTo: [!!str 5]",
            "1:11: The tag tag:yaml.org,2002:str is not allowed; write the value as what it is, text in quotes."
        ),
        ("replyTo: [! 5]", "1:11: The tag ! is not allowed; write the value as what it is, text in quotes."),
        ("? [a]\n: b", "1:3: A key must be a single word or text, not a list or a mapping."),
        // Stores.
        ("stores: coredata:a", "1:9: The section stores must be a list; it is text."),
        ("stores: [5]", "1:10: A store must be a URL or a mapping with the keys url and model; it is a number."),
        (
            "stores: [a.sqlite]",
            "1:10: A store is written with its kind: coredata:FILE, sqlite:FILE or postgresql://USER@HOST/DB."
        ),
        ("stores: ['cordata:a']", "1:10: There are no stores of the kind cordata; did you mean coredata?"),
        (
            "stores: ['mysql:a']",
            "1:10: There are no stores of the kind mysql; kinds are coredata, sqlite and postgresql."
        ),
        ("stores: ['coredata:']", "1:10: A store of this kind is written coredata:FILE."),
        ("stores: ['postgresql:db']", "1:10: A store of this kind is written postgresql://USER@HOST/DB."),
        ("stores: [{model: m}]", "1:10: The key url is missing; a store is {url: URL, model: MODEL}."),
        ("stores: [{url: 'sqlite:a', model: m}]", "1:28: Only a coredata store takes a model; remove the key model."),
        ("stores: [{url: 'coredata:a', modle: m}]", "1:30: A store has no key modle; did you mean model?"),
        ("stores: ['coredata:a', 'coredata:a']", "1:24: The store coredata:a is named twice."),
        ("storeAliases: {A: A}", "1:16: The store A is an alias of itself; remove this line."),
        (
            "storeAliases: {A: 5}",
            "1:19: The current identifier of a store must be text; it is a number; put it in quotes."
        ),
        // Rules.
        ("activities: {}", "1:13: The section activities must be a list; it is a mapping of keys to values."),
        (
            "activities:\n  - title: x\n    command: c",
            "2:5: The key activityType is missing; every activity rule has one."
        ),
        ("activities: [{activityType: t}]", "1:14: The rule does nothing; name a command, or say what to open."),
        (
            "activities: [{activityType: t, comand: c}]",
            "1:32: An activity rule has no key comand; did you mean command?"
        ),
        ("activities: [{activityType: '', command: c}]", "1:29: The value of activityType must not be empty."),
        (
            "activities: [{activityType: t, title: 2012, command: c}]",
            "1:39: The value of title must be text; it is a number; put it in quotes."
        ),
        (
            "activities: [{activityType: t, title: [a], command: c}]",
            "1:39: The value of title must be text; it is a list."
        ),
        (
            "activities: [{activityType: t, command: c, arguments: [a]}]",
            "1:55: The value of arguments must be a mapping of names to values; it is a list."
        ),
        (
            "activities: [{activityType: t, command: c, open: {object: $title}}]",
            "1:32: A rule either names a command or says open; with open, command is that of the object's entity."
        ),
        (
            "activities: [{activityType: t, arguments: {}, open: {object: $title}}]",
            "1:32: A rule either names a command or says open; with open, arguments is that of the object's entity."
        ),
        (
            "activities: [{activityType: t, open: {}}]",
            "1:38: open lacks entity and predicate; it takes entity and predicate, or object (a URI)."
        ),
        (
            "activities: [{activityType: t, open: {entity: E}}]",
            "1:38: open lacks predicate; it takes entity and predicate, or object (a URI)."
        ),
        (
            "activities: [{activityType: t, open: {entity: E, object: $title}}]",
            "1:39: open takes either entity and predicate, or object; remove entity or object."
        ),
        (
            "searchResults: [{command: c}]",
            "1:17: The key identifier is missing; it says which identifiers the rule takes."
        ),
        (
            "entities: {E: {open: {object: $title}}}",
            "1:16: An entity's rule names a command; open stands in the other rules and leads here."
        ),
        ("entities: {E: }", "1:12: The rule does nothing; name a command."),
        ("entities: {a/b: {command: c}}", "1:12: An entity's name is not empty and holds no /."),
        // Patterns.
        (
            "activities: [{activityType: t, title: $a$b, command: c}]",
            "1:41: The captures $a and $b stand side by side; text between them must say where one ends."
        ),
        (
            "activities: [{activityType: t, title: $a-$a, command: c}]",
            "1:42: The rule captures $a twice; give one of the two another name."
        ),
        (
            "activities: [{activityType: t, title: $a, persistentIdentifier: $a, command: c}]",
            "1:65: The rule captures $a twice; give one of the two another name."
        ),
        (
            "activities: [{activityType: t, title: 'a ${b', command: c}]",
            "1:42: A variable in braces is not closed: a } is missing after ${."
        ),
        (
            "activities: [{activityType: t, title: 'a ${}', command: c}]",
            "1:42: The braces of ${} hold no variable's name."
        ),
        (
            "activities: [{activityType: t, title: a $ b, command: c}]",
            "1:41: A $ without a name after it; write $$ for a dollar sign, or $name for a variable."
        ),
        // Variables.
        (
            "activities: [{activityType: t, command: c, arguments: {a: $titel}}]",
            "1:59: There is no variable $titel here; did you mean $title?"
        ),
        (
            "activities: [{activityType: t, command: c, arguments: {a: $userinfo.k}}]",
            "1:59: There is no variable $userinfo.k here; did you mean $userInfo.k?"
        ),
        (
            "activities: [{activityType: t, title: x$hair, command: c, arguments: {a: $hiar}}]",
            "1:74: There is no variable $hiar here; did you mean $hair?"
        ),
        (
            "activities: [{activityType: t, command: c, arguments: {a: $userInfo}}]",
            "1:59: $userInfo needs a name: write $userInfo.NAME."
        ),
        (
            "activities: [{activityType: t, command: c, arguments: {a: [b $object.name]}}]",
            "1:62: $object is known only under entities."
        ),
        (
            "entities: {E: {command: c, arguments: {a: $object}}}",
            "1:43: $object needs an attribute: write $object.ATTRIBUTE."
        ),
        (
            "activities: [{activityType: t, command: c, arguments: {a: .inf}}]",
            "1:59: JSON has no infinite numbers and no NaN; write another value."
        ),
        (
            "activities: [{activityType: t, command: c, arguments: {a: 18446744073709551616}}]",
            "1:59: The whole number is beyond 64 bits and would lose digits; put it in quotes as text, or write it with a point or an exponent."
        ),
        (
            "activities: [{activityType: t, command: c, arguments: {a: [1, -9223372036854775809]}}]",
            "1:63: The whole number is beyond 64 bits and would lose digits; put it in quotes as text, or write it with a point or an exponent."
        ),
        (
            "activities: [{activityType: t, command: c, arguments: {a: 0x1FFFFFFFFFFFFFFFF}}]",
            "1:59: The whole number is beyond 64 bits and would lose digits; put it in quotes as text, or write it with a point or an exponent."
        ),
        (
            "activities: [{activityType: t, title: 18446744073709551616, command: c}]",
            "1:39: The value of title must be text; it is a number; put it in quotes."
        ),
        // Predicates.
        (
            #"activities: [{activityType: t, open: {entity: E, predicate: "name == $nam"}}]"#,
            "1:70: There is no variable $nam here; captured names, $title, $activityType, $webpageURL, $persistentIdentifier, $targetContentIdentifier, $userInfo.KEY and $query.NAME are known."
        ),
        (
            #"activities: [{activityType: t, open: {entity: E, predicate: "name CONTAINS $title"}}]"#,
            "1:67: CONTAINS is not supported in a predicate; only == (or =), alone or with [c], [d] or [cd], is."
        ),
        // Not yet.
        (
            "apps: {a: b}",
            "1:1: The section apps belongs into the file that names the apps' files; an app's own file has no apps."
        ),
        ("replyTo: a", "1:10: The value of replyTo must be a list; it is text."),
        ("replyTo: ['']", "1:11: The name of a queue must not be empty."),
    ])
    func `each mistake is named with its place`(yaml: String, error: String) {
        #expect(errors(yaml) == [error])
    }

    @Test func `the place is that of the message in several lines and in quotes`() {
        let yaml = """
            activities:
              - activityType: t
                title: "Book with $a$b"
                command: c
                arguments:
                  text: >
                    folded
                    $nobody
            """
        #expect(errors(yaml).map { $0.prefix { $0 != " " } } == ["3:25:", "6:13:"])
    }

    @Test func `several mistakes are reported together, in the order of the file`() {
        let found = errors("replyTo: 5\nstores: [x]\nactivities:\n  - {activityType: t}\n  - {command: c, title: 1}\n")
        #expect(found.map { $0.prefix { $0 != " " } } == ["1:10:", "2:10:", "4:5:", "5:5:", "5:25:"])
    }

    @Test func `an error is printed with its file`() {
        do {
            _ = try Configuration(Array("a: b".utf8), file: "conf/deeplinks.yaml")
            Issue.record("it was taken")
        } catch {
            #expect(error.description.hasPrefix("conf/deeplinks.yaml:1:1: The configuration has no key a"))
        }
    }

    @Test func `paths are relative to the configuration's folder`() throws {
        let yaml = """
            stores:
              - coredata:data/a.sqlite
              - coredata:/absolute/b.sqlite
              - {url: "coredata:../c d.sqlite", model: m.xcdatamodeld}
              - sqlite:x.db
              - postgresql://user@host/db
            """
        let stores = try Configuration(Array(yaml.utf8), file: "conf/deeplinks.yaml").stores
        #expect(
            stores.map(\.path) == ["conf/data/a.sqlite", "/absolute/b.sqlite", "conf/../c d.sqlite", "conf/x.db", nil])
        #expect(stores.map(\.model) == [nil, nil, "conf/m.xcdatamodeld", nil, nil])
        #expect(stores.map(\.kind) == [.coreData, .coreData, .coreData, .sqlite, .postgreSQL])
        #expect(stores.map(\.line) == [2, 3, 4, 5, 6])
        #expect(stores[3].error("It is missing.").description == "conf/deeplinks.yaml:5:5: It is missing.")
    }

    @Test func `bytes that are not YAML are an error with a place`() {
        #expect(errors("activities: [{a: b\n").first?.contains("The file is not YAML") == true)
        #expect(errors("a: \u{1}").first?.hasPrefix("1:") == true)
        let invalid: [UInt8] = Array("replyTo:\n - ab".utf8) + [0xFF, 0xFE]
        do {
            _ = try Configuration(invalid, file: "f")
            Issue.record("it was taken")
        } catch {
            #expect(error.description.hasPrefix("f:2:6: The file is not UTF-8 text"))
        }
    }

    @Test func `size and depth have limits`() {
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        #expect(errors("entities: \(deep)").first?.contains("nest deeper than 32") == true)
        #expect(errors("# " + String(repeating: "x", count: 1 << 20)) == ["1:1: The file is larger than 1024 KiB."])
    }
}
