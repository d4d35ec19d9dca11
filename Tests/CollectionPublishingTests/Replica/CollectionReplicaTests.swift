import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// A replica takes in what follows on what it has, and nothing else.
struct CollectionReplicaTests {
    private let hub: ScriptedHub

    init() throws { hub = try ScriptedHub() }

    /// Expects that a message is refused, and leaves a replica as it was.
    private func expect(
        _ code: ReplicaError.Code,
        at index: Int?,
        of message: HubMessage,
        _ location: SourceLocation = #_sourceLocation
    ) throws {
        var replica = try index.map { try hub.replica($0) } ?? CollectionReplica()
        let (error, isUnchanged) = replica.fault(of: message)
        #expect(error?.code == code, sourceLocation: location)
        #expect(isUnchanged, sourceLocation: location)
        // What was refused is not in the way of what fits.
        try replica.apply(.reset(hub.snapshot(1), .joined))
        try replica.apply(.update(hub.update(1, 3)))
        #expect(replica.digest == hub.states[3].digest, sourceLocation: location)
    }

    // MARK: What follows

    @Test func aReplicaHasWhatItWasTold() throws {
        var replica = CollectionReplica()
        #expect(replica.version == nil && replica.state == PublishedState())
        #expect(replica.digest == PublishedState().digest && !replica.isClosed)
        try replica.apply(.reset(hub.snapshot(0), .joined))
        for index in 1...3 {
            try replica.apply(.update(hub.update(index - 1, index)))
            #expect(replica.state == hub.states[index])
            #expect(replica.version == hub.version(index))
            #expect(replica.digest == hub.states[index].digest)
            try replica.apply(.upToDate(hub.version(index), digest: hub.states[index].digest))
        }
        try replica.apply(.closed(hub.version(3)))
        #expect(replica.isClosed && replica.state == hub.states[3])
    }

    @Test func oneUpdateLeadsWhereManyDo() throws {
        for from in 0..<3 {
            for to in from + 1...3 {
                var replica = try hub.replica(from)
                try replica.apply(.update(hub.update(from, to)))
                #expect(replica.state == hub.states[to])
                #expect(replica.digest == hub.states[to].digest)
            }
        }
    }

    @Test func anUpdateWithoutADigestIsTakenInAndTheNextDigestFits() throws {
        var replica = try hub.replica(0)
        try replica.apply(.update(hub.update(0, 1).with(digest: .some(nil))))
        try replica.apply(.update(hub.update(1, 2).with(digest: .some(nil))))
        #expect(replica.digest == hub.states[2].digest)
        try replica.apply(.update(hub.update(2, 3)))
    }

    @Test func anUpdateOfNothingLeadsToALaterVersion() throws {
        var replica = try hub.replica(1)
        var later = hub.version(1)
        later = PublishedVersion(handle: later.handle, number: later.number + 1)
        let update = PublishedUpdate(
            from: hub.version(1),
            to: later,
            changeSet: .unchanged(hub.states[1].shape),
            contents: PublishedContents(),
            digest: hub.states[1].digest
        )
        try replica.apply(.update(update))
        #expect(replica.version == later && replica.state == hub.states[1])
    }

    @Test(arguments: ResetReason.allCases)
    func everythingIsTakenInWhateverThereWas(_ reason: ResetReason) throws {
        for index in 0...3 {
            var replica = try hub.replica(2)
            try replica.apply(.reset(hub.snapshot(index), reason))
            #expect(replica.version == hub.version(index) && replica.state == hub.states[index])
            let other = PublishedVersion(handle: ScriptedHub.otherHandle, number: 0)
            let snapshot = PublishedSnapshot(
                version: other,
                state: hub.states[index],
                digest: hub.states[index].digest
            )
            try replica.apply(.reset(snapshot, reason))
            #expect(replica.version == other)
        }
    }

    @Test func aReplicaThatWasToldTheEndGoesOnWhereItComesBack() throws {
        for message in [
            HubMessage.reset(hub.snapshot(2), .otherHistory), .update(try hub.update(1, 2)),
        ] {
            var replica = try hub.replica(1)
            try replica.apply(.closed(hub.version(1)))
            try replica.apply(message)
            #expect(replica.version == hub.version(2) && !replica.isClosed)
        }
        var replica = try hub.replica(1)
        try replica.apply(.closed(hub.version(1)))
        try replica.apply(.upToDate(hub.version(1), digest: hub.states[1].digest))
        #expect(!replica.isClosed)
    }

    @Test func whatIsRefusedAfterTheEndLeavesItTheEnd() throws {
        var replica = try hub.replica(1)
        try replica.apply(.closed(hub.version(1)))
        try replica.apply(.closed(hub.version(1)))
        let refused: [HubMessage] = [
            .update(try hub.update(2, 3)), .upToDate(hub.version(2), digest: replica.digest),
            .closed(hub.version(0)),
        ]
        for message in refused {
            let (error, isUnchanged) = replica.fault(of: message)
            #expect(error != nil && isUnchanged && replica.isClosed)
        }
    }

