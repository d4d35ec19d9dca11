import CollectionPublishing
import Foundation
import Testing

@Suite("Vectors for replicas in other languages", .serialized)
struct WireVectorTests {
    private static let all = Result { try WireVector.all() }

    @Test func theFileHasWhatThisPackageMakesOfThem() throws {
        let vectors = try Self.all.get()
        let text = try vectors.map { try $0.json + "\n" }.joined()
        if ProcessInfo.processInfo.environment["UPDATE_VECTORS"] != nil {
            try Data(text.utf8).write(to: WireVector.file)
        }
        let file = try String(contentsOf: WireVector.file, encoding: .utf8)
        // The first difference says more than two long texts.
        let lines = file.split(separator: "\n")
        for (vector, line) in zip(vectors, lines) where try vector.json != line {
            Issue.record("\(vector.name) is another: UPDATE_VECTORS=1 writes the file")
            return
        }
        #expect(lines.count == vectors.count && file.utf8.count == text.utf8.count)
    }

    @Test func theReplicaDoesWhatTheFileSays() throws {
        let file = try String(contentsOf: WireVector.file, encoding: .utf8)
        for line in file.split(separator: "\n") {
            let vector = try JSONDecoder().decode(WireVector.self, from: Data(line.utf8))
            let found = try WireVector(vector.name, vector.messages)
            #expect(found.errors == vector.errors, "\(vector.name)")
            #expect(found.digests == vector.digests, "\(vector.name)")
            #expect(found.states == vector.states, "\(vector.name)")
        }
    }

    @Test func theyHaveEveryFaultThatAMessageCanHave() throws {
        let vectors = try Self.all.get()
        let codes: Set = [
            "gap", "double", "otherHistory", "otherDigest", "misfit", "noState", "unreadable",
        ]
        #expect(Set(vectors.flatMap(\.errors).compactMap(\.self)) == codes)
        for code in codes {
            let named = vectors.filter { $0.name.split(separator: " ")[0] == code }
            #expect(!named.isEmpty && named.allSatisfy { $0.errors.contains(code) }, "\(code)")
        }
        for vector in vectors where !vector.name.hasPrefix("spoiled") {
            #expect(vector.errors.last == .some(nil), "\(vector.name)")
        }
    }
}
