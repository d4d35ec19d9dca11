import CollectionChanges
import TestSupport
import Testing

/// Compares undo and redo with the earlier states.
@Suite("Change histories")
struct ChangeHistoryTests {
    private typealias Document = EditedDocument

    /// Without other users, a history is a list of states and a position in it. Some steps are
    /// groups. The oldest steps are dropped as a whole.
    @Test(arguments: [0.1, 0.4])
    func aSingleUserMovesBackAndForthThroughTheStates(_ rate: Double) throws {
        for seed in 0..<UInt64(Effort.number(300, usually: 60)) {
            let requestedLimit = [100, 3, 100, 1, 100, 3, 0, -1][Int(seed % 8)]
            let limit = max(0, requestedLimit)
            var document = Document(seed: seed, limit: requestedLimit)
            var states = [document.state]
            var place = 0
            steps: for step in 0..<30 {
                switch document.random.next(below: 6) {
                case 0, 1, 2:
                    let count = [1, 1, 3][document.random.next(below: 3)]
                    if count > 1 { document.histories[0].beginGroup() }
                    // Groups nest, and an empty group is no step.
                    for _ in 0..<count {
                        document.histories[0].beginGroup()
                        try document.submit(document.randomUpdate(rate: rate))
                        document.histories[0].endGroup()
                    }
                    if count > 1 { document.histories[0].endGroup() }
                    // The edits of a group may cancel out.
                    if states[place] == document.state { break steps }
                    states = Array((states.prefix(place + 1) + [document.state]).suffix(limit + 1))
                    place = states.count - 1
                case 3, 4:
                    let isDone = try document.perform(.undo)
                    #expect(isDone == (place > 0), "seed \(seed), step \(step)")
                    place = max(0, place - 1)
                default:
                    let isDone = try document.perform(.redo)
                    #expect(isDone == (place < states.count - 1), "seed \(seed), step \(step)")
                    place = min(states.count - 1, place + 1)
                }
                let history = document.histories[0]
                let isRight =
                    document.state == states[place] && history.undoCount == place
                    && history.redoCount == states.count - 1 - place
                try #require(isRight, "seed \(seed), step \(step)")
            }
        }
    }

    /// Some edits of items whose effect is known even if other users edit too.
    private func itemUpdate(_ document: inout Document) throws -> ValidatedChangeSet {
        var changes = HierarchyChangeSet()
        var counts = document.shape.itemCounts
        for (section, items) in document.state.enumerated() {
            for item in items.indices {
                switch document.random.next(below: 8) {
                case 0:
                    changes.deleteItems(at: [path(section, item)])
                    counts[section] -= 1
                case 1: changes.reconfigureItems(at: [path(section, item)])
                default: break
                }
            }
        }
        for _ in 0..<document.random.next(below: 3) {
            let section = document.random.next(below: counts.count)
            let place = document.random.next(below: counts[section] + 1)
            var (longer, more) = (changes, counts)
            longer.insertItems(at: [path(section, place)])
            more[section] += 1
            let update = try? longer.validated(from: document.shape, to: HierarchyShape(more))
            if update != nil { (changes, counts) = (longer, more) }
        }
        return try changes.validated(from: document.shape, to: HierarchyShape(counts))
    }

    /// Two or three users undo and redo, sometimes in groups. With edits of items the remaining
    /// state is known: if a user undoes everything, the changes of the others remain, and the items
    /// that they updated. With moves, reloads and edits of sections, both ways of performing a step
    /// must give the same state, and the limit must hold.
    @Test(arguments: [(2, true), (3, true), (2, false)])
    func undoingEverythingKeepsTheChangesOfOthers(_ users: Int, _ editsItems: Bool) throws {
        let limit = editsItems ? 100 : 4
        for seed in 0..<UInt64(Effort.number(400, usually: 80)) {
            var document = Document(seed: seed, users: users, limit: limit)
            for step in 0..<(editsItems ? 16 : 30) {
                let user = document.random.next(below: users)
                switch document.random.next(below: 8) {
                case 0, 1, 2, 3:
                    let update = try editsItems ? itemUpdate(&document) : document.randomUpdate()
                    try document.submit(update, by: user)
                case 4: document.histories[user].beginGroup()
                case 5: document.histories[user].endGroup()
                case 6: _ = try document.perform(.undo, by: user)
                default: _ = try document.perform(.redo, by: user)
                }
                let ids = document.state.joined().map(\.id)
                try #require(ids.count == document.ids.count, "seed \(seed), step \(step): \(ids)")
                let counts = document.histories.map { max($0.undoCount, $0.redoCount) }
                try #require(counts.allSatisfy { $0 <= limit }, "seed \(seed), step \(step)")
            }
            for user in 0..<users where editsItems {
                var alone = document
                while try alone.perform(.undo, by: user) {}
                let others = document.withoutUser[user]
                let more = alone.ids.subtracting(others)
                let updated = (0..<users).filter { $0 != user }.map { document.updatedByUser[$0] }
                let isRight =
                    more.isSubset(of: updated.joined()) && alone.ids.isSuperset(of: others)
                #expect(isRight, "seed \(seed), user \(user)")
                // Redoing loses no items of others except those that the user's own steps delete.
                while try alone.perform(.redo, by: user) {}
                #expect(alone.ids.count == alone.state.joined().count, "seed \(seed)")
            }
        }
    }

