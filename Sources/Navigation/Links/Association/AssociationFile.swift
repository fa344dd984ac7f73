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
        var appIDs: [String] = []
        for appID in details.flatMap(\.appIDs) where !appIDs.contains(appID) { appIDs.append(appID) }
        return appIDs
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
struct AssociationFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A full sentence.
    let description: String
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
        var forms: [(form: AssociationRule.Form, texts: LinkTexts)] = []
        for (index, rule) in rules.enumerated() {
            var known = forms.firstIndex { $0.form == rule.form }
            if known == nil {
                known = forms.count
                forms.append((rule.form, LinkTexts(url, rule.form)))
            }
            let failure = rule.failure(of: forms[known ?? 0].texts, variables)
            note?(rule, failure)
            if failure == nil { return rule.excludes ? .excluded(rule: index) : .claimed(rule: index) }
        }
        return .unclaimed
    }
}
