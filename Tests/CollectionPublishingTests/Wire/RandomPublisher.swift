import CollectionPublishing
import PipelineTestSupport

@testable import CollectionPublishing

/// Publishes random updates of every kind, as a hub does that nobody waits for.
struct RandomPublisher {
    private(set) var state = PublishedState()
    private(set) var version = PublishedVersion(handle: Self.handle, number: 0)
    private var random: SeededGenerator
    private var lastItem: UInt64 = 0
    private var lastSection: UInt64 = 0

    static let handle = HistoryHandle(rawValue: 0xC0FFEE)

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// Everything that there is.
    var reset: HubMessage {
        let snapshot = PublishedSnapshot(version: version, state: state, digest: state.digest)
        return .reset(snapshot, .joined)
    }

    /// The next update of one kind or the other, often with a digest; of several at once where they are merged.
    mutating func update(rate: Double = 0.2, merging count: Int = 1) throws -> HubMessage {
        let from = version
        var composition = ChangeSetComposition(from: state.shape)
        for _ in 0..<count {
            let changeSet = try changeSet(rate: rate)
            try composition.append(changeSet)
            state = state.applying(changeSet, contents(of: changeSet))
        }
        let changeSet = composition.update
        version = PublishedVersion(
            handle: from.handle,
            number: from.number + 1 + random.next(below: 3)
        )
        return .update(
            PublishedUpdate(
                from: from,
                to: version,
                changeSet: changeSet,
                contents: PublishedContents(of: changeSet, in: state),
                digest: random.chance(0.7) ? state.digest : nil
            )
        )
    }

    private mutating func changeSet(rate: Double) throws -> ValidatedChangeSet {
        if random.chance(0.05) {
            return .reloadingData(from: state.shape, to: [2, 0, 3], animation: .automatic)
        }
        if random.chance(0.05) { return .unchanged(state.shape) }
        let update = RandomUpdate(from: state.shape, &random, rate: rate)
        var changes = update.changes
        for section in 0..<update.newShape.numberOfSections where random.chance(0.2) {
            changes.reloadSupplementaries(ofKind: .header, in: SectionSet(section))
        }
        return try changes.validated(from: state.shape, to: update.newShape)
    }

    private mutating func contents(of changeSet: ValidatedChangeSet) -> PublishedContents {
        var contents = PublishedContents()
        for edit in changeSet.sectionInsertions where edit.role != .move {
            lastSection += 1
            let section = PublishedSection(number: lastSection, payload: payload())
            let items = (0..<edit.freshItemCount).map { _ in freshItem() }
            contents.freshSections.append(
                PublishedContents.FreshSection(section: section, items: items)
            )
        }
        for edit in changeSet.itemInsertions where edit.role != .move {
            contents.insertedItems.append(freshItem())
        }
        for change in changeSet.reconfigurations {
            guard let old = state.item(at: change.oldPath) else { continue }
            contents.changedItems.append(PublishedItem(number: old.number, payload: payload()))
        }
        for newIndex in changeSet.changedSections {
            guard let old = changeSet.oldSection(for: newIndex).flatMap(state.section(at:)) else {
                continue
            }
            let section = PublishedSection(number: old.number, payload: payload())
            contents.changedSections.append(
                PublishedContents.ChangedSection(newIndex: newIndex, section: section)
            )
        }
        return contents
    }

    private mutating func freshItem() -> PublishedItem {
        lastItem += 1
        return PublishedItem(number: lastItem, payload: payload())
    }

    private mutating func payload() -> PublishedPayload? {
        let texts = [
            "", "a", "<b>ä€𝄞</b>", "e\u{301}", "\u{0}\"\\/\u{2028}", "seven b", "eightbyt",
        ]
        return texts.indices.contains(random.next(below: 9))
            ? PublishedPayload(texts[random.next(below: texts.count)]) : nil
    }
}

extension PublishedState {
    /// The state as the sections of a reset.
    var json: JSONValue {
        get throws {
            let snapshot = PublishedSnapshot(
                version: PublishedVersion(handle: RandomPublisher.handle, number: 1),
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
