// swift-tools-version: 6.3
import PackageDescription

let package = Package(
    name: "clients",
    // In a package of your own: the address of this repository, and a version.
    dependencies: [.package(name: "deeplink-worker", path: "../../..")],
    targets: [
        .executableTarget(name: "ask", dependencies: [.product(name: "AMQP", package: "deeplink-worker")]),
        .executableTarget(name: "follow", dependencies: [.product(name: "AMQP", package: "deeplink-worker")]),
    ]
)
