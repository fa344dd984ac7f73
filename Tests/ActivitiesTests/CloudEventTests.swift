import Activities
import Testing

/// CloudEvents around activities: what is read of a request's, and what an answer's looks like.
struct CloudEventTests {
    private static let activity = #"{"activityType":"com.example.open","title":"Alien"}"#
    private static let attributes = #""specversion":"1.0","id":"1","source":"/app","type":"com.example.activity""#

    private func decode(_ body: String) throws -> (activity: Activity, event: CloudEvent) {
        var event: CloudEvent?
        let activity = try ActivityDecoder().decodeEvent(Array(body.utf8).span, noting: &event)
        return (activity, try #require(event))
    }

    private static let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    @Test(arguments: [
        #"{"specversion":"1.0","id":"1","source":"/app","type":"t","data":\#(activity)}"#,
        #"{"data":\#(activity),"datacontenttype":"application/json; charset=utf-8",\#(attributes)}"#,
        #"{"data":\#(activity),"datacontenttype":"application/vnd.example+json",\#(attributes),"data_base64":null}"#,
        #"{"data_base64":"eyJhY3Rpdml0eVR5cGUiOiJjb20uZXhhbXBsZS5vcGVuIiwidGl0bGUiOiJBbGllbiJ9",\#(attributes)}"#,
    ])
    func `the data of an event is the activity`(body: String) throws {
        let (activity, event) = try decode(body)
        #expect(activity.activityType == "com.example.open")
        #expect(activity.title == "Alien")
        #expect(event.subject == nil)
    }

    @Test func `an event whose data is no activity is kept all the same, for the answer that says so`() {
        for data in [#""data":{}"#, #""data":17"#, #""data_base64":"!""#, #""datacontenttype":"text/plain""#] {
            var event: CloudEvent?
            let body = "{\(Self.attributes),\"subject\":\"movies\",\(data)}"
            #expect(throws: ActivityError.self) {
                try ActivityDecoder().decodeEvent(Array(body.utf8).span, noting: &event)
            }
            #expect(event?.subject == "movies", "\(data)")
        }
    }

    @Test func `the subject and the trace context are kept for the answer`() throws {
        let trace = Self.trace
        let (_, event) = try decode(
            #"{\#(Self.attributes),"subject":"movies","traceparent":"\#(trace)","tracestate":"a=1","data":\#(Self.activity)}"#
        )
        #expect(event.subject == "movies")
        #expect(event.traceParent == trace)
        #expect(event.traceState == "a=1")
    }

    @Test(arguments: [
        ("", "The event is not a JSON document"),
        ("[]", "The event must be a JSON object; it is an array."),
        (#"{"data":{}}"#, "The event's attribute specversion is missing"),
        (#"{"specversion":"0.3","id":"1","source":"/","type":"t","data":{}}"#, "specversion must be 1.0"),
        (#"{"specversion":1.0,"id":"1","source":"/","type":"t","data":{}}"#, "attribute specversion is missing"),
        (#"{"specversion":"1.0","source":"/","type":"t","data":{}}"#, "attribute id is missing"),
        (#"{"specversion":"1.0","id":"","source":"/","type":"t","data":{}}"#, "attribute id is missing"),
        (#"{"specversion":"1.0","id":"1","type":"t","data":{}}"#, "attribute source is missing"),
        (#"{"specversion":"1.0","id":"1","source":"/","type":7,"data":{}}"#, "attribute type is missing"),
        (#"{\#(attributes)}"#, "The event has no data"),
        (#"{\#(attributes),"data":null}"#, "The event has no data"),
        (#"{\#(attributes),"data":"text"}"#, "The event's data must be a JSON object; it is a string."),
        (#"{\#(attributes),"data":{},"data_base64":"e30="}"#, "both data and data_base64"),
        (#"{\#(attributes),"data_base64":"%"}"#, "must be text in base64"),
        (#"{\#(attributes),"data_base64":7}"#, "must be text in base64"),
        (#"{\#(attributes),"data_base64":"W10="}"#, "The event's data must be a JSON object; it is an array."),
        (#"{\#(attributes),"data_base64":""}"#, "The event's data is not a JSON document"),
        (#"{\#(attributes),"data":{"title":"x"}}"#, "The property activityType is missing"),
        (#"{\#(attributes),"data":\#(activity),"datacontenttype":"text/plain"}"#, "datacontenttype must be"),
        (#"{\#(attributes),"data":\#(activity),"datacontenttype":1}"#, "datacontenttype must be"),
    ])
    func `a malformed event is an error that says what is wrong`(body: String, words: String) throws {
        let error = try #require(throws: ActivityError.self) { try decode(body) }
        #expect(error.description.contains(words), "\(error)")
    }

    @Test func `an activity may nest as deep in an event as it may alone`() throws {
        func nested(_ depth: Int) -> String {
            let inner = String(repeating: #"{"a":"#, count: depth) + "1" + String(repeating: "}", count: depth)
            return #"{"activityType":"t","userInfo":\#(inner)}"#
        }
        let deepest = nested(ActivityDecoder.depthMax - 1), deeper = nested(ActivityDecoder.depthMax)
        for (json, isFine) in [(deepest, true), (deeper, false)] {
            #expect(((try? ActivityDecoder().decode(Array(json.utf8).span)) != nil) == isFine)
            #expect(((try? decode("{\(Self.attributes),\"data\":\(json)}")) != nil) == isFine)
        }
    }

    @Test func `attributes in headers are judged alike`() throws {
        var headers = ["specversion": "1.0", "id": "1", "source": "/", "type": "t", "subject": "s"]
        #expect(try CloudEvent { headers[$0] }.subject == "s")
        headers["source"] = nil
        let error = try #require(throws: ActivityError.self) { try CloudEvent { headers[$0] } }
        #expect(error.description.contains("attribute source is missing"))
    }

    @Test func `an answer is an event with sorted keys around the command`() throws {
        let (_, event) = try decode(
            #"{\#(Self.attributes),"subject":"movies \"1\"","traceparent":"\#(Self.trace)","tracestate":"a=1","data":\#(Self.activity)}"#
        )
        let answer = CloudEventAnswer(
            id: "re:1", source: "/deeplink-worker/in", time: "2026-01-31T12:00:00Z", answering: event)
        #expect(
            String(decoding: answer.structured(data: Array(#"{"handled":true}"#.utf8)), as: UTF8.self)
                == #"{"data":{"handled":true},"datacontenttype":"application/json","id":"re:1","#
                + #""source":"/deeplink-worker/in","specversion":"1.0","subject":"movies \"1\"","#
                + #""time":"2026-01-31T12:00:00Z","traceparent":"\#(Self.trace)","tracestate":"a=1","type":"com.deeplink.navigation-command"}"#
        )
        #expect(!answer.attributes.contains { "\($0.name)" == "datacontenttype" })
    }

    @Test func `an attribute that is too long for a header is not repeated`() throws {
        let long = String(repeating: "x", count: CloudEventAnswer.repeatedByteCountMax + 1)
        let (_, event) = try decode(#"{\#(Self.attributes),"subject":"\#(long)","data":\#(Self.activity)}"#)
        let answer = CloudEventAnswer(id: "1", source: "/", time: "", answering: event)
        #expect(!answer.attributes.contains { "\($0.name)" == "subject" })
    }
}
