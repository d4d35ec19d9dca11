import CollectionChanges
import TestSupport
import Testing

/// Undoing and redoing, against the states that there were.
@Suite("The history of changes")
struct ChangeHistoryTests {
    private struct Item: Hashable {
        let id: Int
        var revision = 0
    }

    private typealias State = [[Item]]

    /// A state that several change, and the history of one of them.
    private struct Document {
        var state: State = []
        var history: ChangeHistory<State>
        var nextID = 0
        var random: SeededNumbers

        init(seed: UInt64, limit: Int = 100, counts: [Int] = [3, 0, 4]) {
            random = SeededNumbers(seed: seed)
            history = ChangeHistory(limit: limit)
            state = counts.map { count in (0..<count).map { _ in fresh() } }
        }

        mutating func fresh() -> Item {
            nextID += 1
            return Item(id: nextID)
        }

        var shape: HierarchyShape { HierarchyShape(state.map(\.count)) }

        mutating func randomUpdate(rate: Double = 0.2) throws -> ValidatedChangeSet {
            let drawn = RandomUpdate(from: shape, &random, rate: rate)
            return try drawn.changes.validated(from: shape, to: drawn.newShape)
        }

        /// Does what an update says; reconfigured items have another revision.
        mutating func apply(_ update: ValidatedChangeSet) throws {
            var items = state
            try update.apply(to: &items) { _ in fresh() }
            for reconfiguration in update.reconfigurations {
                let path = reconfiguration.newPath
                items[path.section][path.item].revision += 1
            }
            state = items
        }

        mutating func own(_ update: ValidatedChangeSet) throws {
            let before = state
            try apply(update)
            try history.record(update, before)
        }

        mutating func foreign(_ update: ValidatedChangeSet) throws {
            try apply(update)
            try history.observe(update)
        }

        /// - Returns: whether there was something to do.
        mutating func take(_ step: HistoryStep<State>?) throws -> Bool {
            guard let step else { return false }
            let atOnce = try Self.apply(step.update, to: state) { path in
                let origin = try #require(step.origin(of: path), "\(path)")
                return step.parts[origin.part].context[origin.path.section][origin.path.item]
            }
            var contexts: [State] = []
            for part in step.parts {
                contexts.append(state)
                state = try Self.apply(part.update, to: state) { path in
                    let origin = try #require(part.origin(of: path), "\(path)")
                    return part.context[origin.section][origin.item]
                }
            }
            try #require(atOnce == state)
            try history.perform(step, contexts)
            return true
        }

        private static func apply(
            _ update: ValidatedChangeSet,
            to state: State,
            _ item: (ItemPath) throws -> Item
        ) throws -> State {
            var items = try update.apply(to: state, fresh: item)
            for reconfiguration in update.reconfigurations {
                let path = reconfiguration.newPath
                items[path.section][path.item] = try item(path)
            }
            return items
        }

        mutating func undo() throws -> Bool { try take(history.undoStep()) }
        mutating func redo() throws -> Bool { try take(history.redoStep()) }
    }

    /// Without others: a list of states and a place in it.
    @Test(arguments: [0.1, 0.4])
    func aloneItGoesBackAndForthThroughTheStates(_ rate: Double) throws {
        for seed in 0..<UInt64(Effort.number(300, usually: 60)) {
            var document = Document(seed: seed)
            var states = [document.state]
            var place = 0
            for step in 0..<30 {
                switch document.random.next(below: 5) {
                case 0, 1:
                    let update = try document.randomUpdate(rate: rate)
                    guard !update.edits.isEmpty || !update.reconfigurations.isEmpty else {
                        continue
                    }
                    try document.own(update)
                    states = Array(states.prefix(place + 1)) + [document.state]
                    place += 1
                case 2, 3:
                    let isDone = try document.undo()
                    #expect(isDone == (place > 0), "seed \(seed), step \(step)")
                    place = max(0, place - 1)
                default:
                    let isDone = try document.redo()
                    #expect(isDone == (place < states.count - 1), "seed \(seed), step \(step)")
                    place = min(states.count - 1, place + 1)
                }
                try #require(document.state == states[place], "seed \(seed), step \(step)")
                #expect(document.history.undoCount == place)
                #expect(document.history.redoCount == states.count - 1 - place)
            }
        }
    }

