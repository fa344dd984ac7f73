/// What a configuration file says: the rules of one app, or several apps with a file each.
///
/// Immutable; threads share it.
public struct ConfigurationSet: Sendable {
    /// The file, as it was named.
    public let file: String
    /// The configurations, each file's once; one where the file is that of an app itself.
    public let configurations: [Configuration]
    /// For each app the index of its configuration; empty where the file is that of an app itself.
    let apps: [String: Int]
    /// The index of the configuration of requests that choose no app.
    let fallback: Int?

    /// Reads a configuration; throws everything that is wrong with it, and with the files that it names, at once.
    ///
    /// `bytes` is the content of `file`, as for `Configuration`; `contents` reads further files by their paths.
    public init(
        _ bytes: [UInt8], file: String,
        contents: (_ path: String) throws(UnreadableFile) -> [UInt8] = { path throws(UnreadableFile) in
            throw UnreadableFile("The file \(path) cannot be read here.")
        }
    ) throws(ConfigurationErrors) {
        let diagnostics = Diagnostics(file: file)
        guard let root = diagnostics.root(of: bytes) else { throw diagnostics.errors }
        self.file = file
        guard let section = AppsReader.section(root) else {
            configurations = [try Configuration(root, diagnostics, contents)]
            apps = [:]
            fallback = 0
            return
        }
        var reader = AppsReader(diagnostics: diagnostics)
        reader.read(section, of: root, contents)
        let errors = diagnostics.errors.errors + reader.errors
        guard errors.isEmpty else { throw ConfigurationErrors(errors: errors) }
        configurations = reader.configurations
        apps = reader.apps
        fallback = reader.fallback
    }

    /// The identifiers of the apps, sorted; empty where the file is that of an app itself.
    public var appIDs: [String] { apps.keys.sorted() }

    /// The reply queues that requests may name, where they name no app: those of all apps.
    public var replyTo: [String] {
        var seen: Set<String> = []
        return configurations.flatMap(\.replyTo).filter { seen.insert($0).inserted }
    }

    /// The reply queues that a request for an app may name, for each app.
    public var replyToOfApps: [String: [String]] { apps.mapValues { configurations[$0].replyTo } }

    /// The index of the configuration for an app's request: by `app_id`, else by the activity's own `appID`.
    ///
    /// A name that is no app's chooses none: senders often write their own name into `app_id`.
    public func index(requestAppID: String?, appID: @autoclosure () -> String?) -> Int? {
        if let requestAppID, let index = apps[requestAppID] { return index }
        if let appID = appID(), let index = apps[appID] { return index }
        return fallback
    }

    /// The name of a configuration's app, for explanations.
    func name(of index: Int, requestAppID: String?, appID: String?) -> String {
        for name in [requestAppID, appID] {
            if let name, apps[name] == index { return name }
        }
        return "default"
    }
}
