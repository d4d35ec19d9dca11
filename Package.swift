// swift-tools-version: 6.3

import PackageDescription

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "CollectionPipeline",
    products: [
        .library(name: "CollectionChanges", targets: ["CollectionChanges"]),
        .library(name: "CollectionSnapshots", targets: ["CollectionSnapshots"]),
        .library(name: "CollectionElements", targets: ["CollectionElements"]),
        .library(name: "CollectionLayouts", targets: ["CollectionLayouts"]),
        .library(name: "CollectionPipeline", targets: ["CollectionPipeline"]),
        .library(name: "CollectionTables", targets: ["CollectionTables"]),
        .library(name: "CollectionPublishing", targets: ["CollectionPublishing"]),
        .library(name: "CollectionReplication", targets: ["CollectionReplication"]),
        .library(name: "SimulatedView", targets: ["SimulatedView"]),
        .library(name: "PipelineTesting", targets: ["PipelineTesting"]),
        .library(name: "PipelineTrace", targets: ["PipelineTrace"]),
        .executable(name: "hello-pipeline", targets: ["hello-pipeline"]),
        .executable(name: "hello-live", targets: ["hello-live"]),
        .executable(name: "git-timelapse", targets: ["git-timelapse"]),
        .executable(name: "changeset-lint", targets: ["changeset-lint"]),
        .executable(name: "pipeline-benchmarks", targets: ["pipeline-benchmarks"]),
        .executable(name: "pipeline-simulate", targets: ["pipeline-simulate"]),
        .executable(name: "layout-gallery", targets: ["layout-gallery"]),
    ],
    targets: [
        .target(name: "PersistentTrees", swiftSettings: settings),
        .target(
            name: "CollectionChanges",
            dependencies: ["PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionSnapshots",
            dependencies: ["CollectionChanges", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionElements",
            dependencies: ["CollectionChanges", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionLayouts",
            dependencies: ["CollectionChanges", "CollectionElements", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionPipeline",
            dependencies: [
                "CollectionChanges", "CollectionElements", "CollectionSnapshots", "PersistentTrees",
            ],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionTables",
            dependencies: ["CollectionPipeline", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "BrowserScripts",
            exclude: ["package.json"],
            resources: [.embedInCode("Scripts")],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionPublishing",
            dependencies: ["BrowserScripts", "CollectionPipeline", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "CollectionReplication",
            dependencies: ["CollectionPublishing", "PersistentTrees"],
            swiftSettings: settings
        ),
        .target(
            name: "PipelineTesting",
            dependencies: ["CollectionPipeline"],
            swiftSettings: settings
        ),
        .target(
            name: "SimulatedView",
            dependencies: ["CollectionLayouts", "CollectionPipeline"],
            swiftSettings: settings
        ),
        .target(
            name: "PipelineTrace",
            dependencies: ["CollectionLayouts", "SimulatedView"],
            swiftSettings: settings
        ),

        // Command lines, input, output and progress of all programs.
        .target(
            name: "ProgramSupport",
            path: "Examples/ProgramSupport",
            swiftSettings: settings
        ),
        .executableTarget(
            name: "hello-pipeline",
            dependencies: ["SimulatedView"],
            path: "Examples/hello-pipeline",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "hello-live",
            dependencies: ["CollectionPublishing"],
            path: "Examples/hello-live",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "git-timelapse",
            dependencies: ["PipelineTrace", "ProgramSupport", "SimulatedView"],
            path: "Examples/git-timelapse",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "changeset-lint",
            dependencies: ["CollectionPipeline", "ProgramSupport"],
            path: "Examples/changeset-lint",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "pipeline-benchmarks",
            dependencies: [
                "SimulatedView", "CollectionPublishing", "CollectionTables", "BenchmarkInstruments",
                "ProgramSupport",
            ],
            path: "Examples/pipeline-benchmarks",
            exclude: ["BenchmarkInstruments", "GlazedLists.java", "README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "layout-gallery",
            dependencies: ["PipelineTrace", "ProgramSupport", "SimulatedView"],
            path: "Examples/layout-gallery",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .executableTarget(
            name: "pipeline-simulate",
            dependencies: ["PipelineSimulation", "ProcessorAffinity", "ProgramSupport"],
            path: "Examples/pipeline-simulate",
            exclude: ["DeliberateBugs.txt", "ProcessorAffinity", "README.md"],
            swiftSettings: settings
        ),
        // C, because the calls are extensions that Swift does not import.
        .target(
            name: "ProcessorAffinity",
            path: "Examples/pipeline-simulate/ProcessorAffinity"
        ),
        // C, because no Swift function can replace `malloc`.
        .target(
            name: "BenchmarkInstruments",
            path: "Examples/pipeline-benchmarks/BenchmarkInstruments"
        ),

        .testTarget(
            name: "PersistentTreesTests",
            dependencies: ["PersistentTrees", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionChangesTests",
            dependencies: ["CollectionChanges", "PersistentTrees", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionSnapshotsTests",
            dependencies: ["CollectionSnapshots", "TestSupport"],
            swiftSettings: settings
        ),
        .target(
            name: "TestSupport",
            dependencies: ["CollectionChanges", "CollectionElements", "PersistentTrees"],
            path: "Tests/TestSupport",
            swiftSettings: settings
        ),
        .target(
            name: "PipelineTestSupport",
            dependencies: ["PipelineTesting", "TestSupport"],
            path: "Tests/PipelineTestSupport",
            swiftSettings: settings
        ),
        // The random workloads that prove this library; no product.
        .target(
            name: "PipelineSimulation",
            dependencies: [
                "CollectionReplication", "CollectionTables", "PipelineTesting", "SimulatedView",
            ],
            path: "Tests/PipelineSimulation",
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionElementsTests",
            dependencies: ["CollectionElements", "PersistentTrees", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionLayoutsTests",
            dependencies: ["CollectionLayouts", "PersistentTrees", "TestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionPipelineTests",
            dependencies: ["CollectionPipeline", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionTablesTests",
            dependencies: ["CollectionTables", "PipelineSimulation", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionPublishingTests",
            dependencies: [
                "CollectionPublishing", "CollectionTables", "PersistentTrees",
                "PipelineTestSupport",
            ],
            swiftSettings: settings
        ),
        .testTarget(
            name: "CollectionReplicationTests",
            dependencies: ["CollectionReplication", "PipelineSimulation", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "SimulatedViewTests",
            dependencies: ["SimulatedView", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PipelineTestingTests",
            dependencies: ["PipelineTesting", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PipelineSimulationTests",
            dependencies: ["PipelineSimulation", "PipelineTestSupport"],
            resources: [.copy("Cases")],
            swiftSettings: settings
        ),
        .testTarget(
            name: "PipelineTraceTests",
            dependencies: [
                "PipelineTrace", "SimulatedView", "PipelineSimulation", "PipelineTestSupport",
            ],
            exclude: ["Pictures", "Traces"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "StressTests",
            dependencies: ["PipelineSimulation", "PipelineTestSupport"],
            swiftSettings: settings
        ),
        // It runs the programs, and depends on them only so that they are built.
        .testTarget(
            name: "ProgramTests",
            dependencies: [
                "changeset-lint", "git-timelapse", "layout-gallery", "pipeline-benchmarks",
                "pipeline-simulate", "PipelineTestSupport",
            ],
            exclude: ["Vectors"],
            swiftSettings: settings
        ),
        .testTarget(
            name: "DocumentationTests",
            dependencies: [
                "CollectionReplication", "CollectionTables", "PipelineTrace", "PipelineTesting",
                "SimulatedView", "PipelineTestSupport", "hello-pipeline",
            ],
            swiftSettings: settings
        ),
    ],
    swiftLanguageModes: [.v6]
)

if Context.environment["PIPELINE_FUZZ"] != nil {
    // Without libFuzzer it has no main, and nothing could be linked.
    package.targets.append(
        .executableTarget(
            name: "pipeline-fuzz",
            dependencies: ["PipelineSimulation", "SimulatedView"],
            path: "Examples/pipeline-fuzz",
            exclude: ["README.md"],
            swiftSettings: settings
        )
    )
}

// `PIPELINE_TARGETS=CollectionLayoutsTests swift test` builds these targets and what they depend on, and nothing else.
if let names = Context.environment["PIPELINE_TARGETS"] {
    var kept: Set<String> = []
    var next = names.split(separator: ",").map(String.init)
    while let name = next.popLast() {
        guard let target = package.targets.first(where: { $0.name == name }) else {
            fatalError("PIPELINE_TARGETS: no target is named '\(name)'")
        }
        guard kept.insert(name).inserted else { continue }
        next += target.dependencies.compactMap { dependency in
            if case .byNameItem(let name, _) = dependency { name } else { nil }
        }
    }
    package.targets.removeAll { !kept.contains($0.name) }
    package.products = []
}
