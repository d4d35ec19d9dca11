import CollectionChanges
import TestSupport
import Testing

@Suite struct RecordingUpdatesTests {
    @Test func theRecordOfASmallUpdateGivesItAgain() {
        for update in SmallUpdates.ofTwoEdits.all where !update.edits.isEmpty {
            if let fault = update.fault {
                Issue.record("\(fault)")
                return
            }
        }
    }

    @Test func theRecordOfARandomUpdateGivesItAgainWithItsOptions() throws {
        for seed in 0..<Effort.number(400, usually: 60) {
            var random = RandomUpdates(seed: UInt64(seed))
            random.animations = [.automatic, .fade, .none]
            random.rarity = 2 + seed % 5
            let update = try random.next(from: random.shape(sections: 6, items: 6))
            if update.edits.isEmpty { continue }
            #expect(update.fault == nil, "seed \(seed)")
            let checked = try ValidatedChangeSet(
                checking: update.edits,
                from: update.oldShape,
                to: update.newShape
            )
            #expect(Array(checked.edits) == Array(update.edits), "seed \(seed)")
        }
    }

    @Test func neighboursOfOneOptionAreOneOperation() throws {
        let record = HierarchyChangeSet([
            .deleteItems([path(0, 0), path(0, 1)], .fade), .deleteItems([path(0, 3)], .top),
            .insertSections([1, 2], .none), .reloadSupplementaries(.header, in: [0, 2], .fade),
        ])
        let update = try record.validated(from: [5], to: [2, 0, 0])
        #expect(HierarchyChangeSet(recording: update) == record)
        let reload = HierarchyChangeSet([.reloadData(.top)])
        #expect(HierarchyChangeSet(recording: try reload.validated(from: [1], to: [2])) == reload)
    }
}
