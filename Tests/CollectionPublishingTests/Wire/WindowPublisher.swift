import CollectionPublishing
import PipelineTestSupport

@testable import CollectionPublishing

/// Publishes what somebody sees of random updates who looks now here and now there.
struct WindowPublisher {
    private var publisher: RandomPublisher
    private var random: SeededGenerator
    private var told: (version: PublishedVersion, state: PublishedState)

    init(seed: UInt64) {
        publisher = RandomPublisher(seed: seed)
        random = SeededGenerator(seed: seed)
        told = (publisher.version, publisher.state)
    }

    /// What is in rows that are drawn.
    private mutating func look() -> (PublishedState, WindowPlace) {
        let table = RowTable(publisher.state.shape)
        let first = random.next(below: table.numberOfRows + 1)
        let count = random.next(below: min(8, table.numberOfRows - first) + 1)
        let rows = first..<(first + count)
        return (publisher.state.part(rows, table), table.place(of: rows))
    }

    /// Everything in a window.
    mutating func reset() throws -> HubMessage {
        _ = try publisher.update(merging: 2)
        let (state, place) = look()
        told = (publisher.version, state)
        return .reset(
            PublishedSnapshot(
                version: told.version,
                state: state,
                digest: state.digest,
                place: place
            ),
            .joined
        )
    }

    /// What is different in another window, now and then of the same version.
    mutating func update() throws -> HubMessage {
        if random.chance(0.7) { _ = try publisher.update(rate: 0.1) }
        let (state, place) = look()
        defer { told = (publisher.version, state) }
        let changeSet = state.changes(from: told.state)
        return .update(
            PublishedUpdate(
                from: told.version,
                to: publisher.version,
                changeSet: changeSet,
                contents: PublishedContents(of: changeSet, in: state),
                digest: state.digest,
                place: place
            )
        )
    }

    /// Nothing is missing.
    var mark: HubMessage { .upToDate(told.version, digest: told.state.digest) }
}
