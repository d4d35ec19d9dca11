import PersistentTrees
import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// A state after an update is what arrays say, and an update brings what the arrays were given.
struct PublishedStateTests {
    @Test(arguments: 0..<UInt64(Effort.number(2_000, usually: 120)))
    func aStateAfterAnyUpdateIsWhatArraysSay(seed: UInt64) throws {
        var updates = PublishedUpdates(seed: seed)
        var state = PublishedState()
        for step in 0..<12 {
            let (changeSet, contents) = try updates.next()
            let old = state
            state = old.applying(changeSet, contents)
            #expect(StateModel(state) == updates.model, "seed \(seed), step \(step)")
            #expect(state.shape == changeSet.newShape)
            #expect(state.numberOfItems == changeSet.newShape.itemCounts.reduce(0, +))
            #expect(old.shape == changeSet.oldShape, "the old state stays what it was")
            #expect(state == (try updates.model.published()))
            for section in 0..<state.numberOfSections {
                for (item, value) in state.items(inSection: section).enumerated() {
                    #expect(state.item(at: ItemPath(section, item)) == value)
                }
            }
        }
    }

    @Test(arguments: 0..<UInt64(Effort.number(2_000, usually: 120)))
    func whatAnUpdateBringsIsFoundInTheStateAfterIt(seed: UInt64) throws {
        var updates = PublishedUpdates(seed: seed)
        var state = PublishedState()
        for step in 0..<12 {
            let (changeSet, contents) = try updates.next()
            state = state.applying(changeSet, contents)
            let found = PublishedContents(of: changeSet, in: state)
            #expect(found == contents, "seed \(seed), step \(step)")
            #expect(contents.fit(changeSet))
        }
    }

    // Whose items are in trees of several levels.
    @Test(arguments: 0..<UInt64(Effort.number(100, usually: 4)))
    func aLargeStateAfterAnyUpdateIsWhatArraysSay(seed: UInt64) throws {
        var updates = PublishedUpdates(seed: seed)
        var changes = HierarchyChangeSet()
        changes.insertSections([0, 1, 2])
        let first = try changes.validated(from: [], to: [900, 0, 1_500])
        var state = PublishedState().applying(first, updates.take(first))
        var digest = PublishedDigest(of: state)
        for step in 0..<6 {
            let (changeSet, contents) = try updates.next(rate: 0.04)
            let next = state.applying(changeSet, contents)
            digest = digest.updated(by: changeSet, from: state, to: next)
            state = next
            #expect(StateModel(state) == updates.model, "seed \(seed), step \(step)")
            #expect(digest == PublishedDigest(of: state), "seed \(seed), step \(step)")
            #expect(PublishedContents(of: changeSet, in: state) == contents)
            #expect(state.entries.brokenInvariant() == nil)
            for entry in state.entries { #expect(entry.items.brokenInvariant() == nil) }
        }
    }

    @Test func theDrawnUpdatesAreOfEveryKind() throws {
        var kinds: Set<String> = []
        for seed in UInt64(0)..<60 {
            var updates = PublishedUpdates(seed: seed)
            for _ in 0..<12 { kinds.formUnion(try updates.next().0.kinds) }
        }
        let expected: Set = [
            "section inserted", "section with items", "inserted into a fresh section",
            "out of a moved section", "out of a section that goes", "across sections",
            "reconfigured", "reconfigured and moved", "header", "header of a moved section",
            "header of a fresh section", "reload of all", "item reloaded", "section reloaded",
        ]
        #expect(kinds == expected)
    }

    // MARK: What is not there

    @Test func indexesThatDoNotExistAnswerNothing() throws {
        var updates = PublishedUpdates(seed: 3)
        var state = PublishedState()
        for _ in 0..<6 {
            let (changeSet, contents) = try updates.next()
            state = state.applying(changeSet, contents)
        }
        let count = state.numberOfSections
        try #require(count > 0)
        for section in [-1, count, .min, .max] {
            #expect(state.section(at: section) == nil)
            #expect(state.items(inSection: section).isEmpty)
            #expect(state.item(at: ItemPath(section, 0)) == nil)
        }
        for section in 0..<count {
            for item in [-1, state.items(inSection: section).count, .min, .max] {
                #expect(state.item(at: ItemPath(section, item)) == nil)
            }
        }
        let nothing = PublishedState()
        #expect(nothing.numberOfSections == 0 && nothing.numberOfItems == 0)
        #expect(nothing.shape == .empty && nothing.section(at: 0) == nil)
    }
}
