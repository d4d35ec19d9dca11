import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// A ledger, told by hand.
struct HubLedgerDetailTests {
    /// One section of so many items, which show their paths.
    private func ledger(
        items: Int = 3,
        _ configure: (inout HubConfiguration) -> Void = { _ in }
    ) throws -> HubLedger {
        var configuration = HubConfiguration()
        configuration.handle = PublishedScene.handle
        configure(&configuration)
        var ledger = HubLedger(configuration)
        let load = HierarchyChangeSet([.reloadData()])
        try publish(load, from: [], to: [items], at: 1, &ledger)
        ledger.announce()
        return ledger
    }

    private func publish(
        _ changes: HierarchyChangeSet,
        from old: HierarchyShape,
        to new: HierarchyShape,
        at version: Int,
        remeasured: [ElementPlace] = [],
        item: (ItemPath) -> PublishedPayload? = { PublishedPayload("\($0)") },
        header: (Int) -> PublishedPayload? = { _ in nil },
        _ ledger: inout HubLedger
    ) throws {
        let update = try changes.validated(from: old, to: new)
        ledger.publish(
            RenderedUpdate(
                update,
                to: version,
                remeasured: remeasured,
                item: item,
                header: header
            )
        )
    }

    private func tell(_ reader: inout ReaderProgress, _ ledger: inout HubLedger) -> String? {
        ledger.next(for: &reader)?.words
    }

    @Test func theDefaultsAreThoseThatAreDocumented() {
        let configuration = HubConfiguration()
        #expect(configuration.name == "hub" && configuration.digestInterval == 16)
        #expect(configuration.minimumInterval == .zero && configuration.heartbeat == nil)
        #expect(configuration.resumableUpdates == 1024 && configuration.resumableEdits == 262_144)
        #expect(configuration.retainedVersions == 4096 && configuration.recentUpdates == 64)
        #expect(configuration.unpublishedUpdates == 8 && configuration.readerLimit == 1_000_000)
        #expect(configuration.retainedEdits == 1_048_576)
        #expect(configuration.elementSizeRange == .unconstrained)
        #expect(configuration.handle != HubConfiguration().handle)
    }

    @Test func aReloadStartsFromWhateverThereIs() throws {
        var ledger = try ledger()
        var reader = ReaderProgress()
        _ = ledger.next(for: &reader)
        // Whoever stands between the controller and the hub lost what led to two sections.
        let reload = HierarchyChangeSet([.reloadData()])
        try publish(reload, from: [5, 5], to: [1], at: 4, &ledger)
        ledger.announce()
        guard case .update(let update)? = ledger.next(for: &reader) else { throw Unexpected() }
        #expect(update.changeSet.oldShape == [3] && update.changeSet.isReloadData)
        #expect(ledger.announced.state.texts == [["0 - 0"]])
        try publish(reload, from: [1], to: [2], at: 5, &ledger)
        ledger.announce()
        #expect(ledger.announced.state.shape == [2])
    }

    @Test func whatIsMeasuredAgainAndShowsTheSameIsNoChange() throws {
        var ledger = try ledger()
        let places = (0..<3).map { ElementPlace(path: ItemPath(0, $0)) }
        let none = HierarchyChangeSet()
        try publish(none, from: [3], to: [3], at: 2, remeasured: places, &ledger)
        ledger.announce()
        var reader = ReaderProgress(
            joiningFrom: PublishedVersion(handle: PublishedScene.handle, number: 1)
        )
        guard case .update(let update)? = ledger.next(for: &reader) else { throw Unexpected() }
        #expect(update.contents.count == 0 && update.changeSet.reconfigurations.isEmpty)
        try publish(
            none,
            from: [3],
            to: [3],
            at: 3,
            remeasured: places,
            item: { PublishedPayload($0.item == 1 ? "new" : "\($0)") },
            &ledger
        )
        ledger.announce()
        guard case .update(let next)? = ledger.next(for: &reader) else { throw Unexpected() }
        #expect(next.contents.changedItems.map { $0.payload?.text } == ["new"])
        #expect(next.changeSet.reconfigurations.map(\.newPath) == [ItemPath(0, 1)])
    }

    @Test func headersThatAreMeasuredLaterArePublishedThen() throws {
        var ledger = try ledger()
        try publish(
            HierarchyChangeSet([.insertSections([1, 2], .automatic)]),
            from: [3],
            to: [3, 0, 0],
            at: 2,
            &ledger
        )
        let places = [
            ElementPlace(path: ItemPath(0, 0), kind: .header),
            ElementPlace(path: ItemPath(1, 0), kind: .footer),
            ElementPlace(path: ItemPath(2, 0), kind: .header),
            ElementPlace(path: ItemPath(2, 1), kind: .header),
        ]
        func remeasure(at version: Int) throws {
            try publish(
                HierarchyChangeSet(),
                from: [3, 0, 0],
                to: [3, 0, 0],
                at: version,
                remeasured: places,
                header: { PublishedPayload("header \($0)") },
                &ledger
            )
            ledger.announce()
        }
        try remeasure(at: 3)
        #expect(ledger.announced.state.headers == ["header 0", nil, "header 2"])
        var reader = ReaderProgress()
        _ = ledger.next(for: &reader)
        try remeasure(at: 4)
        guard case .update(let update)? = ledger.next(for: &reader) else { throw Unexpected() }
        #expect(update.contents.count == 0, "they show what they showed")
        #expect(ledger.announced.digest == ledger.announced.state.digest)
    }