    /// Some edits of items that stay in their sections' number, so that what is left afterwards is known.
    private func itemUpdate(_ document: inout Document) throws -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        var counts = document.state.map(\.count)
        for (section, items) in document.state.enumerated() {
            for item in items.indices {
                let path = ItemPath(section: section, item: item)
                switch document.random.next(below: 8) {
                case 0:
                    changes.deleteItems(at: [path])
                    counts[section] -= 1
                case 1: changes.reconfigureItems(at: [path])
                default: break
                }
            }
        }
        for _ in 0..<document.random.next(below: 3) {
            let section = document.random.next(below: counts.count)
            let old = document.shape.itemCounts
            let target = ItemPath(
                section: section,
                item: document.random.next(below: counts[section] + 1)
            )
            var longer = changes
            longer.insertItems(at: [target])
            var more = counts
            more[section] += 1
            let update = try? longer.validated(from: HierarchyShape(old), to: HierarchyShape(more))
            if update != nil { (changes, counts) = (longer, more) }
        }
        return try changes.validated(from: document.shape, to: HierarchyShape(counts))
    }

    /// With others: when all that is one's own is undone, there is what they did, as if alone.
    @Test func whatOthersDidIsLeftWhenAllIsUndone() throws {
        for seed in 0..<UInt64(Effort.number(600, usually: 150)) {
            var document = Document(seed: seed)
            var expected = Set(document.state.joined().map(\.id))
            for step in 0..<14 {
                let before = Set(document.state.joined().map(\.id))
                switch document.random.next(below: 6) {
                case 0, 1: try document.own(itemUpdate(&document))
                case 2, 3:
                    let update = try itemUpdate(&document)
                    try document.foreign(update)
                    let after = Set(document.state.joined().map(\.id))
                    expected.subtract(before.subtracting(after))
                    expected.formUnion(after.subtracting(before))
                case 4: _ = try document.undo()
                default: _ = try document.redo()
                }
                let start = try document.history.undoStep()?.update.oldShape
                #expect(start == nil || start == document.shape, "seed \(seed), step \(step)")
            }
            while try document.undo() {}
            #expect(Set(document.state.joined().map(\.id)) == expected, "seed \(seed)")
            // And back again: what is one's own comes back, of others' nothing is lost but what own steps delete.
            while try document.redo() {}
            let ids = document.state.joined().map(\.id)
            #expect(Set(ids).count == ids.count, "seed \(seed)")
        }
    }

    @Test func everythingAtOnceKeepsItsShape() throws {
        for seed in 0..<UInt64(Effort.number(400, usually: 80)) {
            var document = Document(seed: seed, limit: 4)
            for step in 0..<30 {
                switch document.random.next(below: 8) {
                case 0, 1: try document.own(document.randomUpdate())
                case 2, 3: try document.foreign(document.randomUpdate())
                case 4, 5: _ = try document.undo()
                case 6: _ = try document.redo()
                default:
                    document.random.isTrue(oneIn: 2)
                        ? document.history.beginGroup() : document.history.endGroup()
                }
                let ids = document.state.joined().map(\.id)
                try #require(Set(ids).count == ids.count, "seed \(seed), step \(step)")
                #expect(document.history.undoCount <= 4)
            }
        }
    }

    @Test func aGroupIsOneStep() throws {
        var document = Document(seed: 1)
        let before = document.state
        document.history.beginGroup()
        for _ in 0..<3 {
            document.history.beginGroup()
            try document.own(document.randomUpdate())
            document.history.endGroup()
        }
        document.history.endGroup()
        let after = document.state
        #expect(document.history.undoCount == 1)
        try document.own(document.randomUpdate())
        #expect(document.history.undoCount == 2)
        for _ in 0..<2 { _ = try document.undo() }
        #expect(document.state == before)
        _ = try document.redo()
        #expect(document.state == after && document.history.redoCount == 1)
    }

    @Test func theOldestAreForgotten() throws {
        var document = Document(seed: 3, limit: 2)
        for _ in 0..<5 { try document.own(itemUpdate(&document)) }
        #expect(document.history.undoCount == 2)
        var none = Document(seed: 3, limit: -1)
        try none.own(itemUpdate(&none))
        #expect(try none.history.undoCount == 0 && none.history.undoStep() == nil)
    }

    @Test func whatOthersLeaveNothingToDoForIsPassedOver() throws {
        var document = Document(seed: 1, counts: [2])
        func update(_ count: Int, _ newCount: Int, _ operation: HierarchyChangeSet.Operation) throws
            -> ValidatedChangeSet
        { try HierarchyChangeSet([operation]).validated(from: [count], to: [newCount]) }
        try document.own(update(2, 3, .insertItems([ItemPath(section: 0, item: 0)], .automatic)))
        try document.own(update(3, 4, .insertItems([ItemPath(section: 0, item: 0)], .automatic)))
        // Others delete what the newer one has inserted.
        try document.foreign(
            update(4, 3, .deleteItems([ItemPath(section: 0, item: 0)], .automatic))
        )
        let step = try #require(try document.history.undoStep())
        #expect(step.update.itemRemovals.map(\.path) == [ItemPath(section: 0, item: 0)])
        let isDone = try document.undo()
        #expect(isDone && document.history.undoCount == 0 && document.history.redoCount == 1)
    }

    @Test func updatesThatDoNotFollowAreRefused() throws {
        var history = ChangeHistory<Int>()
        let update = try HierarchyChangeSet([
            .insertItems([ItemPath(section: 0, item: 0)], .automatic)
        ]).validated(from: [1], to: [2])
        try history.record(update, 0)
        #expect(throws: HierarchyUpdateError.self) { try history.record(update, 1) }
        #expect(throws: HierarchyUpdateError.self) { try history.observe(update) }
        #expect(history.undoCount == 1)
        let step = try #require(try history.undoStep())
        #expect(step.parts.map(\.context) == [0] && step.direction == .undo && step.dropped.isEmpty)
        try history.perform(step)
        #expect(throws: HierarchyUpdateError.self) { try history.perform(step) }
        #expect(history.undoCount == 0 && history.redoCount == 1)
    }

    /// Each by its own number, so that it can be told which are left.
    private func numbered(_ count: Int, limit: Int?) throws -> ChangeHistory<Int> {
        var history = limit.map { ChangeHistory<Int>(limit: $0) } ?? ChangeHistory<Int>()
        for number in 0..<count {
            var changes = HierarchyChangeSet()
            changes.insertItems(at: [path(0, number)])
            let update = try changes.validated(from: [number], to: [number + 1])
            try history.record(update, number)
        }
        return history
    }

    @Test(arguments: [(5, 3), (3, 3), (2, 3), (4, 1)])
    func theOldestAreForgottenAndTheNewestAreLeft(_ count: Int, _ limit: Int) throws {
        var history = try numbered(count, limit: limit)
        var undone: [Int] = []
        while let step = try history.undoStep() {
            #expect(history.undoCount == min(count, limit) - undone.count)
            undone += step.parts.map(\.context)
            try history.perform(step)
            #expect(history.redoCount == undone.count)
        }
        #expect(undone == Array((0..<count).reversed().prefix(limit)))
        #expect(history.undoCount == 0)
        var redone: [Int] = []
        while let step = try history.redoStep() {
            redone += step.parts.map(\.context)
            try history.perform(step)
        }
        #expect(redone == undone.reversed())
        #expect(history.undoCount == min(count, limit) && history.redoCount == 0)
    }

    @Test func aHundredAreKeptWhereNothingElseIsSaid() throws {
        let history = try numbered(103, limit: nil)
        #expect(history.limit == 100 && history.undoCount == 100)
    }

    /// Of a group of three, contexts are given for one, and the others keep theirs.
    @Test func partsWithoutANewContextKeepTheirOwn() throws {
        var history = ChangeHistory<String>(limit: 10)
        history.beginGroup()
        for number in 0..<3 {
            var changes = HierarchyChangeSet()
            changes.insertItems(at: [path(0, number)])
            try history.record(
                try changes.validated(from: [number], to: [number + 1]),
                "\(number)"
            )
        }
        history.endGroup()
        #expect(history.undoCount == 1)
        let step = try #require(try history.undoStep())
        #expect(step.parts.map(\.context) == ["2", "1", "0"])
        try history.perform(step, ["new"])
        let redo = try #require(try history.redoStep())
        #expect(redo.parts.map(\.context) == ["0", "1", "new"])
        try history.perform(redo)
        #expect(history.undoCount == 1 && history.redoCount == 0)
        // What comes after a group is not in it.
        var changes = HierarchyChangeSet()
        changes.deleteItems(at: [path(0, 0)])
        try history.record(try changes.validated(from: [3], to: [2]), "alone")
        #expect(history.undoCount == 2)
        #expect(try history.undoStep()?.parts.map(\.context) == ["alone"])
    }

    /// Redoing more than fits forgets the oldest again, and each group stays whole.
    @Test func groupsAreForgottenWhole() throws {
        var history = ChangeHistory<Int>(limit: 2)
        var count = 0
        for group in 0..<4 {
            history.beginGroup()
            for _ in 0...group {
                var changes = HierarchyChangeSet()
                changes.insertItems(at: [path(0, count)])
                try history.record(
                    try changes.validated(from: [count], to: [count + 1]),
                    group
                )
                count += 1
            }
            history.endGroup()
        }
        #expect(history.undoCount == 2)
        var undone: [[Int]] = []
        while let step = try history.undoStep() {
            undone.append(step.parts.map(\.context))
            try history.perform(step)
        }
        #expect(undone == [[3, 3, 3, 3], [2, 2, 2]])
    }
}
