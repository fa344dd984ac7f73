/// An apple-app-site-association file: which of a domain's URLs each app claims.
///
/// Both formats are read as Apple's own matcher reads them. What it ignores is ignored, and noted for whoever checks a
/// configuration.
public struct AssociationFile: Sendable {
    /// The most bytes that iOS takes, uncompressed.
    public static let byteCountMax = 128 << 10
    /// How deep the containers of a file may nest.
    static let depthMax = 64

    /// One entry of `details`.
    struct Details: Sendable {
        let appIDs: [String]
        let rules: [AssociationRule]
        let notes: [Note]
    }

    /// Something in a file that does not do what it seems to.
    struct Note: Sendable, Hashable {
        /// Where it stands, for example `applinks.details[0].components[2]`.
        let place: String
        /// Where it stands in the file's text.
        let position: TextPosition
        /// A full sentence.
        let sentence: String
        /// Whether nothing is lost by it.
        let isHarmless: Bool
    }

    let details: [Details]
    let variables: [SubstitutionVariable]
    /// Notes that belong to no app's entry.
    let notes: [Note]

    /// The apps that the file names, each once, in order.
    var appIDs: [String] {
        var seen: Set<String> = []
        return details.flatMap(\.appIDs).filter { seen.insert($0).inserted }
    }

    /// The rules of one app.
    func claims(of appID: String) -> AssociationClaims {
        let own = details.filter { $0.appIDs.contains(appID) }
        return AssociationClaims(
            appID: appID, rules: own.flatMap(\.rules), variables: variables, notes: notes + own.flatMap(\.notes),
            namedAppIDs: appIDs)
    }
}

/// Why bytes are not an association file.
public struct AssociationFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A full sentence.
    public let description: String
}

/// The rules of one app in an association file, of which the first that matches decides.
struct AssociationClaims: Sendable {
    let appID: String
    let rules: [AssociationRule]
    let variables: [SubstitutionVariable]
    /// What in the file does not do what it seems to, and concerns the app.
    let notes: [AssociationFile.Note]
    /// The apps that the file names.
    let namedAppIDs: [String]
    private let prefixes: PathPrefixes

    init(
        appID: String, rules: [AssociationRule], variables: [SubstitutionVariable], notes: [AssociationFile.Note],
        namedAppIDs: [String]
    ) {
        self.appID = appID
        self.rules = rules
        self.variables = variables
        self.notes = notes
        self.namedAppIDs = namedAppIDs
        prefixes = PathPrefixes(rules)
    }

    /// What the rules say of a URL.
    enum Verdict: Sendable, Hashable {
        /// The app claims the URL by the rule of this index.
        case claimed(rule: Int)
        /// The rule of this index keeps the URL out of the app.
        case excluded(rule: Int)
        /// No rule matches.
        case unclaimed
    }

    /// Judges a URL; `note` is called with each rule that was looked at and what it failed by.
    func judge(
        _ url: LinkURL, noting note: ((AssociationRule, AssociationRule.Failure?) -> Void)? = nil
    ) -> Verdict {
        let plain = LinkTexts(url, AssociationRule.Form())
        var others: [LinkTexts] = []
        var next = 0
        // Who wants to know of each rule has each looked at.
        while let index = note == nil ? prefixes.first(from: next, of: plain.path.span) : next, index < rules.count {
            let form = rules[index].form
            let failure: AssociationRule.Failure?
            if form == plain.form {
                failure = rules[index].failure(of: plain, variables)
            } else {
                if !others.contains(where: { $0.form == form }) { others.append(LinkTexts(url, form)) }
                failure = others.first { $0.form == form }.flatMap { rules[index].failure(of: $0, variables) }
            }
            note?(rules[index], failure)
            if failure == nil { return rules[index].excludes ? .excluded(rule: index) : .claimed(rule: index) }
            next = index + 1
        }
        return .unclaimed
    }
}
