import Testing

@testable import PostgreSQL

struct PostgreSQLURLTests {
    @Test func `a URL is described without its secrets`() throws {
        let url = try PostgreSQLURL(
            "postgresql://reader:s3cr%40t@db1,db2:6543/movies?sslmode=require&connect_timeout=3")
        #expect(url.description == "postgresql://reader@db1,db2:6543/movies")
        #expect(url.options["password"] == "s3cr@t")
        #expect(url.options["sslmode"] == "require")
        #expect(try PostgreSQLURL("postgres://u@[::1]/d").description == "postgresql://u@[::1]/d")
        #expect(try PostgreSQLURL("postgres://u@%2Frun%2Fpg/d").description == "postgresql://u@%2Frun%2Fpg/d")
    }

    @Test(arguments: [
        "postgresql://u:topsecret@h/d?nonsense=1", "postgresql://u:topsecret@h:x/d", "postgresql://u:topsecret@[::1/d",
        "postgresql://u:top%zz@h/d", "postgresql://u:topsecret@h,i:99999/d",
        "postgresql://u:topsecret@h/d?sslmode=never",
        "postgresql://u@h/d?password=topsecret&password==topsecret", "postgresql://u:top@secret@h/d",
        "postgresql://u:topsecret@h/d?password=top%zzsecret", "http://u:topsecret@h/d",
    ])
    func `a wrong URL is refused without a word of the password`(_ text: String) {
        let error = #expect(throws: PostgreSQLError.self) { try PostgreSQLURL(text) }
        #expect(error?.message.contains("secret") == false, "\(error?.message ?? "")")
        #expect(error?.message.contains("top") == false, "\(error?.message ?? "")")
        #expect(error?.message.hasPrefix("The PostgreSQL URL is not valid: ") == true)
    }

    @Test(arguments: [
        ("postgresql://u@db1,db2/d", "read-write"),
        ("postgresql://u@db1,db2/d?target_session_attrs=prefer-standby", "read-write"),
        ("postgresql://u@db1/d?target_session_attrs=standby", "read-write"), ("postgresql://u@db1/d", "any"),
    ])
    func `who writes asks for the server of the list that takes writes`(_ text: String, _ wanted: String) throws {
        let url = try PostgreSQLURL(text)
        #expect(url.forWriting.options["target_session_attrs", default: "any"] == wanted)
        #expect(url.forWriting.description == url.description)
        #expect(url.forWriting.options["host"] == url.options["host"])
    }

    @Test func `what is wrong is said`() {
        let error = #expect(throws: PostgreSQLError.self) {
            try PostgreSQLURL("postgresql://u:secret@h/d?sslmod=require")
        }
        #expect(error?.message.contains(#"invalid URI query parameter: "sslmod""#) == true)
    }

    @Test func `only names are resolved, and each address is a place to try`() {
        let list = EndpointList(["host": "a,10.0.0.1,/run/pg,::1", "port": "1,2,3,4"])
        #expect(list.names == ["a"])
        #expect(
            list.endpoints(resolving: ["a": ["10.1.1.1", "10.1.1.2"]]) == [
                Endpoint(host: "a", address: "10.1.1.1", port: "1"),
                Endpoint(host: "a", address: "10.1.1.2", port: "1"),
                Endpoint(host: "10.0.0.1", port: "2"), Endpoint(host: "/run/pg", port: "3"),
                Endpoint(host: "::1", port: "4"),
            ])
        #expect(EndpointList(["host": "a", "hostaddr": "10.0.0.9", "port": "5432"]).names.isEmpty)
        #expect(EndpointList([:]).endpoints(resolving: [:]) == [Endpoint()])
    }
}
