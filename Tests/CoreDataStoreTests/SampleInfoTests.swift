import CoreDataStore
import Foundation
import PersistentStore
import StoreTestSupport
import Testing

/// What every sample store says about itself, against the manifest.
@Suite(.enabled(if: Samples.isPresent, Samples.absence))
struct SampleInfoTests {
    @Test func `every sample lists its entities, numbers and rows as the manifest does`() throws {
        let folder = try Samples.required()
        for sample in try Samples.json("manifest.json") {
            let name = try #require(sample["store"] as? String)
            let store = try CoreDataFile(path: folder + "/" + name).makeStore()
            let description = try store.describe()
            #expect(description.identifier == sample["uuid"] as? String, "\(name)")
            #expect(description.frameworkVersion == (sample["frameworkVersion"] as? NSNumber)?.int64Value, "\(name)")
            let features = sample["features"] as? [String] ?? []
            #expect((description.modelSource == .store) == features.contains("modelcache"), "\(name)")
            #expect(description.unverified == [], "\(name)")
            let entities = try #require(sample["entities"] as? [[String: Any]])
            let numbers = entities.compactMap { $0["z_ent"] as? Int }.filter { $0 < 16000 }
            #expect(description.entities.map { Int($0.number) } == numbers, "\(name)")
            for expected in entities {
                guard let number = expected["z_ent"] as? Int64, number < 16000 else { continue }
                let entity = try #require(description.entities.first { $0.number == number }, "\(name)")
                #expect(entity.rows == expected["rows"] as? Int, "\(name) \(entity.name)")
                #expect(entity.parent == expected["super"] as? String, "\(name) \(entity.name)")
                #expect(entity.table == expected["table"] as? String, "\(name) \(entity.name)")
            }
        }
    }

    @Test func `opening the largest sample takes less than a tenth of a second`() throws {
        let path = try Samples.required() + "/coredataplus-sample2/SampleModel2_V1.sqlite"
        let duration = try ContinuousClock().measure {
            let store = try CoreDataFile(path: path).makeStore()
            store.prepare(FetchPlan(), predicates: [])
        }
        print("opening the largest sample took \(duration)")
        #expect(duration < .milliseconds(100) * slowness)
    }

    @Test func `many-to-many, one-way and ordered relationships lead to their targets`() throws {
        let folder = try Samples.required()
        let bookmarks = try CoreDataFile(path: folder + "/ddg-bookmarks-v5/Bookmarks_V5.sqlite").makeStore()
        for relationship in ["children", "favorites"] {
            var owners = 0
            for key in Int64(1)...20 {
                let targets = try bookmarks.targets(of: relationship, entity: "BookmarkEntity", primaryKey: key)
                owners += targets.isEmpty ? 0 : 1
                let inverse = relationship == "children" ? "parent" : "favoriteFolders"
                for target in targets {
                    guard case .permanent(let targetKey) = target.key else { continue }
                    guard
                        case .found(let object) = try bookmarks.object(
                            entity: "BookmarkEntity", primaryKey: targetKey)
                    else {
                        Issue.record("no object \(target)")
                        continue
                    }
                    if inverse == "parent" {
                        let parent = try #require(object.relationships["parent"])
                        #expect(parent?.key == .permanent(key))
                    } else {
                        let back = try bookmarks.targets(of: inverse, entity: target.entity, primaryKey: targetKey)
                        #expect(back.contains { $0.key == .permanent(key) })
                    }
                }
            }
            #expect(owners > 0, "\(relationship)")
        }
    }
}
