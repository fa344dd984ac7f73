import Foundation
import TestSupport
import Testing

@testable import PostgreSQL

/// A session with a real server.
@Suite(.enabled(if: Database.isPresent, Comment(rawValue: Database.absence)))
struct SessionTests {
    private static func round(_ statements: Statement..., timeout: Duration = .seconds(5)) -> Round {
        Round(statements, statementTimeout: timeout)
    }

    private static func session(_ change: (inout String) -> Void = { _ in }) throws -> PostgreSQLSession {
        var text = try #require(Database.urlText)
        change(&text)
        return PostgreSQLSession(try PostgreSQLURL(text))
    }

    private static let processID = Statement("SELECT pg_backend_pid()")

    @Test func `values go there and come back`() throws {
        let session = try Self.session()
        let statement = Statement(
            "SELECT $1::text, $2::bigint, $3::bytea, u.i, u.t, u.b FROM unnest($4::bigint[], $5::text[], $6::bytea[]) u(i, t, b)",
            name: "echo",
            [
                .text("Amélie 🎬"), .integer(-5), .bytes([0, 255]), .integers([.min, 7]), .texts(["", nil]),
                .binaries([nil, [1, 2]]),
            ])
        for _ in 0..<3 {
            let result = try #require(try session.perform(Self.round(statement)).first)
            #expect(result.rowCount == 2)
            #expect(result.text(0, 0) == "Amélie 🎬")
            #expect(result.integer(0, 1) == -5)
            #expect(result.bytes(0, 2) == [0, 255])
            #expect(result.integer(0, 3) == .min && result.integer(1, 3) == 7)
            #expect(result.text(0, 4) == "" && result.text(1, 4) == nil)
            #expect(result.bytes(0, 5) == nil && result.bytes(1, 5) == [1, 2])
        }
        #expect(session.epoch == 1)
    }