    // MARK: With other users

    /// All users undo until no step is left.
    private func undoAll(_ document: inout Document, _ order: [Int]) throws {
        var isDone = false
        while !isDone {
            isDone = true
            for user in order {
                while try document.perform(.undo, by: user) { isDone = false }
            }
        }
    }

    /// Covers every two edits of a small state. If the user who edited first undoes first, only
    /// items that both removed from the same gap may return in another order.
    @Test func undoingAllChangesOfBothUsersRestoresTheStart() throws {
        let updates = SmallUpdates.ofOneEdit
        var thinning = Thinning(9)
        var (total, swapped) = (0, 0)
        for mine in updates.all where !mine.isReloadData {
            for theirs in updates[from: mine.newShape] where !theirs.isReloadData {
                guard thinning.takesNext() else { continue }
                let counts = mine.oldShape.itemCounts
                let pair =
                    "\(counts): \(HierarchyChangeSet(recording: mine)), then "
                    + "\(HierarchyChangeSet(recording: theirs))"
                var document = Document(seed: 0, users: 2, counts: counts)
                let start = document.state
                try document.submit(mine, by: 0)
                let between = Set(document.state.joined())
                try document.submit(theirs, by: 1)
                let ofTheirs = Set(document.state.joined()).subtracting(between)
                var other = document
                try undoAll(&other, [1, 0])
                try #require(other.state == start, "\(pair): \(other.state)")
                while try document.perform(.undo) {}
                try #require(ofTheirs.isSubset(of: document.state.joined()), "\(pair)")
                try undoAll(&document, [1, 0])
                total += 1
                if document.state == start { continue }
                swapped += 1
                let items = [document.state, start].map { Set($0.map { Set($0) }) }
                try #require(items[0] == items[1], "\(pair): \(document.state)")
            }
        }
        #expect(total > 1_000 && swapped * 40 < total)
    }

    /// Each row has the user's update and then another's, between item counts; the state after
    /// undoing, with items numbered from 1, or `nil` if nothing is left to undo; and the number of
    /// overruled edits.
    @Test(
        arguments: [
            ("4 | M0.0>0.1 | 4 | M0.1>0.3 | 4", nil, 0),
            ("4 | M0.0>0.2 | 4 | C0.2 | 4", ["1' 2 3 4"], 0),
            ("4 | M0.0>0.2 | 4 | M0.0>0.1 | 4", ["1 3 2 4"], 0),
            ("2 | C0.0 | 2 | C0.0 | 2", nil, 0),
            ("2 | C0.0 | 2 | R0.0 | 2", nil, 0),
            ("2 | R0.0 | 2 | C0.0 | 2", nil, 0),
            ("2 | C0.0 | 2 | M0.0>0.1 | 2", ["2 1"], 0),
            ("1 | I0.1 | 2 | C0.1 | 2", nil, 0),
            ("1 | I0.1 | 2 | M0.1>0.0 | 2", nil, 0),
            ("1 1 | MS0>1 | 1 1 | MS1>0 | 1 1", nil, 0),
            ("1 2 | MS0>1 | 2 1 | M0.0>0.1 | 2 1", ["1", "3 2"], 0),
            ("1 | IS1 | 1 0 | I1.0 | 1 1", nil, 0),
            ("2 | IS1 | 2 0 | M0.0>1.0 | 1 1", nil, 0),
            ("2 | IS0 M0.0>0.0 | 1 1 | I0.1 | 2 1", ["3", "1 2"], 1),
            ("2 | RS0 | 2 | I0.2 | 3", nil, 0),
            ("2 | RS0 | 2 | D0.0 | 1", nil, 0),
            ("2 | RS0 | 2 | RS0 | 2", nil, 0),
            ("3 | C0.0 D0.1 | 2 | C0.0 | 2", ["1'' 2 3"], 1),
            ("3 | M0.0>0.2 C0.2 | 3 | M0.2>0.0 | 3", ["1 2 3"], 1),
            ("3 | D0.0 I0.2 | 3 | C0.2 | 3", ["1 2 3 4'"], 1),
            ("3 | D0.0 | 2 | D0.0 | 1", ["1 3"], 0),
            ("1 | D0.0 | 0 | DS0 |", nil, 0),
            ("1 | C0.0 | 1 | D0.0 | 0", nil, 0),
            ("1 | X | 1 | I0.0 | 2", nil, 0),
        ] as [(String, [String]?, Int)]
    )
    func undoingKeepsWhatOthersChangedSince(
        _ text: String,
        _ expected: [String]?,
        _ dropped: Int
    ) throws {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false).map { String($0) }
        let shapes = [parts[0], parts[2], parts[4]].map { counts in
            HierarchyShape(counts.split(separator: " ").map { Int($0) ?? 0 })
        }
        var document = Document(seed: 0, users: 2, counts: shapes[0].itemCounts)
        let start = document.state
        for user in 0..<2 {
            let changes = record(parts[2 * user + 1])
            let update = try changes.validated(from: shapes[user], to: shapes[user + 1])
            try document.submit(update, by: user)
        }
        let step = try document.histories[0].undoStep()
        #expect((step?.dropped.filter { $0.reason == .overruled }.count ?? 0) == dropped)
        #expect(try document.perform(.undo) == (expected != nil))
        let found = document.texts.map { $0.joined(separator: " ") }
        if let expected { #expect(found == expected) }
        try undoAll(&document, [1, 0])
        #expect(document.state == start)
    }

