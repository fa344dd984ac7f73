import Spelling
import Testing

struct NearestWordTests {
    @Test(arguments: [
        ("rum", "run"), ("resovle", "resolve"), ("Sned", "send"), ("stroe get", "store get"), ("RESOLVE", "resolve"),
        ("sen", "send"), ("sendd", "send"),
    ])
    func `the nearest word is suggested`(word: String, suggestion: String) {
        #expect(NearestWord.to(word, among: ["run", "resolve", "send", "store get"]) == suggestion)
    }

    @Test(arguments: ["", "xyz", "topology", "12345678"])
    func `a word that is near to none gets no suggestion`(word: String) {
        #expect(NearestWord.to(word, among: ["run", "resolve", "send"]) == nil)
    }

    @Test func `of equally near words the first is suggested`() {
        #expect(NearestWord.to("cat", among: ["bat", "car", "cut"]) == "bat")
    }

    @Test func `a swap of neighbours is one edit`() {
        #expect(NearestWord.to("nmae", among: ["name"]) == "name")
        #expect(NearestWord.to("eman", among: ["name"]) == nil)
    }

    @Test func `no word is compared that is too long to be a slip`() {
        let long = String(repeating: "a", count: 1 << 20)
        #expect(NearestWord.to(long, among: [long]) == nil)
    }
}
