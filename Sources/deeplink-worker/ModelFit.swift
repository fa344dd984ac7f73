import CoreDataStore
import Navigation

/// How well a store's data model fits it, as `check` tells it.
struct ModelFit {
    /// More names would hide the rest.
    private static let nameCountMax = 8

    private let reference: StoreReference
    private let description: StoreDescription

    init(_ reference: StoreReference, _ description: StoreDescription) {
        self.reference = reference
        self.description = description
    }

    var problems: [ConfigurationProblem] { [unusedModel, missingColumns].compactMap(\.self) }

    /// A model that was given in vain.
    private var unusedModel: ConfigurationProblem? {
        guard let model = reference.model else { return nil }
        return switch description.modelSource {
        case .file: nil
        case .store:
            reference.modelProblem(
                .note,
                "No version of the model \(model) matches the store, whose own copy of its model is used; the key model "
                    + "can be removed.")
        case .columns:
            reference.modelProblem(
                .warning,
                "The model \(model) has none of the store's entities, so that names are lower-cased column names; name the "
                    + "model of the app that wrote the store.")
        }
    }

    private var missingColumns: ConfigurationProblem? {
        let names = description.unverified
        guard !names.isEmpty else { return nil }
        let more = names.count > Self.nameCountMax ? " and \(names.count - Self.nameCountMax) more" : ""
        return reference.modelProblem(
            .note,
            "The model calls for what the store does not have, so that it has no values: "
                + "\(names.prefix(Self.nameCountMax).joined(separator: ", "))\(more).")
    }
}
