internal import Activities

extension AssociationFile {
    /// Reads a file of at most `byteCountMax` bytes of JSON.
    init(_ bytes: [UInt8]) throws(AssociationFileError) {
        let reader = AssociationFileReader(root: try Self.root(bytes), places: JSONPlaces(bytes))
        self.init(reader)
    }

    private init(_ reader: consuming AssociationFileReader) {
        reader.read()
        details = reader.details
        variables = reader.compiler.variables
        notes = reader.notes
    }

    private static func root(_ bytes: [UInt8]) throws(AssociationFileError) -> JSONValue {
        guard bytes.count <= byteCountMax else {
            throw AssociationFileError(
                description: "The association file is larger than \(byteCountMax >> 10) KiB, the most that iOS takes.")
        }
        // A DER sequence with a long length, as a signed message begins.
        if bytes.count > 2, bytes[0] == 0x30, bytes[1] & 0xF0 == 0x80 {
            throw AssociationFileError(
                description: "The association file is signed (PKCS #7), as files before iOS 10 were; "
                    + "give the JSON that is signed.")
        }
        let root: JSONValue
        do throws(JSONError) {
            root = try JSONParser().parse(bytes.span, depthMax: depthMax)
        } catch {
            var reason = error.description[...]
            while reason.last == "." { reason.removeLast() }
            throw AssociationFileError(description: "The association file is not JSON: \(reason).")
        }
        guard root.kind == .object else {
            throw AssociationFileError(description: "The association file must be a JSON object.")
        }
        return root
    }
}

/// Reads the section `applinks`.
private struct AssociationFileReader {
    let root: JSONValue
    let places: JSONPlaces
    var compiler: PatternCompiler
    var details: [AssociationFile.Details] = []
    var notes: [AssociationFile.Note] = []

    init(root: JSONValue, places: JSONPlaces) {
        self.root = root
        self.places = places
        compiler = PatternCompiler(Self.definitions(root["applinks"]?["substitutionVariables"]))
    }

    private static func definitions(_ json: JSONValue?) -> [String: [String]] {
        var definitions: [String: [String]] = [:]
        for (name, values) in json?.members ?? [] where values.kind == .array {
            definitions[name] = values.elements.compactMap(\.string)
        }
        return definitions
    }

    mutating func read() {
        guard let applinks = root["applinks"] else {
            return note("applinks", "The file has no section applinks, so that it claims no links.")
        }
        let defaults = ComponentValues(applinks["defaults"])
        let details = applinks["details"]
        switch details?.kind {
        case .array:
            for (index, entry) in (details?.elements ?? []).enumerated() {
                read(entry, Self.appIDs(entry), defaults, "applinks.details[\(index)]")
            }
        case .object:
            // The oldest form: a dictionary by app identifier.
            for (appID, entry) in details?.members ?? [] {
                read(entry, [appID], defaults, "applinks.details.\(appID)")
            }
        default: note("applinks", "The section applinks has no details, so that it claims no links.")
        }
        for name in compiler.unknownNames.sorted() {
            note("applinks", "The variable $(\(name)) is not defined; its text is taken as it stands.")
        }
    }

    /// `appIDs` decides where it is there, even when it is empty.
    private static func appIDs(_ entry: JSONValue) -> [String] {
        if let list = entry["appIDs"], list.kind == .array { return list.elements.compactMap(\.string) }
        return entry["appID"]?.string.map { [$0] } ?? []
    }

    private mutating func read(_ entry: JSONValue, _ appIDs: [String], _ outer: ComponentValues, _ place: String) {
        guard entry.kind == .object else { return note(place, "The entry is no object and is ignored.") }
        let outerNotes = notes
        notes = []
        defer { notes = outerNotes }
        let defaults = ComponentValues(entry["defaults"]).merged(over: outer)
        var rules: [AssociationRule] = []
        if let components = entry["components"], components.kind == .array {
            if entry["paths"] != nil {
                note(place, "The entry has components, so that its paths are ignored.", isHarmless: true)
            }
            for (index, component) in components.elements.enumerated() {
                let place = "\(place).components[\(index)]"
                guard component.kind == .object else {
                    note(place, "The component is no object and is ignored.")
                    continue
                }
                noteOddities(of: component, place)
                rules.append(rule(ComponentValues(component).merged(over: defaults), place))
            }
        } else {
            for (index, path) in (entry["paths"]?.elements ?? []).enumerated() {
                let place = "\(place).paths[\(index)]"
                guard let text = path.string else {
                    note(place, "The path is no text and is ignored.")
                    continue
                }
                rules.append(rule(ComponentValues(legacyPath: text).merged(over: defaults), place))
            }
        }
        details.append(.init(appIDs: appIDs, rules: rules, notes: notes))
    }

    private mutating func rule(_ values: ComponentValues, _ place: String) -> AssociationRule {
        let form = AssociationRule.Form(
            caseSensitive: values.caseSensitive ?? true, percentEncoded: values.percentEncoded ?? true)
        if let path = values.path, path.utf8.contains(UInt8(ascii: "#")) {
            note(place, "The path pattern \(path) has a number sign, which no path has; a fragment's key is \"#\".")
        }
        return AssociationRule(
            place: place, position: places[place], excludes: values.exclude ?? false, form: form,
            path: compiler.path(values.path ?? "*", caseSensitive: form.caseSensitive),
            query: compiler.query(values.query ?? .any, caseSensitive: form.caseSensitive),
            fragment: compiler.unlessAnything(values.fragment ?? "*", caseSensitive: form.caseSensitive),
            comment: values.comment)
    }

    private mutating func note(_ place: String, _ sentence: String, isHarmless: Bool = false) {
        notes.append(.init(place: place, position: places[place], sentence: sentence, isHarmless: isHarmless))
    }

    private mutating func noteOddities(of component: JSONValue, _ place: String) {
        for (key, value) in component.members {
            if key == "?", value.kind == .object, value.members.contains(where: { $0.value.kind != .string }) {
                note(place, "A value under \"?\" is no text; iOS then ignores all that is under \"?\".")
            }
            let known = ComponentValues.keys.first { $0.lowercased() == key.lowercased() }
            if let known, known != key { note(place, "The key \(key) is ignored; it is written \(known).") }
        }
    }
}
