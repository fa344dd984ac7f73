import Activities
import Navigation
import Testing

@Suite struct ExplanationTests {
    private func explained(_ json: String) throws -> (command: NavigationCommand, explanation: Explanation) {
        let scene = try Scene()
        guard case .finished(let outcomes) = scene.resolver.begin([try Scene.activity(json)], explaining: true),
            case .command(let command)? = outcomes.first, let explanation = scene.resolver.explanations.first
        else { throw Scene.NoCommand() }
        return (command, explanation)
    }

    @Test func `every activity rule is judged`() throws {
        let (_, explanation) = try explained(#"{"activityType":"com.familymovies.openTab","title":"Movies"}"#)
        #expect(explanation.rules.map(\.rule) == (0..<6).map { "activities[\($0)]" })
        #expect(explanation.rules.map(\.outcome) == [.failed, .matched] + Array(repeating: .notReached, count: 4))
        #expect(explanation.rules.map(\.line) == [16, 17, 18, 20, 22, 25])
        #expect(explanation.rules[0].why == #"title must match "Family Members""#)
        #expect(explanation.lookUp == nil)
    }

    @Test func `a rule of another type says so`() throws {
        let (_, explanation) = try explained(#"{"activityType":"com.other"}"#)
        #expect(explanation.rules.allSatisfy { $0.outcome == .failed })
        #expect(explanation.rules[4].why == "activityType must be com.apple.corespotlightquerycontinuation")
    }

    @Test func `a look-up says what was sought and what was found`() throws {
        let (_, byName) = try explained(#"{"activityType":"com.familymovies.movieDetailView","title":"amelie"}"#)
        #expect(byName.lookUp?.query == #"Movie where name ==[cd] $title, with "amelie""#)
        #expect(byName.lookUp?.answer == "x-coredata://\(FamilyMovies.store)/Movie/p13, the best of 2")
        #expect(byName.rules.suffix(2).map(\.rule) == ["entities.Movie", "entities.FamilyMember"])
        #expect(byName.rules.suffix(2).map(\.outcome) == [.matched, .failed])
        #expect(byName.rules.last?.why == "the object is a Movie")
        let (_, byURI) = try explained(searchResult("x-coredata://\(FamilyMovies.store)/Movie/p90"))
        #expect(byURI.lookUp?.answer == "the row was deleted")
        #expect(byURI.identifierForm == "an object URI")
        #expect(byURI.rules == [])
    }

    @Test func `an explained answer is the same answer`() throws {
        for json in [searchResult("movie-348"), searchResult("x"), #"{"activityType":"com.other"}"#] {
            #expect(try explained(json).command == Scene().command(json))
        }
    }

    @Test func `the explanation stands among the command's sorted keys`() throws {
        let (command, explanation) = try explained(searchResult("movie-x"))
        var writer = JSONWriter()
        command.write(to: &writer, explanation: explanation)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"activityType":"com.apple.corespotlightitem","explanation":{"identifier":"movie-x","#
                + #""identifierForm":"text for the rules under searchResults","kind":"searchResult","#
                + #""lookUp":{"answer":"nothing matches","query":"Movie where remoteId == $id, with \"x\""},"#
                + #""rules":[{"line":12,"outcome":"matched","rule":"searchResults[0]"}]},"#
                + #""handled":false,"kind":"searchResult","message":"No store has a Movie for which remoteId == $id holds.","#
                + #""reason":"objectNotFound","rule":"searchResults[0]"}"#)
    }

    @Test func `people read a line for each step`() throws {
        let (_, explanation) = try explained(searchResult("other"))
        #expect(
            explanation.description == """
                A search result.
                The identifier other is text for the rules under searchResults.
                searchResults[0] (line 12) did not match: the identifier must match "movie-$id".
                """)
    }

    @Test func `a malformed message has an answer too`() {
        var writer = JSONWriter()
        NavigationCommand.writeMalformed(message: "The body is \"empty\".", to: &writer)
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #"{"handled":false,"message":"The body is \"empty\".","reason":"malformedMessage"}"#)
    }
}
