import Foundation

@testable import changeset_lint

/// The files of recorded answers.
enum Vectors {
    /// The sample that comes with the package.
    static let sample = package.appendingPathComponent(
        "Tests/CollectionChangesTests/Vectors/changeset-vectors-sample.jsonl"
    )

    /// All of them: named by the environment, else in the shared folder beside the package, else
    /// nowhere.
    static let all: URL? = {
        if let path = ProcessInfo.processInfo.environment["CHANGESET_VECTORS"] {
            return URL(fileURLWithPath: path)
        }
        let url = package.deletingLastPathComponent()
            .appendingPathComponent("shared/vectors/changeset-vectors.jsonl")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }()

    private static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Every `stride`th line of the sample.
    static func scenarios(stride: Int) throws -> [Scenario] {
        let lines = try Data(contentsOf: sample).split(separator: UInt8(ascii: "\n"))
        return try Swift.stride(from: 0, to: lines.count, by: stride).map {
            try Scenario(line: Array(lines[$0]))
        }
    }

    static func scenario(id: Int) throws -> Scenario {
        let scenario = try scenarios(stride: 1).first { $0.id == .integer(id) }
        struct Missing: Error { let id: Int }
        guard let scenario else { throw Missing(id: id) }
        return scenario
    }
}