    @Test func leastLimitsAreOne() throws {
        var ledger = try ledger {
            $0.digestInterval = 0
            $0.recentUpdates = 0
        }
        var reader = ReaderProgress(policy: .individually(limit: 5))
        _ = ledger.next(for: &reader)
        var item = 3
        func insert() throws {
            let insertion = HierarchyChangeSet([.insertItems([ItemPath(0, 0)], .automatic)])
            try publish(insertion, from: [item], to: [item + 1], at: item, &ledger)
            item += 1
            ledger.announce()
        }
        try insert()
        guard case .update(let update)? = ledger.next(for: &reader) else { throw Unexpected() }
        #expect(update.digest == ledger.announced.digest)
        try insert()
        try insert()
        #expect(tell(&reader, &ledger) == "update 3 5", "only the last is kept by itself")
    }

    @Test(arguments: [-1, 0])
    func noLimitOfUpdatesOneByOneIsNone(_ limit: Int) throws {
        var ledger = try ledger()
        var reader = ReaderProgress(policy: .individually(limit: limit))
        _ = ledger.next(for: &reader)
        for version in 2...3 {
            try publish(HierarchyChangeSet(), from: [3], to: [3], at: version, &ledger)
            ledger.announce()
        }
        #expect(tell(&reader, &ledger) == "update 1 3")
    }

    @Test func nobodyIsToldOneByOneWhereItCouldNotGoOn() throws {
        var ledger = try ledger { $0.resumableUpdates = 0 }
        var reader = ReaderProgress(policy: .individually(limit: 5))
        var other = ReaderProgress()
        _ = ledger.next(for: &reader)
        for version in 2...3 {
            try publish(HierarchyChangeSet(), from: [3], to: [3], at: version, &ledger)
            ledger.announce()
        }
        #expect(tell(&reader, &ledger) == "update 1 3", "what begins at 2 is not kept")
        reader = ReaderProgress(policy: .individually(limit: 5))
        _ = ledger.next(for: &reader)
        for version in 4...5 {
            try publish(HierarchyChangeSet(), from: [3], to: [3], at: version, &ledger)
            ledger.announce()
            if version == 4 { _ = ledger.next(for: &other) }
        }
        #expect(tell(&reader, &ledger) == "update 3 4", "it is kept for the other")
    }

    @Test func anAnswerIsForTheVersionThatIsNewest() throws {
        var ledger = try ledger()
        var readers = [ReaderProgress(), ReaderProgress()]
        for index in readers.indices { _ = ledger.next(for: &readers[index]) }
        func announce(_ versions: ClosedRange<Int>) throws {
            for version in versions {
                try publish(HierarchyChangeSet(), from: [3], to: [3], at: version, &ledger)
                ledger.announce()
            }
        }
        try announce(2...4)
        #expect(tell(&readers[0], &ledger) == "update 1 4")
        try announce(5...5)
        #expect(tell(&readers[1], &ledger) == "update 1 5")
    }

    @Test func thereIsAVersionOfNothing() throws {
        var ledger = try ledger()
        for (version, expected) in [(0, "update 0 1"), (-1, "reset 1 unknownVersion")] {
            var reader = ReaderProgress(
                joiningFrom: PublishedVersion(handle: PublishedScene.handle, number: version)
            )
            #expect(tell(&reader, &ledger) == expected)
        }
    }

    @Test func whoIsGivenEverythingIsOwedNothingMore() throws {
        var ledger = try ledger {
            $0.resumableUpdates = 0
            $0.retainedVersions = 0
        }
        var reader = ReaderProgress()
        _ = ledger.next(for: &reader)
        for version in 2...3 {
            try publish(HierarchyChangeSet(), from: [3], to: [3], at: version, &ledger)
            ledger.announce()
        }
        #expect(tell(&reader, &ledger) == "reset 3 forgotten")
        #expect(tell(&reader, &ledger) == nil)
    }

    @Test func whatBringsMuchIsKeptWholeForAShorterTime() throws {
        var ledger = try ledger(items: 0) {
            $0.resumableEdits = 10
            $0.recentUpdates = 4
        }
        var readers = (0..<3).map { _ in ReaderProgress(policy: .individually(limit: 9)) }
        for index in readers.indices { _ = ledger.next(for: &readers[index]) }
        func insert(_ count: Int, at version: Int, before: Int) throws {
            let paths = (0..<count).map { ItemPath(0, $0) }
            let insertion = HierarchyChangeSet([.insertItems(paths, .automatic)])
            try publish(insertion, from: [before], to: [before + count], at: version, &ledger)
            ledger.announce()
        }
        try insert(6, at: 2, before: 0)
        try insert(4, at: 3, before: 6)
        #expect(tell(&readers[0], &ledger) == "update 1 2", "ten are kept")
        try insert(1, at: 4, before: 10)
        #expect(tell(&readers[1], &ledger) == "update 1 4", "more are not")
        #expect(tell(&readers[0], &ledger) == "update 2 3")
        try insert(20, at: 5, before: 11)
        #expect(tell(&readers[0], &ledger) == "update 3 5")
        #expect(tell(&readers[1], &ledger) == "update 4 5", "the last always is")
    }

    @Test func nothingIsKeptForWhoLeavesOrGoesOn() throws {
        var ledger = try ledger { $0.resumableUpdates = 0 }
        var readers = [ReaderProgress(), ReaderProgress(), ReaderProgress()]
        for index in readers.indices { _ = ledger.next(for: &readers[index]) }
        try publish(HierarchyChangeSet(), from: [3], to: [3], at: 2, &ledger)
        ledger.announce()
        #expect(ledger.knownVersions == 2)
        ledger.leave(&readers[0])
        #expect(tell(&readers[1], &ledger) == "update 1 2" && ledger.knownVersions == 2)
        #expect(tell(&readers[2], &ledger) == "update 1 2" && ledger.knownVersions == 1)
    }

    private struct Unexpected: Error {}
}
