/// Activities for the FamilyMovies example, for load tests without a file.
public enum SampleActivities {
    /// Bodies of requests: identifiers, titles, tabs, links and a few that open nothing, about as an app sends them.
    public static let bodies: [[UInt8]] = [
        spotlight("x-coredata://0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60/Movie/p1"),
        #"{"activityType":"com.familymovies.movieDetailView","title":"Alien"}"#,
        #"{"activityType":"com.familymovies.movieDetailView","title":"amelie"}"#,
        spotlight("x-coredata://0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60/FamilyMember/p1"),
        #"{"activityType":"com.familymovies.familyMemberDetailView","title":"Grandma"}"#,
        #"{"activityType":"com.familymovies.openTab","title":"Movies"}"#,
        #"{"activityType":"NSUserActivityTypeBrowsingWeb","webpageURL":"https://www.familymoviesapp.com/movie/Alien"}"#,
        #"{"activityType":"com.apple.corespotlightquerycontinuation","userInfo":{"kCSSearchQueryString":"alien"}}"#,
        spotlight("x-coredata://0D8A1C7E-9E2B-4F5D-8C3A-1B2C3D4E5F60/Movie/p99"),
        #"{"activityType":"com.familymovies.movieDetailView","title":"No Such Movie"}"#,
    ].map { Array($0.utf8) }

    private static func spotlight(_ identifier: String) -> String {
        #"{"activityType":"com.apple.corespotlightitem","userInfo":{"kCSSearchableItemActivityIdentifier":"\#(identifier)"}}"#
    }
}
