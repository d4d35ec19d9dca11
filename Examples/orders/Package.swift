// swift-tools-version: 6.3

import PackageDescription

// A separate package, because the root package has no dependencies.
let package = Package(
    name: "orders",
    dependencies: [
        .package(name: "CollectionPipeline", path: "../.."),
        .package(path: "../GRDBTables"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    ],
    targets: [
        .executableTarget(
            name: "orders",
            dependencies: [
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "CollectionPublishing", package: "CollectionPipeline"),
                .product(name: "CollectionTables", package: "CollectionPipeline"),
                .product(name: "GRDB", package: "GRDB.swift"),
                "GRDBTables",
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
            ],
            resources: [.embedInCode("page.html"), .embedInCode("schema.sql")]
        ),
        // The tests run the program. The dependency only makes sure that it is built.
        .testTarget(name: "OrdersTests", dependencies: ["orders"]),
    ],
    swiftLanguageModes: [.v6]
)
