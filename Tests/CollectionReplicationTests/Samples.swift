import CollectionChanges
import CollectionPublishing
import PipelineTestSupport

@testable import CollectionReplication

// Sample values of a replicated log.

enum Samples {
    static let handle = HistoryID(rawValue: 0xC0FFEE)
    static let other = StableHashKey(low: 1, high: 2)

    /// Returns an empty chain with epoch 1, opened by writer 9.
    static func opened(key: StableHashKey = .usual, limits: ShapeLimits = ShapeLimits()) throws
        -> LogChain
    {
        try beginning(key: key, limits: limits).opening(epoch: 1, writer: 9, jump: 100).chain
    }

    static func beginning(key: StableHashKey = .usual, limits: ShapeLimits = ShapeLimits())
        -> LogChain
    {
        LogChain(beginning: handle, at: 5, key: key, limits: limits)
    }

    /// Returns a state of sections with texts; the numbers of items and sections start at `first`.
    static func state(_ texts: [[String]], from first: UInt64 = 1) -> PublishedState {
        var number = first - 1
        let sections = texts.enumerated().map { index, items in
            PublishedContents.InsertedSection(
                section: PublishedSection(
                    number: first + UInt64(index),
                    payload: PublishedPayload(utf8: "header \(index)")
                ),
                items: items.map { text in
                    number += 1
                    return PublishedItem(number: number, payload: PublishedPayload(utf8: text))
                }
            )
        }
        return PublishedState(sections, shape: HierarchyShape(texts.map(\.count)))
    }

    static func position(_ number: UInt64 = 3) -> ChainPosition {
        ChainPosition(
            handle: handle,
            epoch: number,
            writer: number * 7,
            sequence: number * 11,
            version: Int(number) * 13,
            hash: StateDigest(low: number, high: ~number)
        )
    }

    static var head: LogHead {
        let snapshot = LogHead.Snapshot(
            name: "a-3-b",
            chunks: 2,
            bytes: 1000,
            position: position(),
            logPosition: 17
        )
        var previous = snapshot
        previous.name = "a-2-b"
        previous.position = position(2)
        return LogHead(snapshot: snapshot, previous: previous)
    }

    static var snapshot: EncodableSnapshot {
        EncodableSnapshot(
            position: position(),
            numbers: LastNumbers(item: 3, section: 2),
            state: state([["a", "b"], ["c"]])
        )
    }

    /// Returns a record that inserts and changes something, and the chain that it extends.
    static func update() throws -> (chain: LogChain, record: PendingRecord) {
        let chain = try opened()
        let first = try chain.sealed(state([["a", "b"], ["c"]]), version: 200)
        var next = state([["b", "new", "a"], [], ["d"]])
        next = PublishedState(next.sections, shape: next.shape)
        return (first.chain, try first.chain.sealed(next, version: 201))
    }
}

extension PublishedState {
    var sections: [PublishedContents.InsertedSection] {
        (0..<numberOfSections).compactMap { index in
            section(at: index).map {
                PublishedContents.InsertedSection(section: $0, items: items(inSection: index))
            }
        }
    }

    var texts: [[String]] {
        sections.map { $0.items.map { String(decoding: $0.payload?.bytes ?? [], as: UTF8.self) } }
    }

    var numbers: [[UInt64]] { sections.map { $0.items.map(\.number) } }
}