    @Test func `several statements are one round and one transaction`() throws {
        let session = try Self.session()
        let results = try session.perform(Self.round(Statement("SELECT txid_current_snapshot()::text"), Self.processID))
        #expect(results.count == 2)
        let error = #expect(throws: PostgreSQLError.self) {
            try session.perform(Self.round(Self.processID, Statement("SELECT 1/0"), Self.processID))
        }
        #expect(error?.state == "22012")
        // The connection is of use after an error.
        #expect(try session.perform(Self.round(Self.processID)).count == 1)
        // Also where the round was framed, as its time-out is not the session's.
        #expect(throws: PostgreSQLError.self) {
            try session.perform(Self.round(Statement("SELECT 1/0"), timeout: .seconds(9)))
        }
        #expect(try session.perform(Self.round(Self.processID)).count == 1)
        #expect(session.epoch == 1)
    }

    @Test func `a transaction of several rounds does not go on where its connection was lost`() throws {
        let session = try Self.session()
        let first = try session.perform(
            Round([Self.processID], frame: .begins, statementTimeout: .seconds(5)))[0].integer(0, 0)
        try Database.control("SELECT pg_terminate_backend(\(first), 5000)")
        let error = #expect(throws: PostgreSQLError.self) {
            try session.perform(Round([Self.processID], frame: .continues, statementTimeout: .seconds(5)))
        }
        #expect(error?.isLostConnection == true)
        #expect(try session.perform(Self.round(Self.processID)).count == 1)
    }

    @Test func `a statement that takes too long is ended by the server`() throws {
        let session = try Self.session()
        let error = #expect(throws: PostgreSQLError.self) {
            try session.perform(Self.round(Statement("SELECT pg_sleep(30)"), timeout: .milliseconds(50)))
        }
        #expect(error?.state == "57014")
        #expect(try session.perform(Self.round(Self.processID, timeout: .milliseconds(50))).count == 1)
    }

    @Test func `a connection that was ended meanwhile is opened again without an error`() throws {
        let session = try Self.session()
        let first = try #require(try session.perform(Self.round(Self.processID)).first).integer(0, 0)
        try Database.control("SELECT pg_terminate_backend(\(first), 5000)")
        let second = try #require(try session.perform(Self.round(Self.processID)).first).integer(0, 0)
        #expect(first != second)
        #expect(session.epoch == 2)
    }

    @Test func `a connection that is ended during its round is opened again`() throws {
        let session = try Self.session()
        let first = try #require(try session.perform(Self.round(Self.processID)).first).integer(0, 0)
        let end = Statement("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = \(first)")
        #expect(try session.perform(Self.round(end)).first?.rowCount == 0)
        #expect(session.epoch == 2)
    }

    @Test func `a wrong password is a refusal`() throws {
        let session = try Self.session { $0.replace(/:[^:@]*@/, with: ":wrong@") }
        let error = #expect(throws: PostgreSQLError.self) { try session.perform(Self.round(Self.processID)) }
        #expect(error?.state == "28P01")
        #expect(error?.isRefusal == true)
        #expect(error?.message.contains("wrong") == false)
        let without = try Self.session { $0.replace(/:[^:@]*@/, with: "@") }
        let lack = #expect(throws: PostgreSQLError.self) { try without.perform(Self.round(Self.processID)) }
        #expect(lack?.isRefusal == true)
    }

    @Test func `where nobody listens is an error at once, and names are resolved`() throws {
        let session = PostgreSQLSession(try PostgreSQLURL("postgresql://u:p@localhost:1/d"))
        let error = #expect(throws: PostgreSQLError.self) { try session.perform(Self.round(Self.processID)) }
        #expect(error?.isRefusal == false)
        #expect(error?.message.contains("refused") == true, "\(error?.message ?? "")")
        let unknown = PostgreSQLSession(try PostgreSQLURL("postgresql://u:p@no-such-host.invalid/d"))
        let problem = #expect(throws: PostgreSQLError.self) { try unknown.perform(Self.round(Self.processID)) }
        #expect(problem?.message.contains("no-such-host.invalid cannot be resolved") == true)
    }

    @Test func `a silent server is given up after the time-out, and the next host is tried`() throws {
        let deaf = try DeafServer()
        let url = try #require(Database.urlText).replacing(
            /@127\.0\.0\.1:(\d+)/, with: { "@127.0.0.1:\(deaf.port),127.0.0.1:\($0.1)" })
        let session = PostgreSQLSession(
            try PostgreSQLURL(url), timeouts: PostgreSQLSession.Timeouts(connect: .milliseconds(300)))
        #expect(try session.perform(Self.round(Self.processID)).count == 1)
    }

    @Test func `a server that is not writable is passed over`() throws {
        let url = try #require(Database.urlText)
        let session = PostgreSQLSession(try PostgreSQLURL(url + "?target_session_attrs=standby"))
        let error = #expect(throws: PostgreSQLError.self) { try session.perform(Self.round(Self.processID)) }
        #expect(error?.message.contains("standby") == true)
        let any = PostgreSQLSession(try PostgreSQLURL(url + "?target_session_attrs=prefer-standby"))
        #expect(try any.perform(Self.round(Self.processID)).count == 1)
    }
}

/// Sessions behind PgBouncer, which lends each transaction a server that others have used.
@Suite(.enabled(if: Database.poolerURLText != nil, Comment(rawValue: Database.poolerAbsence)))
struct PooledSessionTests {
    private func session() throws -> PostgreSQLSession {
        PostgreSQLSession(try PostgreSQLURL(try #require(Database.poolerURLText)))
    }

    @Test func `many sessions share servers, and none finds what another has prepared or set`() throws {
        let sessions = try (0..<6).map { _ in try session() }
        let echo = Statement("SELECT $1::bigint, current_setting('statement_timeout')", name: "echo", [.integer(7)])
        var servers: Set<Int64> = []
        for round in 1...20 {
            for (index, session) in sessions.enumerated() {
                let timeout = Duration.milliseconds(1001 + index)
                let results = try session.perform(
                    Round([echo, Statement("SELECT pg_backend_pid()")], statementTimeout: timeout))
                #expect(results[0].integer(0, 0) == 7)
                #expect(results[0].text(0, 1) == "\(1001 + index)ms", "round \(round)")
                servers.insert(results[1].integer(0, 0))
            }
        }
        #expect(servers.count <= 2)
        #expect(sessions.allSatisfy { $0.epoch == 1 })
    }

    @Test func `the statement time-out holds for a transaction alone`() throws {
        let session = try session()
        let error = #expect(throws: PostgreSQLError.self) {
            try session.perform(Round([Statement("SELECT pg_sleep(30)")], statementTimeout: .milliseconds(50)))
        }
        #expect(error?.state == "57014")
        let later = Statement("SELECT current_setting('statement_timeout')")
        let result = try session.perform(Round([later], statementTimeout: .seconds(9))).first
        #expect(result?.text(0, 0) == "9s")
    }
}