    // MARK: What does not

    @Test func beforeTheFirstStateNothingElseIsTakenIn() throws {
        try expect(.noState, at: nil, of: .update(hub.update(0, 1)))
        try expect(.noState, at: nil, of: .upToDate(hub.version(0), digest: hub.states[0].digest))
        try expect(.noState, at: nil, of: .closed(hub.version(0)))
    }

    @Test func aMessageFromLaterIsAGap() throws {
        try expect(.gap, at: 1, of: .update(hub.update(2, 3)))
        try expect(.gap, at: 1, of: .upToDate(hub.version(2), digest: hub.states[1].digest))
        try expect(.gap, at: 1, of: .closed(hub.version(3)))
    }

    @Test func aMessageFromEarlierIsADouble() throws {
        try expect(.double, at: 2, of: .update(hub.update(1, 2)))
        try expect(.double, at: 2, of: .update(hub.update(1, 3)))
        try expect(.double, at: 2, of: .upToDate(hub.version(1), digest: hub.states[2].digest))
        try expect(.double, at: 2, of: .closed(hub.version(0)))
    }

    @Test func anUpdateThatLeadsNowhereIsADouble() throws {
        let update = try hub.update(1, 2)
        for to in [update.from, hub.version(0)] {
            try expect(.double, at: 1, of: .update(update.with(to: to)))
        }
    }

    @Test func aMessageOfAnotherHistoryIsOne() throws {
        let update = try hub.update(1, 2)
        for number in [0, 2, 4] {
            let other = PublishedVersion(handle: ScriptedHub.otherHandle, number: number)
            try expect(.otherHistory, at: 1, of: .update(update.with(from: other)))
            try expect(.otherHistory, at: 1, of: .update(update.with(from: other, to: other)))
            try expect(.otherHistory, at: 1, of: .upToDate(other, digest: hub.states[1].digest))
            try expect(.otherHistory, at: 1, of: .closed(other))
        }
        let away = PublishedVersion(handle: ScriptedHub.otherHandle, number: update.to.number)
        try expect(.otherHistory, at: 1, of: .update(update.with(to: away)))
    }

    @Test func anUpdateOfAnotherShapeIsAMisfit() throws {
        for (from, to) in [(0, 1), (2, 3), (0, 3)] {
            let update = try hub.update(from, to).with(from: hub.version(1), to: hub.version(3))
            try expect(.misfit, at: 1, of: .update(update))
        }
    }

    @Test func contentsThatDoNotFitAreAMisfit() throws {
        let item = PublishedItem(number: 99, payload: nil)
        let section = PublishedSection(number: 99, payload: nil)
        let edits: [(inout PublishedContents) -> Void] = [
            { $0.insertedItems = [] }, { $0.insertedItems.append(item) },
            { $0.changedItems = [] }, { $0.changedItems.append(item) },
            { $0.changedSections = [] }, { $0.changedSections[0].newIndex = 1 },
            { $0.changedSections[0].newIndex = .max }, { $0.changedSections[0].newIndex = -1 },
            { $0.freshSections.append(.init(section: section)) },
        ]
        let update = try hub.update(1, 2)
        for edit in edits {
            var contents = update.contents
            edit(&contents)
            try expect(.misfit, at: 1, of: .update(update.with(contents: contents)))
        }
    }

    @Test func contentsThatFitAndAreOthersHaveAnotherDigest() throws {
        let payload = PublishedPayload("something else")
        let edits: [(inout PublishedContents) -> Void] = [
            { $0.insertedItems[0] = PublishedItem(number: 99, payload: payload) },
            {
                $0.changedItems[0] = PublishedItem(
                    number: $0.changedItems[0].number,
                    payload: payload
                )
            },
            { $0.changedSections[0].section = PublishedSection(number: 99, payload: nil) },
        ]
        let update = try hub.update(1, 2)
        for edit in edits {
            var contents = update.contents
            edit(&contents)
            try expect(.otherDigest, at: 1, of: .update(update.with(contents: contents)))
        }
    }

    @Test func anotherDigestIsRefusedWhoeverSaysIt() throws {
        let wrong = StateDigest(low: 1, high: 2)
        try expect(.otherDigest, at: 1, of: .update(hub.update(1, 2).with(digest: wrong)))
        try expect(.otherDigest, at: 1, of: .upToDate(hub.version(1), digest: wrong))
        let snapshot = PublishedSnapshot(
            version: hub.version(1),
            state: hub.states[2],
            digest: hub.states[1].digest
        )
        for index in [nil, 0, 1, 3] {
            try expect(.otherDigest, at: index, of: .reset(snapshot, .joined))
        }
    }
}
