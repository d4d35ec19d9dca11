import CollectionPublishing
import Foundation
import Testing

/// The messages of the file are what they are; `UPDATE_VECTORS` writes anew what a replica makes of them.
@Suite("Vectors for replicas in other languages", .serialized)
struct WireVectorTests {
    @Test func theReplicaDoesWhatTheFileSays() throws {
        let lines = try WireVector.lines
        let found = try lines.map { line in
            let vector = try WireVector(line)
            return try WireVector(vector.name, vector.messages).json
        }
        if ProcessInfo.processInfo.environment["UPDATE_VECTORS"] != nil {
            let text = found.map { $0 + "\n" }.joined()
            try Data(text.utf8).write(to: WireVector.file)
        }
        // The first difference says more than two long texts.
        let other = zip(lines, found).first { $0 != $1 }
        #expect(other?.1 == other.map { String($0.0) })
    }

    @Test func theyHaveEveryFaultThatAMessageCanHave() throws {
        let vectors = try WireVector.lines.map { try WireVector($0) }
        let codes: Set = [
            "gap", "double", "otherHistory", "otherDigest", "misfit", "noState", "unreadable",
        ]
        #expect(vectors.count > 200 && Set(vectors.flatMap(\.errors).compactMap(\.self)) == codes)
        for code in codes {
            let named = vectors.filter { $0.name.split(separator: " ")[0] == code }
            #expect(!named.isEmpty && named.allSatisfy { $0.errors.contains(code) }, "\(code)")
        }
        // Whatever was refused, the replica goes on from where it was.
        let last = vectors.filter { !$0.name.hasPrefix("spoiled") && $0.errors.last != .some(nil) }
        #expect(last.map(\.name) == [])
    }
}
