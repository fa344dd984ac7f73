// swift-tools-version: 6.3
import PackageDescription

/// The settings of every Swift target: Swift 6 mode, what comes next, strict memory safety, and no warning left.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .enableUpcomingFeature("ImmutableWeakCaptures"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    // Debug builds, and so all tests, check while they run that accesses to memory exclude each other.
    .unsafeFlags(["-enforce-exclusivity=unchecked"], .when(configuration: .release)),
]

/// A library of Debian, as headers and a link line; a missing package prints its apt line.
func systemLibrary(_ name: String, pkgConfig: String, apt package: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func library(_ name: String, needs dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(_ name: String, needs dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "deeplink-worker",
    products: [
        .executable(name: "deeplink-worker", targets: ["deeplink-worker"]),
        // For clients in Swift: Examples/Clients/swift.
        .library(name: "AMQP", targets: ["AMQP"]),
    ],
    targets: [
        systemLibrary("CRabbitMQ", pkgConfig: "librabbitmq", apt: "librabbitmq-dev"),
        systemLibrary("CSQLite", pkgConfig: "sqlite3", apt: "libsqlite3-dev"),
        systemLibrary("CPostgreSQL", pkgConfig: "libpq", apt: "libpq-dev"),
        systemLibrary("CYAML", pkgConfig: "yaml-0.1", apt: "libyaml-dev"),
        systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
        systemLibrary("CMicroHTTPD", pkgConfig: "libmicrohttpd", apt: "libmicrohttpd-dev"),
        systemLibrary("CIDN2", pkgConfig: "libidn2", apt: "libidn2-dev"),
        // libsimdjson-dev and libre2-dev: C++, so each behind a C face of a few functions.
        .target(
            name: "CSimdJSON",
            linkerSettings: [.linkedLibrary("simdjson")]),
        .target(
            name: "CRE2",
            linkerSettings: [.linkedLibrary("re2")]),

        library("Activities", needs: ["CSimdJSON"]),
        library("PersistentStore"),
        library("Spelling"),
        library("Items", needs: ["Activities", "PersistentStore"]),
        library("HostNames"),
        library("SQLite", needs: ["CSQLite"]),
        library("PostgreSQL", needs: ["CPostgreSQL", "HostNames"]),
        library("CoreDataStore", needs: ["PersistentStore", "SQLite", "CZlib"]),
        library("CatalogStore", needs: ["Items", "Activities", "PersistentStore", "SQLite", "PostgreSQL"]),
        library("CatalogTransfer", needs: ["CatalogStore", "CoreDataStore", "Items", "Activities", "PersistentStore"]),
        library("Navigation", needs: ["Activities", "PersistentStore", "Spelling", "CYAML", "CIDN2", "CRE2"]),
        library("AMQP", needs: ["CRabbitMQ", "HostNames"]),
        library("Worker", needs: ["AMQP", "Activities", "Items", "Navigation", "PersistentStore"]),
        library("DeadLetters", needs: ["AMQP", "Activities", "PersistentStore", "Spelling"]),
        library("LoadTest", needs: ["AMQP"]),
        library("HealthServer", needs: ["CMicroHTTPD"]),
        library("Arguments", needs: ["Spelling"]),
        .executableTarget(
            name: "deeplink-worker",
            dependencies: [
                "Worker", "AMQP", "Activities", "Navigation", "PersistentStore", "CoreDataStore", "CatalogStore",
                "CatalogTransfer", "Items", "SQLite", "PostgreSQL", "Arguments", "HealthServer", "Spelling",
                "DeadLetters", "LoadTest",
            ],
            // Links to Documentation/schemas.
            resources: ["activity", "command", "configuration", "dead-letter", "item", "load-report"].map {
                .embedInCode("Schemas/\($0).schema.json")
            },
            swiftSettings: settings),

        tests("ActivitiesTests", needs: ["Activities", "SeededRandom"]),
        tests("ItemsTests", needs: ["Items", "Activities", "PersistentStore"]),
        tests("PersistentStoreTests", needs: ["PersistentStore"]),
        tests(
            "CoreDataStoreTests",
            needs: ["CoreDataStore", "PersistentStore", "SQLite", "StoreTestSupport", "SeededRandom"]),
        tests(
            "CatalogStoreTests",
            needs: [
                "CatalogStore", "CatalogTransfer", "Items", "CoreDataStore", "PersistentStore", "Activities", "SQLite",
                "StoreTestSupport", "TestSupport", "SeededRandom",
            ]),
        // Stores that tests make, and the sample stores.
        .target(
            name: "StoreTestSupport", dependencies: ["CSQLite"], path: "Tests/StoreTestSupport",
            swiftSettings: settings),
        tests("PostgreSQLTests", needs: ["PostgreSQL", "TestSupport"]),
        tests("NavigationTests", needs: ["Navigation", "Activities", "PersistentStore", "SeededRandom"]),
        tests("AMQPTests", needs: ["AMQP", "SeededRandom"]),
        tests("WorkerTests", needs: ["Worker", "AMQP", "Activities", "Navigation", "PersistentStore", "SeededRandom"]),
        tests("LoadTestTests", needs: ["LoadTest"]),
        tests("DeadLettersTests", needs: ["DeadLetters", "AMQP", "Activities"]),
        tests("HealthServerTests", needs: ["HealthServer"]),
        tests("ArgumentsTests", needs: ["Arguments"]),
        tests("SpellingTests", needs: ["Spelling"]),
        tests("ProgramTests", needs: ["deeplink-worker", "Navigation", "Worker"]),
        .target(name: "SeededRandom", path: "Tests/SeededRandom", swiftSettings: settings),
        // What the tests with a real broker share.
        .target(name: "TestSupport", dependencies: ["AMQP"], path: "Tests/TestSupport", swiftSettings: settings),
        tests(
            "IntegrationTests",
            needs: [
                "Worker", "AMQP", "Activities", "CatalogStore", "Items", "Navigation", "PersistentStore", "TestSupport",
            ]),
        tests(
            "FaultTests", needs: ["AMQP", "CatalogStore", "Items", "PersistentStore", "TestSupport", "SeededRandom"]),
    ],
    cxxLanguageStandard: .cxx17
)

// Builds under sanitizers take long: scripts/test names the tests that it wants there.
if let wanted = Context.environment["DEEPLINK_TEST_TARGETS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !wanted.contains($0.name) }
}

// The fuzzers need libFuzzer's instrumentation, so they are built only by scripts/fuzz.
if Context.environment["DEEPLINK_FUZZ"] != nil {
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Fuzz/CLibFuzzer"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CLibFuzzer", "Activities", "Navigation", "PersistentStore", "CoreDataStore", "Items", "AMQP",
                "CRabbitMQ",
            ],
            path: "Fuzz/Sources", swiftSettings: settings),
    ]
}
