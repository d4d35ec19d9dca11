import CollectionPublishing
import CollectionReplication

/// A leader's chain over rows of one section, a follower's, and the state alone.
struct ReplicatedRows {
    private var leader: LogChain
    private var follower: LogChain
    private var state: KeptState
    private var version: Int
    private let shape: HierarchyShape
    private var random = SplitMix64()
    /// What was sealed and not taken in.
    private var records: [PendingRecord] = []

    /// What every row shows: some forty bytes.
    private static let payload = PublishedPayload(String(repeating: "<b>row</b>", count: 4))

    init(count: Int) throws {
        shape = [count]
        let beginning = LogChain(
            beginning: HistoryHandle(rawValue: 1),
            at: 1,
            key: .usual,
            limits: ShapeLimits()
        )
        let opening = try beginning.opening(epoch: 1, writer: 1, jump: 1)
        let load = try HierarchyChangeSet([.reloadData()]).validated(from: [], to: shape)
        version = 3
        let first = try opening.chain.sealed(load, Self.contents(of: load), version: version)
        leader = first.chain
        follower = first.chain
        state = first.chain.contents
    }

    private static func contents(of update: ValidatedChangeSet) -> PublishedContents {
        let item = PublishedItem(number: 1, payload: payload)
        var contents = PublishedContents()
        for edit in update.sectionInsertions {
            contents.freshSections.append(
                PublishedContents.FreshSection(
                    section: PublishedSection(number: 1, payload: nil),
                    items: Array(repeating: item, count: edit.freshItemCount)
                )
            )
        }
        contents.insertedItems = update.itemInsertions.map { _ in item }
        return contents
    }

    /// Five rows come, and five go.
    private mutating func update() throws -> ValidatedChangeSet {
        let count = shape.itemCounts[0]
        func paths() -> [ItemPath] {
            // One in each fifth.
            (0..<5).map { part in
                let item = (part * count + Int.random(in: 0..<count, using: &random)) / 5
                return ItemPath(section: 0, item: item)
            }
        }
        let changes = HierarchyChangeSet([
            .deleteItems(paths(), .automatic), .insertItems(paths(), .automatic),
        ])
        return try changes.validated(from: shape, to: shape)
    }

    /// How many bytes the record takes that was sealed last.
    var byteCount: Int { records.last?.bytes.count ?? 0 }

    /// Seals one update of ten edits.
    mutating func seal() throws {
        let update = try update()
        version += 1
        let record = try leader.sealed(update, Self.contents(of: update), version: version)
        leader = record.chain
        records.append(record)
    }

    /// Takes in what was sealed, as it has travelled.
    mutating func take() throws {
        for record in records {
            guard case .extended = follower.take(try LogRecord(decoding: record.bytes, key: .usual))
            else { continue }
            BlackHole.consume(1)
        }
    }

    /// Does what was sealed to the state alone.
    mutating func go() {
        for record in records { state.go(by: record.update.changeSet, record.update.contents) }
        BlackHole.consume(UInt(state.state.numberOfSections))
    }

    /// Forgets what was sealed, which both have taken in.
    mutating func forget() { records.removeAll(keepingCapacity: true) }
}
