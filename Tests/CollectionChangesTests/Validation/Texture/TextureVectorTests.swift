import CollectionChanges
import Foundation
import TestSupport
import Testing

/// The `texture` profile against the answers of the original, vector by vector.
@Suite struct TextureVectorTests {
    /// Compares every vector of a file, and counts those that differ for each reason that has a name.
    private func check(_ file: URL, count: Int, _ expected: [NamedDifference: Int]) throws {
        let comparisons = try ChangeSetVector.read(from: file).map { VectorComparison($0) }
        #expect(comparisons.count == count)
        let faults = comparisons.flatMap(\.faults)
        #expect(faults.isEmpty, "\(faults.count), first \(faults.prefix(20))")
        let differences = comparisons.flatMap { Array($0.differences) }
        #expect(Dictionary(differences.map { ($0, 1) }, uniquingKeysWith: +) == expected)
    }

    @Test func everySampledVectorIsReproducedOrNamed() throws {
        let url = try #require(
            Bundle.module.url(
                forResource: "changeset-vectors-sample",
                withExtension: "jsonl",
                subdirectory: "Vectors"
            )
        )
        try check(
            url,
            count: 1511,
            [
                .modifyCompleted: 15, .readIncomplete: 14, .mappingBeforeComplete: 14,
                .completeTwice: 14, .completedByProbe: 1, .duplicatesAppliedOnce: 40,
                .reloadedRows: 170, .reloadDataEdits: 28,
            ]
        )
    }

    @Test(
        .enabled("the file of all vectors is not at hand, or takes too long") {
            Effort.isFull && fullFile != nil
        }
    )
    func everyVectorIsReproducedOrNamed() throws {
        try check(
            try #require(Self.fullFile),
            count: 6000,
            [
                .modifyCompleted: 55, .readIncomplete: 55, .mappingBeforeComplete: 55,
                .completeTwice: 55, .completedByProbe: 1, .duplicatesAppliedOnce: 150,
                .reloadedRows: 657, .reloadDataEdits: 110,
            ]
        )
    }

    /// Where all vectors are: named by the environment, else in the shared folder beside the package.
    private static var fullFile: URL? {
        if let path = ProcessInfo.processInfo.environment["CHANGESET_VECTORS"] {
            return URL(fileURLWithPath: path)
        }
        // Six folders up: those of the tests, and the package's own.
        let url = (0..<6).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }
        .appendingPathComponent("shared/vectors/changeset-vectors.jsonl")
        return FileManager.default.fileExists(atPath: url.path) ? url : nil
    }
}
