import CollectionPublishing
import Foundation
import Testing

/// Compares the file's results with a replica's; `UPDATE_VECTORS` rewrites them.
@Suite("Vectors for replicas in other languages", .serialized)
struct WireVectorTests {
    @Test func theReplicaMatchesTheVectors() throws {
        let lines = try WireVector.lines
        let found = try lines.map { line in
            let vector = try WireVector(line)
            return try WireVector(vector.name, vector.messages).json
        }
        if ProcessInfo.processInfo.environment["UPDATE_VECTORS"] != nil {
            let text = found.map { $0 + "\n" }.joined()
            try Data(text.utf8).write(to: WireVector.file)
        }
        // The first difference is easier to read than two long texts.
        let other = zip(lines, found).first { $0 != $1 }
        #expect(other?.1 == other.map { String($0.0) })
    }

    @Test func theVectorsContainEveryError() throws {
        let vectors = try WireVector.lines.map { try WireVector($0) }
        let codes: Set = [
            "gap", "double", "otherHistory", "otherDigest", "misfit", "noState", "unreadable",
        ]
        #expect(vectors.count > 200 && Set(vectors.flatMap(\.errors).compactMap(\.self)) == codes)
        for code in codes {
            let named = vectors.filter { $0.name.split(separator: " ")[0] == code }
            #expect(!named.isEmpty && named.allSatisfy { $0.errors.contains(code) }, "\(code)")
        }
        // After any rejected message, the replica continues from its previous state.
        let last = vectors.filter { !$0.name.hasPrefix("spoiled") && $0.errors.last != .some(nil) }
        #expect(last.map(\.name) == [])
    }
}

/// Wire messages and their effects on a replica, for implementations in other languages.
struct WireVector: Codable, Hashable {
    var name: String
    var messages: [JSONValue]
    /// The sections after each message, as in a reset.
    var states: [JSONValue] = []
    var digests: [String] = []
    /// The code of each message's error, or `nil`.
    var errors: [String?] = []

    /// Applies the messages to a replica and records the results.
    init(_ name: String, _ messages: [JSONValue]) throws {
        self.name = name
        self.messages = messages
        var replica = CollectionReplica()
        for message in messages {
            errors.append(replica.receive(try message.json.utf8)?.rawValue)
            states.append(try replica.state.json)
            digests.append("\(replica.digest)")
        }
    }

    static let file = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
        .appendingPathComponent("Examples/browser-replica/vectors.jsonl")

    static var lines: [Substring] {
        get throws { try String(contentsOf: file, encoding: .utf8).split(separator: "\n") }
    }

    init(_ line: Substring) throws {
        self = try JSONDecoder().decode(WireVector.self, from: Data(line.utf8))
    }
}

extension PublishedState {
    /// The state as the sections of a reset.
    var json: JSONValue {
        get throws {
            let snapshot = PublishedSnapshot(
                version: PublishedVersion(handle: WireSamples.handle, number: 1),
                state: self,
                digest: digest
            )
            let message = try JSONValue(HubMessage.reset(snapshot, .joined).json)
            guard case .object(let members) = message, case .object(let reset)? = members["reset"]
            else { return .null }
            return reset["sections"] ?? .array([])
        }
    }
}

extension CollectionReplica {
    /// Applies a message in its wire form, and returns the code of its error or `nil`.
    mutating func receive(_ data: some Sequence<UInt8>) -> ReplicaError.Code? {
        guard let message = try? WireMessage.decoded(from: data) else { return .unreadable }
        do throws(ReplicaError) {
            try apply(message)
            return nil
        } catch {
            return error.code
        }
    }
}
