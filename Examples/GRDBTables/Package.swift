// swift-tools-version: 6.3

import PackageDescription

// A separate package, because the root package has no dependencies.
let package = Package(
    name: "GRDBTables",
    products: [.library(name: "GRDBTables", targets: ["GRDBTables"])],
    dependencies: [
        .package(name: "CollectionPipeline", path: "../.."),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.0.0"),
    ],
    targets: [
        .target(
            name: "GRDBTables",
            dependencies: [
                .product(name: "CollectionTables", package: "CollectionPipeline"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "GRDBTablesTests",
            dependencies: [
                "GRDBTables", .product(name: "GRDBSQLite", package: "GRDB.swift"),
                .product(name: "PipelineTesting", package: "CollectionPipeline"),
            ]
        ),
    ],
    swiftLanguageModes: [.v6]
)
