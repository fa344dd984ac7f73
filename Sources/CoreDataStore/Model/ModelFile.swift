internal import FoundationEssentials
internal import PersistentStore

/// The versions of a model in a file that the user named: `.xcdatamodeld`, `.xcdatamodel`, `.momd` or `.mom`.
struct ModelFile: Sendable {
    /// One version of the model.
    struct Version: Sendable {
        let name: String
        let path: String
        let definition: ModelDefinition
        /// The hash of each entity, where a version list says it.
        var entityHashes: [String: [UInt8]] = [:]
        var isCurrent = false
    }

    static let maximumFileSize = 32 << 20
    static let maximumVersions = 1000

    let path: String
    let versions: [Version]

    init(path: String) throws(StoreError) {
        self.path = path
        guard let isFolder = FileBytes.isFolder(path) else {
            throw StoreError(.missing, "The model \(path) does not exist; check its path.")
        }
        let suffix = path.split(separator: "/").last?.split(separator: ".").last.map(String.init) ?? ""
        switch (suffix.lowercased(), isFolder) {
        case ("xcdatamodeld", true): versions = try Self.editorVersions(in: path)
        case ("xcdatamodel", true): versions = [try Self.editorVersion(at: path)]
        case ("momd", true): versions = try Self.compiledVersions(in: path)
        case ("mom", false): versions = [try Self.compiledVersion(at: path)]
        default:
            throw StoreError(
                .invalid,
                "\(path) is not a data model; name an .xcdatamodeld, .xcdatamodel or .momd folder or a .mom file.")
        }
    }

    private static func editorVersions(in folder: String) throws(StoreError) -> [Version] {
        let current = propertyList(folder + "/.xccurrentversion")?["_XCCurrentVersionName"]?.string
        var versions: [Version] = []
        var failure: StoreError?
        for name in try names(in: folder, suffix: ".xcdatamodel") {
            do {
                var version = try editorVersion(at: folder + "/" + name)
                version.isCurrent = name == current
                versions.append(version)
            } catch { failure = failure ?? error }
        }
        if versions.isEmpty {
            throw failure ?? StoreError(.invalid, "The model \(folder) holds no .xcdatamodel folder.")
        }
        return versions
    }

    private static func editorVersion(at folder: String) throws(StoreError) -> Version {
        let name = String(folder.split(separator: "/").last?.dropLast(".xcdatamodel".count) ?? "")
        let contents = folder + "/contents"
        if FileBytes.isFolder(contents) == false {
            do {
                let definition = try XMLModel.read(read(contents))
                return Version(name: name, path: folder, definition: definition)
            } catch let failure as XMLDocument.Failure {
                throw StoreError(.invalid, "\(contents), line \(failure.line): \(failure.reason).")
            } catch let error as StoreError {
                throw error
            } catch {
                throw StoreError(.invalid, "\(contents) cannot be read.")
            }
        }
        guard let definition = EditorArchive.read(try read(folder + "/elements")) else {
            throw StoreError(.invalid, "The model \(folder) has neither a `contents` nor an `elements` file to read.")
        }
        return Version(name: name, path: folder, definition: definition)
    }

    private static func compiledVersions(in folder: String) throws(StoreError) -> [Version] {
        let list = propertyList(folder + "/VersionInfo.plist")
        let current = list?["NSManagedObjectModel_CurrentVersionName"]?.string
        var versions: [Version] = []
        for file in try names(in: folder, suffix: ".mom") {
            guard var version = try? compiledVersion(at: folder + "/" + file) else { continue }
            version.entityHashes = StoreMetadata.hashes(list?["NSManagedObjectModel_VersionHashes"]?[version.name])
            version.isCurrent = version.name == current
            versions.append(version)
        }
        guard !versions.isEmpty else {
            throw StoreError(.invalid, "The model \(folder) holds no .mom file that can be read.")
        }
        return versions
    }

    private static func compiledVersion(at path: String) throws(StoreError) -> Version {
        guard let definition = ArchivedModel.read(try read(path)) else {
            throw StoreError(.invalid, "\(path) is not a compiled data model, or it is damaged; compile it again.")
        }
        let name = String(path.split(separator: "/").last?.dropLast(".mom".count) ?? "")
        return Version(name: name, path: path, definition: definition)
    }

    private static func names(in folder: String, suffix: String) throws(StoreError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw StoreError(.missing, "The folder \(folder) cannot be read; check its permissions.")
        }
        return Array(names.filter { $0.hasSuffix(suffix) }.sorted().prefix(maximumVersions))
    }

    private static func propertyList(_ path: String) -> PropertyListValue? {
        guard let bytes = try? read(path) else { return nil }
        return PropertyListValue(bytes)
    }

    private static func read(_ path: String) throws(StoreError) -> [UInt8] {
        do {
            return try FileBytes.read(path, limit: maximumFileSize)
        } catch {
            throw StoreError(
                error == .tooLarge ? .invalid : .missing,
                error == .tooLarge ? "\(path) is too large for a data model." : "\(path) cannot be read.")
        }
    }
}