    // MARK: Contexts and groups

    /// Records insertions of one item each after the others, with its number as the context.
    private func insert(
        _ numbers: Range<Int>,
        into history: inout ChangeHistory<Int>
    ) throws {
        for number in numbers {
            let update = try record("I0.\(number)").validated(from: [number], to: [number + 1])
            try history.record(update, number)
        }
    }

    @Test func partsWithoutANewContextKeepTheirOwn() throws {
        var history = ChangeHistory<Int>()
        history.endGroup()
        history.beginGroup()
        try insert(0..<3, into: &history)
        history.endGroup()
        try history.perform(try #require(try history.undoStep()), [7])
        history.beginGroup()
        history.endGroup()
        let redo = try #require(try history.redoStep())
        #expect(redo.parts.map(\.context) == [0, 1, 7] && redo.direction == .redo)
        try history.perform(redo)
        try insert(3..<4, into: &history)
        #expect(history.undoCount == 2 && history.redoCount == 0 && history.limit == 100)
        #expect(try history.undoStep()?.parts.map(\.context) == [3])
    }

    @Test func updatesThatDoNotFollowAreRejectedAndChangeNothing() throws {
        var history = ChangeHistory<Int>()
        let update = try record("I0.0").validated(from: [1], to: [2])
        try history.record(update, 0)
        #expect(throws: HierarchyUpdateError.self) { try history.record(update, 1) }
        #expect(throws: HierarchyUpdateError.self) { try history.observe(update) }
        let step = try #require(try history.undoStep())
        #expect(history.undoCount == 1 && step.parts.map(\.context) == [0] && step.dropped.isEmpty)
        try history.perform(step)
        #expect(throws: HierarchyUpdateError.self) { try history.perform(step) }
        #expect(history.undoCount == 0 && history.redoCount == 1)
    }

    /// A history keeps the net effect of other users' changes, so that changes that cancel out need
    /// no memory.
    @Test func changesOfOthersNeedOnlyTheMemoryOfTheirNetEffect() throws {
        var history = ChangeHistory<Int>()
        try insert(0..<1, into: &history)
        for _ in 0..<50 {
            for (text, old, new) in [("I0.0", 1, 2), ("D0.0", 2, 1), ("D", 1, 1)] {
                try history.observe(record(text).validated(from: [old], to: [new]))
            }
            let entries = try #require(
                Mirror(reflecting: history).descendant("undoable", "entries")
            )
            let entry = try #require(Mirror(reflecting: entries).children.first)
            let others = Mirror(reflecting: entry.value).descendant("others")
            #expect(Mirror(reflecting: try #require(others)).children.count <= 10)
        }
        #expect(try history.undoStep()?.update.itemRemovals.map(\.path) == [path(0, 0)])
    }
}
