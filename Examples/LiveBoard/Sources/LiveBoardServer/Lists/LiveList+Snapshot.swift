import CollectionPublishing
import Dispatch
import Foundation

// The list whole, for who wants to compare.

extension LiveList {
    /// What is announced, as the object of a `reset`, with one more member, `map`: whether the view's map has the same,
    /// `equal` or `different`, or `ahead` where it has another version already.
    func snapshotText() async throws -> String {
        try await hub.snapshot.text { [self] in comparison(with: $0) }
    }

    private func comparison(with snapshot: PublishedSnapshot) -> String {
        let map = controller.visibleMap
        guard map.generation == snapshot.version.number else { return "ahead" }
        let state = snapshot.state
        guard map.shape == state.shape else { return "different" }
        for section in 0..<state.numberOfSections {
            let header = map.supplementary(
                ofKind: .header,
                at: ItemPath(section: section, item: 0)
            )
            guard Self.payload(of: header) == state.section(at: section)?.payload else {
                return "different"
            }
            for (item, published) in state.items(inSection: section).enumerated() {
                let element = map.element(at: ItemPath(section: section, item: item))
                guard Self.payload(of: element) == published.payload else { return "different" }
            }
        }
        return "equal"
    }

    private static func payload(of element: CollectionElement?) -> PublishedPayload? {
        (element?.nodeIfAllocated as? any PublishedNode)?.payload
    }
}

extension PublishedSnapshot {
    /// The snapshot as the object of a `reset`, with one more member, `map`; made on a thread of no lane.
    func text(
        map: @escaping @Sendable (PublishedSnapshot) -> String
    ) async throws -> String {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(with: Result { try makeText(map: map(self)) })
            }
        }
    }

    private func makeText(map: String) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.withoutEscapingSlashes, .sortedKeys]
        let message = try WireMessage(.reset(self, .joined))
        let text = String(decoding: try encoder.encode(message), as: UTF8.self)
        // Of `{"reset":{…}}` the inner object.
        return text.dropFirst(#"{"reset":"#.count).dropLast(2) + ",\"map\":\"\(map)\"}"
    }
}
