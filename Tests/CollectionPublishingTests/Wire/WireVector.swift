import CollectionPublishing
import Foundation

/// Messages as they travel, and what a replica makes of each: for replicas in other languages.
struct WireVector: Codable, Hashable {
    var name: String
    var messages: [JSONValue]
    /// The sections after each message, as in a reset.
    var states: [JSONValue] = []
    var digests: [String] = []
    /// The code of the error that each message gives.
    var errors: [String?] = []

    /// What the replica of this package makes of messages.
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

    /// The lines of the file.
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
                version: PublishedVersion(handle: Written.handle, number: 1),
                state: self,
                digest: digest
            )
            let message = try JSONValue(of: WireMessage(.reset(snapshot, .joined)))
            guard case .object(let members) = message, case .object(let reset)? = members["reset"]
            else { return .null }
            return reset["sections"] ?? .array([])
        }
    }
}

extension CollectionReplica {
    /// Takes in a message as it travels, and says which fault it had.
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
