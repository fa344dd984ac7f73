import Navigation
import PersistentStore
import Testing

import struct FoundationEssentials.UUID

/// Templates, seen through the arguments of commands.
@Suite struct TemplateTests {
    static let activity = #"""
        {"activityType":"t","title":"The \"title\"","persistentIdentifier":"pid","targetContentIdentifier":"tid",
         "webpageURL":"https://a.example/p?q=a%20b+c&q=2&empty&%C3%A9=%2541&bad=%FF%41#q=no",
         "userInfo":{"s":"text","n":7,"d":2.0,"big":18446744073709551615,"f":0.1,"t":true,"z":null,
                     "list":[1,{"b":null,"a":"x"}],"o":{"k":1},"a.b":"dotted","a":{"b":"deep","c.d":{"e":"deeper"}},
                     "x":{"y":{"z":"xyz"}},"x.y":5}}
        """#

    private func arguments(_ template: String) throws -> String? {
        let scene = try Scene("activities: [{activityType: t, command: c, arguments: \(template)}]", stores: [])
        guard case .handled(_, let json) = try scene.command(Self.activity).disposition else { return nil }
        return String(decoding: json, as: UTF8.self)
    }

    @Test(arguments: [
        ("{v: $title}", #"{"v":"The \"title\""}"#),
        ("{v: $activityType}", #"{"v":"t"}"#),
        ("{v: $persistentIdentifier/$targetContentIdentifier}", #"{"v":"pid/tid"}"#),
        ("{v: $userInfo.n}", #"{"v":7}"#),
        ("{v: '${userInfo.n}'}", #"{"v":7}"#),
        ("{v: $userInfo.d}", #"{"v":2}"#),
        ("{v: $userInfo.big}", #"{"v":18446744073709551615}"#),
        ("{v: $userInfo.f}", #"{"v":0.1}"#),
        ("{v: $userInfo.t}", #"{"v":true}"#),
        ("{v: $userInfo.list}", #"{"v":[1,{"a":"x","b":null}]}"#),
        ("{v: n=$userInfo.n f=$userInfo.f t=$userInfo.t}", #"{"v":"n=7 f=0.1 t=true"}"#),
        ("{v: '<$userInfo.list>'}", #"{"v":"<[1,{\"a\":\"x\",\"b\":null}]>"}"#),
        ("{v: $userInfo.s.}", #"{"v":"text."}"#),
        ("{v: '${userInfo.s}x'}", #"{"v":"textx"}"#),
        ("{v: $userInfo.a.b}", #"{"v":"dotted"}"#),
        ("{v: $userInfo.a.c.d.e}", #"{"v":"deeper"}"#),
        ("{v: $userInfo.x.y.z}", #"{"v":"xyz"}"#),
        ("{v: $query.q}", #"{"v":"a b+c"}"#),
        ("{v: $query.empty}", #"{"v":""}"#),
        ("{v: '${query.é}'}", #"{"v":"%41"}"#),
        ("{v: $query.bad}", #"{"v":"%FF%41"}"#),
        ("{v: costs $$5}", #"{"v":"costs $5"}"#),
        ("{v: $$title}", #"{"v":"$title"}"#),
        ("{v: $$$title}", #"{"v":"$The \"title\""}"#),
        ("{}", "{}"),
        (
            "{z: 1, a: 2.50, é: null, B: [true, ~, {y: x, w: .5}]}",
            #"{"B":[true,null,{"w":0.5,"y":"x"}],"a":2.5,"z":1,"é":null}"#
        ),
        (
            "{a: 9223372036854775807, b: 9223372036854775808, c: 18446744073709551615, d: -9223372036854775808}",
            #"{"a":9223372036854775807,"b":9223372036854775808,"c":18446744073709551615,"d":-9223372036854775808}"#
        ),
        (
            "{a: 0xFFFFFFFFFFFFFFFF, b: 18446744073709551616.0, c: '18446744073709551616', d: +5, e: 1e20}",
            #"{"a":18446744073709551615,"b":1.8446744073709552e19,"c":"18446744073709551616","d":5,"e":1e20}"#
        ),
        ("{o: {p: [$userInfo.n, x$userInfo.n], q: null}}", #"{"o":{"p":[7,"x7"],"q":null}}"#),
        (
            "{yes: yes, on: on, n: 0x1F, o: 0o17, e: 1e3, t: 'true', v: 1.0.0}",
            #"{"e":1000,"n":31,"o":15,"on":"on","t":"true","v":"1.0.0","yes":"yes"}"#
        ),
    ])
    func `arguments are filled in`(template: String, json: String) throws {
        #expect(try arguments(template) == json)
    }

    @Test(arguments: [
        "{v: $userInfo.z}", "{v: $userInfo.absent}", "{v: x$userInfo.absent}", "{o: {p: [$userInfo.z]}}",
        "{v: $userInfo.list.0}", "{v: $userInfo.o.k.l}", "{v: $query.none}", "{v: $userInfo.n.x}",
    ])
    func `a value that is absent or null is missing`(template: String) throws {
        #expect(try arguments(template) == nil)
    }

    @Test func `an unusable web page has no value and no query`() throws {
        for variable in ["$webpageURL", "$query.q"] {
            let scene = try Scene(
                "activities: [{activityType: t, command: c, arguments: {v: \(variable)}}]", stores: [])
            #expect(try scene.command(#"{"activityType":"t","webpageURL":"ftp://x.y/?q=1"}"#).reason == .missingValue)
        }
    }

    @Test func `a capture hides an equal name, also a dotted one`() throws {
        let scene = try Scene(
            """
            activities:
              - {activityType: t, title: "by $title on $userInfo.n", command: c, arguments: {a: $title, b: $userInfo.n}}
            """, stores: [])
        #expect(
            try scene.answer(#"{"activityType":"t","title":"by Ridley on Monday","userInfo":{"n":7}}"#)
                .contains(#"{"a":"Ridley","b":"Monday"}"#))
    }

    @Test(
        arguments: [
            (AttributeValue.string("Alien"), #""Alien""#),
            (.integer(7), "7"), (.number(2), "2"), (.number(0.1), "0.1"), (.number(1e300), "1e300"),
            (.boolean(false), "false"),
            (.date(0), #""2001-01-01T00:00:00Z""#), (.date(0.5), #""2001-01-01T00:00:00.500Z""#),
            (
                .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255))),
                #""01020304-0506-0708-090A-0B0C0D0E0FFF""#
            ),
            (.binary([0xFB, 0xFF, 1]), #""+/8B""#),
            (.object(ObjectURI(store: "S", entity: "Movie", primaryKey: 1)), #""x-coredata://S/Movie/p1""#),
            (.null, nil), (.number(.nan), nil), (.number(.infinity), nil), (.date(.nan), nil),
            (.externalDataMissing("f"), nil),
        ] as [(AttributeValue, String?)])
    func `attributes have their JSON form`(value: AttributeValue, json: String?) throws {
        let store = FamilyMovies.makeStore()
        store.rows = [.init(entity: "Movie", key: 1, values: ["name": value])]
        let scene = try Scene(
            "entities: {Movie: {command: c, arguments: {v: $object.name, w: '${object.name}'}}}", stores: [store])
        let command = try scene.command(searchResult("x-coredata://\(FamilyMovies.store)/Movie/p1"))
        guard let json else {
            #expect(command.reason == .missingValue)
            return
        }
        #expect(command.disposition == .handled(command: "c", arguments: Array(#"{"v":\#(json),"w":\#(json)}"#.utf8)))
    }

    @Test(arguments: [
        (AttributeValue.null, "The variable $object.name has no value."),
        (.number(.infinity), "The variable $object.name has a value that JSON cannot express."),
        (
            .externalDataMissing("A-B"),
            "The variable $object.name has no value here: its data lies in the external file A-B, which is missing."
        ),
    ])
    func `why an attribute has no value is said`(value: AttributeValue, message: String) throws {
        let store = FamilyMovies.makeStore()
        store.rows = [.init(entity: "Movie", key: 1, values: ["name": value])]
        let scene = try Scene("entities: {Movie: {command: c, arguments: {v: $object.name}}}", stores: [store])
        let answer = try scene.answer(searchResult("x-coredata://\(FamilyMovies.store)/Movie/p1"))
        #expect(answer.contains(#""message":"\#(message)","object""#), "\(answer)")
    }

    @Test func `relationships are followed, and one at the end is its target's URI`() throws {
        let scene = try Scene(
            """
            entities:
              Movie:
                command: c
                arguments:
                  text: "$object.director.name likes $object.director.favorite.name"
                  director: $object.director
                  title: $userInfo.extra
            """)
        let activity = searchResult("x-coredata://\(FamilyMovies.store)/Movie/p13").replacing(
            #""userInfo":{"#, with: #""userInfo":{"extra":5,"#)
        #expect(
            try scene.answer(activity).contains(
                #""arguments":{"director":"x-coredata://\#(FamilyMovies.store)/FamilyMember/p1","#
                    + #""text":"Grandma likes Alien","title":5}"#))
    }

    @Test func `each path of the object is asked for once`() throws {
        let scene = try Scene(
            "entities: {Movie: {command: c, arguments: {a: $object.name, b: x$object.name, c: $object.director.name}}}")
        #expect(
            scene.stores[0].prepared?.plan.entries == [
                .init(entity: "Movie", paths: [["name"], ["director", "name"]])
            ])
    }
}
