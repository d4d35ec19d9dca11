import PipelineTestSupport

@testable import CollectionPublishing

/// A hub with a few versions: its states, and messages between any two of them.
struct ScriptedHub {
    static let handle = HistoryID(rawValue: 7)
    static let otherHandle = HistoryID(rawValue: 8)

    /// The states, beginning before the first update.
    private(set) var states = [PublishedState()]
    private(set) var updates: [ValidatedChangeSet] = []

    /// Makes a list whose updates contain everything that a message can contain.
    init() throws {
        var updates = PublishedUpdates(seed: 5, isComplete: true)
        var changes = HierarchyChangeSet()
        changes.insertSections([0, 1])
        go(&updates, try changes.validated(from: [], to: [3, 2]))
        changes = HierarchyChangeSet()
        changes.insertItems(at: [ItemPath(0, 0)])
        changes.reconfigureItems(at: [ItemPath(0, 2)])
        changes.moveItem(at: ItemPath(1, 0), to: ItemPath(0, 1))
        changes.reloadSupplementaries(ofKind: .header, in: [0])
        go(&updates, try changes.validated(from: [3, 2], to: [5, 1]))
        changes = HierarchyChangeSet()
        changes.insertSections([0])
        changes.reloadItems(at: [ItemPath(0, 0)])
        changes.deleteSections([1])
        go(&updates, try changes.validated(from: [5, 1], to: [2, 5]))
    }

    private mutating func go(_ updates: inout PublishedUpdates, _ update: ValidatedChangeSet) {
        let contents = updates.take(update)
        states.append(states[states.count - 1].applying(update, contents))
        self.updates.append(update)
    }

    /// Returns the version of state `index`; odd numbers do not occur.
    func version(_ index: Int) -> PublishedVersion {
        PublishedVersion(handle: Self.handle, number: index * 2)
    }

    func snapshot(_ index: Int) -> PublishedSnapshot {
        PublishedSnapshot(
            version: version(index),
            state: states[index],
            digest: states[index].digest
        )
    }

    func update(_ from: Int, _ to: Int) throws -> PublishedUpdate {
        let sum = try ValidatedChangeSet(composing: updates[from..<to])
        return PublishedUpdate(
            from: version(from),
            to: version(to),
            changeSet: sum!,
            contents: PublishedContents(of: sum!, in: states[to]),
            digest: states[to].digest
        )
    }

    /// Returns a replica with the state of a version.
    func replica(_ index: Int) throws -> CollectionReplica {
        var replica = CollectionReplica()
        try replica.apply(.reset(snapshot(index), .joined))
        return replica
    }
}

extension PublishedUpdate {
    /// Returns a copy with the given parts replaced.
    func with(
        from: PublishedVersion? = nil,
        to: PublishedVersion? = nil,
        contents: PublishedContents? = nil,
        digest: StateDigest?? = nil
    ) -> PublishedUpdate {
        PublishedUpdate(
            from: from ?? self.from,
            to: to ?? self.to,
            changeSet: changeSet,
            contents: contents ?? self.contents,
            digest: digest ?? self.digest
        )
    }
}

extension CollectionReplica {
    /// Applies a message; returns its error, or `nil`, and whether the replica is unchanged.
    mutating func fault(of message: HubMessage) -> (error: ReplicaError?, isUnchanged: Bool) {
        let before = self
        var error: ReplicaError?
        do { try apply(message) } catch let fault { error = fault }
        let isUnchanged =
            state == before.state && version == before.version && digest == before.digest
            && isClosed == before.isClosed
        return (error, isUnchanged)
    }
}
