import CollectionChanges
import TestSupport
import Testing

@Suite struct ChainTests {
    @Test func fatesAndOriginsAreThoseOfTheUpdatesInTurn() throws {
        for seed in 0..<Effort.number(200, usually: 40) {
            var random = RandomUpdates(seed: UInt64(seed))
            var updates: [ValidatedChangeSet] = []
            var shape = random.shape(sections: 4, items: 5)
            let start = shape
            for _ in 0..<5 {
                updates.append(try random.next(from: shape))
                shape = updates[updates.count - 1].newShape
            }
            let chain = try ChangeSetChain(updates)
            for path in start.paths {
                var place: ItemPath? = path
                var expected = ChangeSetChain.Fate<ItemPath>.present(path)
                for (index, update) in updates.enumerated() {
                    guard let here = place else { break }
                    place = update.newPath(for: here)
                    expected = place.map { .present($0) } ?? .removed(by: index, from: here)
                }
                #expect(chain.fate(ofItem: path) == expected, "seed \(seed)")
                guard case .present(let end) = expected else { continue }
                #expect(chain.origin(ofItem: end) == .present(path), "seed \(seed)")
            }
            for path in shape.paths {
                guard case .inserted(let index, let place) = chain.origin(ofItem: path) else {
                    continue
                }
                #expect(updates[index].oldPath(for: place) == nil, "seed \(seed)")
                #expect(updates[index].newShape.contains(place), "seed \(seed)")
            }
            for section in start.itemCounts.indices {
                guard case .present(let end) = chain.fate(ofSection: section) else { continue }
                #expect(chain.origin(ofSection: end) == .present(section), "seed \(seed)")
            }
        }
    }

    @Test func whatNeverWasHasNoFate() throws {
        let update = try HierarchyChangeSet([
            .deleteItems([path(0, 1)], .automatic), .insertSections([1], .automatic),
        ]).validated(from: [2], to: [1, 4])
        let chain = try ChangeSetChain([update])
        #expect(chain.fate(ofItem: path(0, 1)) == .removed(by: 0, from: path(0, 1)))
        #expect(chain.fate(ofItem: path(0, 2)) == nil)
        #expect(chain.fate(ofSection: 1) == nil)
        #expect(chain.origin(ofItem: path(1, 3)) == .inserted(by: 0, at: path(1, 3)))
        #expect(chain.origin(ofSection: 1) == .inserted(by: 0, at: 1))
        #expect(chain.origin(ofSection: -1) == nil)
        #expect(try ChangeSetChain().fate(ofItem: path(0, 0)) == nil)
    }

    @Test func updatesThatDoNotMeetMakeNoChain() throws {
        let update = try HierarchyChangeSet([.deleteItems([path(0, 1)], .automatic)])
            .validated(from: [2], to: [1])
        var chain = try ChangeSetChain([update])
        #expect(
            refusal { () throws(HierarchyUpdateError) in try chain.append(update) }?.code
                == .itemCount
        )
        #expect(chain.updates.count == 1)
    }
}
