import CoreDataStore
import Foundation
import PersistentStore
import StoreTestSupport
import Testing

/// Models given beside a store, and which one is used.
struct ModelFileTests {
    private func source(_ store: String, model: String) throws -> (ModelSource, StoreDescription) {
        let folder = try Samples.required()
        let description = try CoreDataFile(path: folder + "/" + store, model: folder + "/" + model).makeStore()
            .describe()
        return (description.modelSource, description)
    }

    @Test(
        .enabled(if: Samples.isPresent, Samples.absence),
        arguments: ["Moody", "Moody 2", "Moody 3", "Moody 4", "Moody 5"])
    func `the version that fits is chosen of six`(name: String) throws {
        let (source, description) = try source("moody/\(name).moody", model: "moody/Moody.xcdatamodeld")
        guard case .file(_, let version) = source else {
            Issue.record("\(name) uses \(source)")
            return
        }
        #expect(version == name)
        #expect(description.unverified == [])
    }

    @Test(.enabled(if: Samples.isPresent, Samples.absence))
    func `compiled versions are chosen by their hashes`() throws {
        for (store, version) in [("V1", "SampleModel"), ("V2", "SampleModel2")] {
            let (source, _) = try source(
                "coredataplus-sample1/SampleModel_\(store).sqlite", model: "coredataplus-sample1/SampleModel.momd")
            guard case .file(_, version) = source else {
                Issue.record("\(store) uses \(source)")
                continue
            }
        }
        let (third, _) = try source(
            "coredataplus-sample3/SampleModel3_V1.sqlite", model: "coredataplus-sample3/SampleModel3.momd")
        guard case .file(_, "SampleModel3") = third else {
            Issue.record("sample 3 uses \(third)")
            return
        }
    }

    @Test(.enabled(if: Samples.isPresent, Samples.absence))
    func `a model that is newer than the store does not replace the store's own`() throws {
        let (source, description) = try source(
            "cartkit-coredata/CartStorage_v1.sqlite", model: "cartkit-coredata/CartStorage.xcdatamodeld")
        #expect(source == .store)
        #expect(description.unverified == [])
    }

    @Test(.enabled(if: Samples.isPresent, Samples.absence))
    func `a model that almost fits names what it can, and the rest has the columns' names`() throws {
        let folder = try Samples.required() + "/grocerydude"
        let store = try CoreDataFile(path: folder + "/DefaultData.sqlite", model: folder + "/Model.xcdatamodeld")
            .makeStore()
        guard case .found(let item) = try store.object(entity: "Item", primaryKey: 2) else {
            Issue.record("not found")
            return
        }
        #expect(item.attributes["listed"] == .boolean(false))
        #expect(item.attributes["collected"] == .integer(0))
        #expect(item.attributes["quantity"] == .number(1))
        let home = try #require(item.relationships["locationAtHome"])
        #expect(home?.entity == "LocationAtHome")
        #expect(try store.describe().unverified.contains { $0.contains("Item.colletced") })
        guard case .found(let location) = try store.object(entity: "Location", primaryKey: 1) else {
            Issue.record("not found")
            return
        }
        #expect(location.attributes["storedin"] == .string("Bathroom"))
    }

    @Test(.enabled(if: Samples.isPresent, Samples.absence))
    func `every sample has the same columns by its given model as by its own`() throws {
        for (store, model) in [
            ("ddg-bookmarks-v1/Bookmarks_V1.sqlite", "ddg-bookmarks-v1/BookmarksModel.xcdatamodeld"),
            ("ddg-bookmarks-v5/Bookmarks_V5.sqlite", "ddg-bookmarks-v5/BookmarksModel.xcdatamodeld"),
            ("ddg-syncmetadata/SyncMetadata_V3.sqlite", "ddg-syncmetadata/SyncMetadata.xcdatamodeld"),
            ("xcserver-empty/XCServerCoreData_1.2.0_empty.sqlite", "xcserver-empty/XCServerCoreData.xcdatamodeld"),
            ("coredataplus-sample1/SampleModel_V1.sqlite", "coredataplus-sample1/SampleModel.xcdatamodeld"),
        ] {
            let (_, given) = try source(store, model: model)
            let own = try CoreDataFile(path: Samples.required() + "/" + store).makeStore().describe()
            #expect(given.unverified == [])
            for (left, right) in zip(given.entities, own.entities) {
                #expect(left.name == right.name && left.number == right.number && left.rows == right.rows)
                #expect(left.attributes.map(\.column) == right.attributes.map(\.column), "\(store) \(left.name)")
                #expect(left.attributes.map(\.description.type) == right.attributes.map(\.description.type))
                #expect(left.relationships.map(\.column) == right.relationships.map(\.column))
            }
        }
    }

    @Test func `what is not a model is refused`() throws {
        let folder = try TemporaryFolder()
        let movies = try SyntheticStore.movies(folder.path + "/m.sqlite")
        func refusal(_ model: String) -> StoreError? {
            do throws(StoreError) {
                _ = try CoreDataFile(path: movies.path, model: folder.path + "/" + model)
                return nil
            } catch { return error }
        }
        #expect(refusal("none.xcdatamodeld")?.code == .missing)
        #expect(refusal("m.sqlite")?.code == .invalid)
        try FileManager.default.createDirectory(
            atPath: folder.path + "/a.xcdatamodeld/a.xcdatamodel", withIntermediateDirectories: true)
        #expect(refusal("a.xcdatamodeld")?.code == .missing)
        try Data("<model>".utf8).write(to: URL(fileURLWithPath: folder.path + "/a.xcdatamodeld/a.xcdatamodel/contents"))
        #expect(refusal("a.xcdatamodeld")?.description.contains("line 1") == true)
    }
}
