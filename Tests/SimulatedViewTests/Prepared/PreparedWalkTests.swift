import CollectionLayouts
import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

/// Edits, scrolling and other sizes of the view at random: after each step everything is where the layout would have it
/// from scratch, what is seen is measured for the room that there is, and the main lane has laid out nothing, but once
/// for each size.
@Suite("Walks through what is laid out beforehand")
struct PreparedWalkTests {
    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let set: @Sendable (FlowLayout) -> Void
        var isRightToLeft = false
    }

    static let settings = [
        Setting(testDescription: "rows", set: { _ in }),
        Setting(
            testDescription: "lines with insets",
            set: {
                ($0.minimumLineSpacing, $0.minimumInteritemSpacing) = (3, 2)
                $0.sectionInset = EdgeInsets(top: 4, left: 5, bottom: 6, right: 7)
            }
        ),
        Setting(testDescription: "columns", set: { $0.scrollDirection = .horizontal }),
        Setting(
            testDescription: "columns from the right",
            set: { $0.scrollDirection = .horizontal },
            isRightToLeft: true
        ),
        Setting(testDescription: "cards", set: { $0.itemSize = Size(width: 24, height: 9) }),
    ]

    private func step(_ list: PreparedList, _ random: inout SeededGenerator, _ number: Int) {
        let (kind, share) = (random.next(below: 7), Double(random.next(below: 1000)) / 1000)
        switch kind {
        case 6:
            let size = Size(width: 60 + 10 * Double(random.next(below: 6)), height: 60)
            list.onMain { $0.resize(to: size) }
        case 0:
            list.onMain { view in
                let size = view.contentSize
                view.contentOffset = Point(x: size.width * share, y: size.height * share)
            }
        case 1: list.onMain { $0.scroll(by: share * 200 - 100) }
        default:
            let seed = random.next()
            list.update { source, changes in
                var random = SeededGenerator(seed: seed)
                let count = source.rows.count
                if random.isTrue(oneIn: 3) {
                    for item in 0..<count where random.isTrue(oneIn: 12) {
                        source.rows[item] = "changed:\(5 + random.next(below: 40))"
                        changes.reconfigureItems(at: [ItemPath(0, item)])
                    }
                    return
                }
                let removed = Set(
                    (0..<random.next(below: 4)).map { _ in random.next(below: count) }
                )
                changes.deleteItems(at: removed.map { ItemPath(0, $0) })
                for item in removed.sorted(by: >) { source.rows.remove(at: item) }
                let place = random.next(below: source.rows.count + 1)
                let fresh = (0..<random.next(below: 5)).map { "new \(number):\(7 + $0 * 6)" }
                source.rows.insert(contentsOf: fresh, at: place)
                changes.insertItems(at: fresh.indices.map { ItemPath(0, place + $0) })
            }
        }
    }

    @Test(arguments: settings, [1, 2] as [UInt64])
    func everythingIsWhereItWouldBeFromScratch(_ setting: Setting, _ seed: UInt64) {
        let list = PreparedList(60, set: setting.set)
        var random = SeededGenerator(seed: seed)
        if setting.isRightToLeft {
            list.onMain { $0.isRightToLeft = true }
            list.update { _, changes in changes.reloadData() }
        }
        for number in 0..<40 {
            nonisolated(unsafe) var size = Size.zero
            list.onMain { size = $0.size }
            let own = list.layout.work.laidOutSections
            step(list, &random, number)
            nonisolated(unsafe) var isResized = false
            list.onMain { isResized = $0.size != size }
            let (layout, fresh) = (list.layout, list.fresh())
            let count = list.controller.visibleMap.numberOfItems
            let wrong = (0..<count).filter {
                layout.frame(ofItem: ItemPath(0, $0)) != fresh.frame(ofItem: ItemPath(0, $0))
            }
            #expect(wrong.isEmpty, "step \(number)")
            #expect(layout.collectionViewContentSize == fresh.collectionViewContentSize)
            let laidOut = layout.work.laidOutSections - own
            #expect(laidOut == 0 || isResized && laidOut == 1, "step \(number)")
            nonisolated(unsafe) var unmeasured = 0
            list.onMain { view in
                let ranges = FlowLayoutDelegate(view).sizeRanges(for: view.map)
                for cell in view.visibleCells {
                    guard let place = cell.attributes?.place.elementPlace else { continue }
                    switch cell.content?.state {
                    case .measured(let range) where range == ranges?(place): break
                    // As wide as anything may be is no size.
                    case .failed: break
                    default: unmeasured += 1
                    }
                }
            }
            #expect(unmeasured == 0, "step \(number)")
            guard wrong.isEmpty else { return }
        }
    }
}
