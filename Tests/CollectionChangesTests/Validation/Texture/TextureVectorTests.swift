import CollectionChanges
import Foundation
import TestSupport
import Testing

/// The `texture` profile against the answers of the original, vector by vector.
@Suite struct TextureVectorTests {
    @Test func everySampledVectorIsReproducedOrNamed() throws {
        let url = try #require(
            Bundle.module.url(
                forResource: "changeset-vectors-sample",
                withExtension: "jsonl",
                subdirectory: "Vectors"
            )
        )
        let tally = VectorTally(try ChangeSetVector.read(from: url))
        tally.report("sample")
        #expect(tally.vectors == 1511)
        #expect(tally.faults.count == 0)
        #expect(
            tally.counts == [
                .modifyCompleted: 15,
                .readIncomplete: 14,
                .mappingBeforeComplete: 14,
                .completeTwice: 14,
                .completedByProbe: 1,
                .duplicatesAppliedOnce: 40,
                .reloadedRows: 170,
                .reloadDataEdits: 28,
            ]
        )
    }

    @Test(
        .enabled("the file of all vectors is not at hand, or takes too long") {
            Effort.isFull && VectorTally.fullFile != nil
        }
    )
    func everyVectorIsReproducedOrNamed() throws {
        let url = try #require(VectorTally.fullFile)
        let tally = VectorTally(try ChangeSetVector.read(from: url))
        tally.report("all")
        #expect(tally.vectors == 6000)
        #expect(tally.faults.count == 0)
        #expect(
            tally.counts == [
                .modifyCompleted: 55,
                .readIncomplete: 55,
                .mappingBeforeComplete: 55,
                .completeTwice: 55,
                .completedByProbe: 1,
                .duplicatesAppliedOnce: 150,
                .reloadedRows: 657,
                .reloadDataEdits: 110,
            ]
        )
    }
}

/// How many vectors of a file agree, and how many differ for which reason.
struct VectorTally {
    let vectors: Int
    private(set) var agreements = 0
    private(set) var counts: [NamedDifference: Int] = [:]
    private(set) var faults: [String] = []

    init(_ vectors: [ChangeSetVector]) {
        self.vectors = vectors.count
        for vector in vectors {
            let comparison = VectorComparison(vector)
            faults += comparison.faults
            for difference in comparison.differences { counts[difference, default: 0] += 1 }
            if comparison.faults.isEmpty && comparison.differences.isEmpty { agreements += 1 }
        }
    }

    /// Where all vectors are: named by the environment, else in the shared folder beside the
    /// package.
    static var fullFile: URL? {
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

    func report(_ name: String) {
        var lines = ["\(name): \(vectors) vectors, \(agreements) agree in every field"]
        for difference in NamedDifference.allCases {
            guard let count = counts[difference] else { continue }
            lines.append("  \(difference.rawValue): \(count) (\(difference.reason))")
        }
        lines.append("  unexplained: \(faults.count)")
        lines += faults.prefix(20).map { "    \($0)" }
        print(lines.joined(separator: "\n"))
    }
}
