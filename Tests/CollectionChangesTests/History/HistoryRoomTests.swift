import CollectionChanges
import Testing

/// What a history keeps of others' updates, and how its steps are told apart.
@Suite struct HistoryRoomTests {
    private func insertion(_ count: Int, at item: Int = 0) throws -> ValidatedChangeSet {
        try HierarchyChangeSet([.insertItems([path(0, item)], .automatic)])
            .validated(from: [count], to: [count + 1])
    }

    private func deletion(_ count: Int, at item: Int = 0) throws -> ValidatedChangeSet {
        try HierarchyChangeSet([.deleteItems([path(0, item)], .automatic)])
            .validated(from: [count], to: [count - 1])
    }

    /// How many updates of others are kept with each step that can be undone.
    private func kept(_ history: ChangeHistory<Int>) throws -> [Int] {
        let entries = Mirror(reflecting: history).descendant("undoable", "entries")
        return try Mirror(reflecting: try #require(entries)).children.map { entry in
            let others = Mirror(reflecting: entry.value).descendant("others")
            return try #require(others as? [ValidatedChangeSet]).count
        }
    }

    @Test func othersUpdatesBecomeTheirNetEffectWhenTheyHaveGrownByEight() throws {
        var history = ChangeHistory<Int>()
        try history.record(insertion(0), 0)
        var (count, room) = (0, 8)
        for number in 1...100 {
            try history.observe(insertion(number))
            count += 1
            if count >= room { (count, room) = (1, 8 + number) }
            #expect(try kept(history) == [count], "\(number)")
        }
        let step = try #require(try history.undoStep())
        #expect(step.update.itemRemovals.map(\.path) == [path(0, 100)])
    }

    @Test func whatCancelsOutTakesNoRoom() throws {
        var history = ChangeHistory<Int>()
        try history.record(insertion(0), 0)
        for _ in 0..<50 {
            try history.observe(insertion(1))
            try history.observe(deletion(2))
            #expect(try kept(history)[0] <= 10)
        }
        let step = try #require(try history.undoStep())
        #expect(step.update.itemRemovals.map(\.path) == [path(0, 0)])
    }

    @Test func updatesThatChangeNothingAreNotKept() throws {
        var history = ChangeHistory<Int>()
        try history.record(insertion(0), 0)
        for changes in [HierarchyChangeSet(), HierarchyChangeSet([.deleteItems([], .fade)])] {
            try history.observe(changes.validated(from: [1], to: [1]))
            #expect(try kept(history) == [0])
        }
    }

    // MARK: Steps

    @Test func anEmptyGroupKeepsWhatComesAfterItApart() throws {
        var history = ChangeHistory<Int>()
        for number in 0..<4 {
            try history.record(insertion(number), number)
            history.beginGroup()
            history.endGroup()
            #expect(history.undoCount == number + 1)
        }
        #expect(try history.undoStep()?.parts.map(\.context) == [3])
    }

    @Test func whatIsRedoneAfterAnEmptyGroupIsAStepOfItsOwn() throws {
        for groups in 0...3 {
            var history = ChangeHistory<Int>()
            for number in 0..<3 { try history.record(insertion(number), number) }
            try history.perform(try #require(try history.undoStep()))
            try history.perform(try #require(try history.undoStep()))
            for _ in 0..<groups {
                history.beginGroup()
                history.endGroup()
            }
            for redone in 1...2 {
                try history.perform(try #require(try history.redoStep()))
                #expect(history.undoCount == 1 + redone, "\(groups) groups")
                #expect(history.redoCount == 2 - redone, "\(groups) groups")
                #expect(try history.undoStep()?.parts.map(\.context) == [redone])
            }
        }
    }

    @Test func whateverIsUndoneAndRedoneThereAreNoMoreStepsThanTheLimit() throws {
        var history = ChangeHistory<Int>(limit: 3)
        for number in 0..<5 { try history.record(insertion(number), number) }
        for undone in [1, 3, 2, 3] {
            for _ in 0..<undone {
                try history.perform(try #require(try history.undoStep()))
                #expect(history.undoCount + history.redoCount == 3)
            }
            for _ in 0..<undone {
                try history.perform(try #require(try history.redoStep()))
                #expect(history.undoCount + history.redoCount == 3)
            }
        }
    }

    // MARK: Where items come from

    @Test func whatWasThereBeforeAStepComesFromItsOldPlace() throws {
        var history = ChangeHistory<Int>()
        try history.record(deletion(3, at: 1), 7)
        let step = try #require(try history.undoStep())
        func old(_ item: Int, before end: Int) -> ItemPath? {
            if case .old(let oldPath)? = step.source(of: path(0, item), before: end) {
                oldPath
            } else {
                nil
            }
        }
        #expect(step.update.oldShape == [2] && step.parts.count == 1)
        for item in -1...3 {
            #expect(old(item, before: 0) == ((0...1).contains(item) ? path(0, item) : nil))
            #expect(step.source(of: path(1, item), before: 0) == nil)
        }
        #expect(
            (-1...4).map { old($0, before: 1) } == [nil, path(0, 0), nil, path(0, 1), nil, nil]
        )
        guard case .part(let origin)? = step.source(of: path(0, 1), before: 1) else {
            Issue.record("no part brings it")
            return
        }
        #expect(origin.part == 0 && origin.path == path(0, 1))
        #expect(step.source(of: path(0, 3), before: 1) == nil)
    }
}
