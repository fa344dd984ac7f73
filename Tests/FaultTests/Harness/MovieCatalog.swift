import TestSupport

/// A catalog of movies as the configuration of a worker, and requests for them.
enum MovieCatalog {
    static func configuration(_ url: String) -> String {
        """
        stores: ["\(url)"]
        entities:
          Movie: {command: openMovieDetail, arguments: {name: $object.name}}
        activities:
          - activityType: movie
            open: {entity: Movie, predicate: "name ==[cd] $title"}
        """
    }

    /// The URI of the first movie.
    static let uri = "x-coredata://\(PrivateDatabase.storeIdentifier)/Movie/p1"
    /// A request for the first movie by its URI.
    static let byURI =
        #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"\#(uri)"}}"#

    /// A request for a movie by its name, or by its URI; now and then malformed.
    @Sendable static func request(_ number: Int) -> Request {
        if Request.isMalformed(number) { return Request("no JSON \(number)") }
        return Request(number.isMultiple(of: 2) ? byURI : #"{"activityType":"movie","title":"alien"}"#)
    }
}
