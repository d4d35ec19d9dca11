import PipelineTestSupport
import Testing

@testable import CollectionPublishing

/// Contents fit an update where there is one for each place, and nowhere else.
struct PublishedContentsTests {
    private static let item = PublishedItem(number: 90, payload: nil)
    private static let section = PublishedSection(number: 91, payload: nil)

    /// The contents with one place too few, too many, or elsewhere.
    private static func misfits(_ contents: PublishedContents) -> [PublishedContents] {
        var misfits: [PublishedContents] = []
        func misfit(_ edit: (inout PublishedContents) -> Void) {
            var other = contents
            edit(&other)
            misfits.append(other)
        }
        misfit { $0.freshSections.append(.init(section: section)) }
        misfit { $0.insertedItems.append(item) }
        misfit { $0.changedItems.append(item) }
        misfit { $0.changedSections.append(.init(newIndex: 0, section: section)) }
        for index in contents.freshSections.indices {
            misfit { $0.freshSections.remove(at: index) }
            misfit { $0.freshSections[index].items.append(item) }
            guard !contents.freshSections[index].items.isEmpty else { continue }
            misfit { $0.freshSections[index].items.removeLast() }
        }
        if !contents.insertedItems.isEmpty { misfit { $0.insertedItems.removeLast() } }
        if !contents.changedItems.isEmpty { misfit { $0.changedItems.removeLast() } }
        for index in contents.changedSections.indices {
            misfit { $0.changedSections.remove(at: index) }
            for newIndex in [-1, .min, .max, contents.changedSections[index].newIndex + 1] {
                misfit { $0.changedSections[index].newIndex = newIndex }
            }
        }
        if contents.changedSections.count > 1 { misfit { $0.changedSections.swapAt(0, 1) } }
        return misfits
    }

    @Test func contentsWithOneMoreOneLessOrOneElsewhereDoNotFit() throws {
        var refused = 0
        for seed in UInt64(0)..<UInt64(Effort.number(1_000, usually: 60)) {
            var updates = PublishedUpdates(seed: seed)
            for step in 0..<8 {
                let (changeSet, contents) = try updates.next()
                #expect(contents.fit(changeSet), "seed \(seed), step \(step)")
                for misfit in Self.misfits(contents) {
                    #expect(!misfit.fit(changeSet), "seed \(seed), step \(step): \(misfit)")
                    refused += 1
                }
            }
        }
        #expect(refused > 1_000)
    }

    @Test func itemsOfOneFreshSectionDoNotFitInAnother() throws {
        var changes = HierarchyChangeSet()
        changes.insertSections([0, 1])
        let changeSet = try changes.validated(from: [], to: [1, 2])
        var contents = PublishedContents(freshSections: [
            .init(section: Self.section, items: [Self.item]),
            .init(section: Self.section, items: [Self.item, Self.item]),
        ])
        #expect(contents.fit(changeSet))
        contents.freshSections.swapAt(0, 1)
        #expect(!contents.fit(changeSet))
    }

    @Test func theCountIsOfAllSectionsAndItems() {
        var contents = PublishedContents()
        #expect(contents.count == 0)
        contents.freshSections = [
            .init(section: Self.section, items: [Self.item]), .init(section: Self.section),
        ]
        #expect(contents.count == 3)
        contents.insertedItems = [Self.item]
        contents.changedItems = [Self.item, Self.item]
        contents.changedSections = [.init(newIndex: 0, section: Self.section)]
        #expect(contents.count == 7)
    }

    @Test func aFooterThatIsReloadedBringsNothing() throws {
        var changes = HierarchyChangeSet()
        changes.reloadSupplementaries(ofKind: .footer, in: [0])
        #expect(PublishedContents().fit(try changes.validated(from: [1], to: [1])))
    }
}
