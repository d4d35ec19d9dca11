import CollectionChanges
import Testing

/// What survives an update, compared with names that go through an array of arrays.
@Suite struct SurvivorTests {
    @Test func whatSurvivesIsFoundBothWaysAndWhatWasReplacedIsNot() throws {
        for seed in UInt64(0)..<400 {
            var records = RandomRecords(seed: seed)
            let draw = records.valid(sections: 4, items: 5)
            let update = try draw.changes.validated(from: draw.old, to: draw.new)
            let old = draw.old.itemCounts.indices.map { section in
                (0..<draw.old.itemCounts[section]).map { ItemPath?(path(section, $0)) }
            }
            let new = try update.apply(to: old) { _ in nil }
            var left = Set(draw.old.paths)
            for now in draw.new.paths {
                let was = new[now.section][now.item]
                #expect(update.formerPath(of: now) == was, "seed \(seed), \(now)")
                guard let was else { continue }
                #expect(update.survivingPath(of: was) == now, "seed \(seed), \(was)")
                left.remove(was)
            }
            for gone in left { #expect(update.survivingPath(of: gone) == nil, "seed \(seed)") }
            var gone = Set(draw.old.itemCounts.indices)
            for section in draw.new.itemCounts.indices {
                let isFresh = update.sectionInsertions.contains {
                    $0.section == section && $0.role != .move
                }
                let was = isFresh ? nil : update.oldSection(for: section)
                #expect(update.formerSection(of: section) == was, "seed \(seed), \(section)")
                guard let was else { continue }
                #expect(update.survivingSection(of: was) == section, "seed \(seed), \(was)")
                gone.remove(was)
            }
            for section in gone { #expect(update.survivingSection(of: section) == nil) }
        }
    }

    @Test func whatDoesNotExistSurvivesNothing() {
        let update = ValidatedChangeSet.unchanged([1])
        for path in [path(0, 1), path(1, 0), path(-1, 0), path(0, -1)] {
            #expect(update.survivingPath(of: path) == nil && update.formerPath(of: path) == nil)
        }
        for section in [-1, 1, .max] {
            #expect(update.survivingSection(of: section) == nil)
            #expect(update.formerSection(of: section) == nil)
        }
        #expect(update.survivingPath(of: path(0, 0)) == path(0, 0))
    }
}
