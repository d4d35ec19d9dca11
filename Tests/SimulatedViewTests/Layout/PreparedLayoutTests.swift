import CollectionElements
import CollectionLayouts
import CollectionPipeline
import PipelineTestSupport
import SimulatedView
import Testing

@Suite("Flow layouts that workers prepare")
struct PreparedLayoutTests {
    // MARK: Walks

    struct Setting: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isRightToLeft = false
        let set: @Sendable (FlowLayout) -> Void
    }

    static let settings = [
        Setting(testDescription: "rows") { _ in },
        Setting(testDescription: "lines with insets") {
            ($0.minimumLineSpacing, $0.minimumInteritemSpacing) = (3, 2)
            $0.sectionInset = EdgeInsets(top: 4, left: 5, bottom: 6, right: 7)
        },
        Setting(testDescription: "columns") { $0.scrollDirection = .horizontal },
        Setting(testDescription: "columns from the right", isRightToLeft: true) {
            $0.scrollDirection = .horizontal
        },
        Setting(testDescription: "cards") { $0.itemSize = Size(width: 24, height: 9) },
    ]

    /// Edits of rows and headers in three sections, scrolling, new sizes of the view and new
    /// insets, several at a time. Afterwards everything has the frame of a layout from scratch,
    /// everything visible is measured for the available room, and the main lane has laid out
    /// nothing, unless this step required it.
    @Test(arguments: settings, [nil, 1, 2] as [UInt64?])
    func preparedLayoutsEqualLayoutsFromScratch(_ setting: Setting, _ seed: UInt64?) {
        let list = PreparedList([25, 0, 40], headers: [7, nil, 9], seed: seed, set: setting.set)
        var random = SeededGenerator(seed: seed ?? 0)
        if setting.isRightToLeft {
            list.onMain { $0.isRightToLeft = true }
            list.update { _, changes in changes.reloadData() }
        }
        for number in 0..<40 {
            let (room, own) = (room(list), list.layout.work.laidOutSections)
            for action in 0...random.next(below: 3) {
                enqueue("\(number).\(action)", list, &random)
            }
            list.simulation.run()
            var faults = list.misplaced
            let laidOut = list.layout.work.laidOutSections - own
            if laidOut > 0, self.room(list) == room {
                faults.append("\(laidOut) sections laid out")
            }
            faults += unmeasured(list)
            guard let fault = faults.first else { continue }
            Issue.record("\(setting.testDescription) \(seed ?? 0) step \(number): \(fault)")
            return
        }
    }

    private func room(_ list: PreparedList) -> [Double] {
        list.onMain { view in
            let inset = (view.collectionViewLayout as? FlowLayout)?.sectionInset ?? .zero
            return [view.size.width, view.size.height, inset.top]
        }
    }

    /// The visible elements that are not measured for the available room.
    private func unmeasured(_ list: PreparedList) -> [String] {
        list.onMain { view in
            var found: [String] = []
            let ranges = FlowLayoutDelegate(view).sizeRanges(for: view.map)
            for shown in view.visibleViews {
                guard let place = shown.attributes?.place, let elementPlace = place.elementPlace
                else { continue }
                switch shown.content?.state {
                case .measured(let range) where range == ranges?(elementPlace): break
                // An infinite width is not a valid size.
                case .failed: break
                default: found.append("\(place) is not measured")
                }
            }
            return found
        }
    }

    private func enqueue(_ name: String, _ list: PreparedList, _ random: inout SeededGenerator) {
        let (seed, share) = (random.next(), Double(random.next(below: 1000)) / 1000)
        switch random.next(below: 10) {
        case 0:
            list.enqueue { $0.resize(to: Size(width: 60 + (share * 6).rounded() * 10, height: 60)) }
        case 1:
            list.enqueue { view in
                let size = view.contentSize
                view.contentOffset = Point(x: size.width * share, y: size.height * share)
            }
        case 2: list.enqueue { $0.scroll(by: share * 200 - 100) }
        case 3:
            list.enqueue { view in
                (view.collectionViewLayout as? FlowLayout)?.sectionInset.top = (share * 9).rounded()
            }
        case 4:
            list.submit { source, changes in
                for section in [0, 2] {
                    source.sections[section].headers = ["header=\((share * 9).rounded() + 2)"]
                }
                changes.reloadSupplementaries(ofKind: .header, in: [0, 2])
            }
        default:
            list.submit { source, changes in
                var random = SeededGenerator(seed: seed)
                let old = source.sections.map(\.items)
                let shape = HierarchyShape(old.map(\.count))
                var number = 0
                func makeText() -> String {
                    number += 1
                    return "new \(name) \(number)=\(5 + random.next(below: 40))"
                }
                var edits = HierarchyChangeSet()
                let section = random.next(below: 3)
                let count = old[section].count
                let items = (0..<count).filter { _ in random.isTrue(oneIn: 9) }
                let paths = items.map { ItemPath(section, $0) }
                let target = ItemPath((section + 1) % 3, 0)
                var counts = old.map(\.count)
                switch random.next(below: 4) {
                case 0: edits.reconfigureItems(at: paths)
                case 1 where !items.isEmpty:
                    edits.moveItem(at: paths[0], to: target)
                    (counts[section], counts[target.section]) = (
                        count - 1, counts[target.section] + 1
                    )
                default:
                    edits.deleteItems(at: paths)
                    edits.insertItems(at: (0..<3).map { ItemPath(section, $0) })
                    counts[section] += 3 - items.count
                }
                let new = HierarchyShape(counts)
                guard let valid = try? edits.validated(from: shape, to: new) else { return }
                let after = valid.models(
                    after: old,
                    changed: { _ in makeText() },
                    makeText: makeText
                )
                for (section, texts) in after.enumerated() {
                    source.sections[section].items = texts
                }
                for operation in edits.operations { changes.record(operation) }
            }
        }
    }

    // MARK: Measuring

    /// One screenful before and after the viewport is measured; an update is laid out from the
    /// previous layout.
    @Test func onlyNearRowsAreMeasuredAndOnlyNewRowsAreLaidOut() {
        let list = PreparedList([50_000, 50_000])
        #expect(list.made == (1...6).map { "row \($0)" })
        #expect(list.frames(0..<3).map { $0?.minY } == [0, 20, 40])
        let ranges = list.nodes.measurements.values.map(\.range.maximum)
        #expect(ranges.allSatisfy { $0 == Size(width: 100, height: .infinity) })
        list.onMain { $0.contentOffset = Point(x: 0, y: 30_000) }
        #expect((9...18).contains(list.made.count) && Set(list.made).count == list.made.count)
        for number in 0..<2 {
            list.insert("last \(number)", atEnd: true)
            #expect(list.onMain { ($0.preparedLayout as? PreparedFlow)?.work.requestedSizes } == 1)
        }
        #expect(list.layout.work.laidOutSections == 0)
    }

    @Test func scrolledRowsAreMeasuredOnceAndFailedRowsKeepTheirEstimate() {
        let list = PreparedList([120, 80])
        for _ in 0..<100 { list.onMain { $0.scroll(by: 40) } }
        #expect(list.made.count == 200 && list.nodes.measurements.count == 200)
        #expect(list.layout.collectionViewContentSize == Size(width: 100, height: 4000))
        #expect(list.layout.work.laidOutSections == 0 && unmeasured(list).isEmpty)
        let failing = PreparedList([3])
        failing.insert("bad?")
        #expect(failing.frames(0..<2).map { $0?.size.height } == [0, 20])
        #expect(failing.misplaced == [])
    }

    // MARK: Layout on the main lane

    private final class Heights: LayoutMetrics {
        func size(ofItemAt path: ItemPath) -> Size? { Size(width: 100, height: 15) }
    }

    enum Change: CaseIterable, Sendable { case list, metrics }

    /// If only the layout can compute sizes, or another layout is set for a time, the main lane
    /// lays out until the next update.
    @Test(arguments: Change.allCases, [false, true])
    func theMainLaneLaysOutWhatWorkersCannotUntilTheNextUpdate(
        _ change: Change,
        _ relayouts: Bool
    ) {
        let heights = Heights()
        let list = PreparedList([200, 100], relayouts: relayouts)
        list.onMain { $0.contentOffset = Point(x: 0, y: 3000) }
        list.onMain { view in
            switch change {
            case .list: view.setCollectionViewLayout(ListLayout())
            case .metrics:
                view.layoutMetrics = heights
                view.collectionViewLayout.invalidateLayout()
            }
        }
        list.insert("unprepared", atEnd: true)
        // Sizes that are measured in the meantime are known afterwards.
        list.onMain { $0.contentOffset.y = 900 }
        list.onMain { view in
            #expect(!(view.preparedLayout is PreparedFlow))
            let layout = FlowLayout()
            layout.minimumLineSpacing = 0
            if change == .list { view.setCollectionViewLayout(layout) }
            view.layoutMetrics = nil
            view.collectionViewLayout.invalidateLayout()
        }
        let before = list.layout.work.laidOutSections
        list.insert("adopted", atEnd: true)
        #expect(list.layout.work.laidOutSections == before)
        // Distant rows keep the sizes from the previous room.
        if !relayouts, change == .list { return }
        #expect(list.misplaced == [] && unmeasured(list) == [])
        list.onMain { $0.scrollToTop() }
        #expect(list.misplaced == [])
    }

    // MARK: Incorrect delegates

    /// Always returns its first layout if it is stale; records the number of measured items at each
    /// call.
    private final class StaleDelegate: LayoutDelegate {
        let laidOut: Journal<(flow: PreparedFlow, measured: Int)>
        private let isStale: Bool
        private let base: FlowLayoutDelegate

        init(
            _ view: SimulatedCollectionView,
            _ laidOut: Journal<(flow: PreparedFlow, measured: Int)>,
            isStale: Bool
        ) {
            (base, self.laidOut, self.isStale) = (FlowLayoutDelegate(view), laidOut, isStale)
        }

        func layoutContext(for map: ElementMap) -> FlowLayoutDelegate.LayoutContext {
            base.layoutContext(for: map)
        }

        func layout(
            _ map: ElementMap,
            in context: FlowLayoutDelegate.LayoutContext,
            measurer: LayoutMeasurer
        ) -> PreparedFlow? {
            guard let flow = base.layout(map, in: context, measurer: measurer) else { return nil }
            laidOut.append((flow, map.items.count { $0.content.size != nil }))
            return isStale ? laidOut.values.first?.flow : flow
        }
    }

    /// Rows of half a point with an estimate of 50: each measurement moves one more row into the
    /// screenful after the viewport.
    @Test func afterSixteenRoundsTheViewMeasuresTheRest() {
        let laidOut = Journal<(flow: PreparedFlow, measured: Int)>()
        let size = Size(width: 50, height: 10)
        let list = PreparedList(
            [0],
            size: size,
            delegate: { StaleDelegate($0, laidOut, isStale: false) }
        )
        list.update { source, changes in
            source.sections[0].items = Array(repeating: "low=0.5", count: 100)
            changes.insertItems(at: (0..<100).map { ItemPath(0, $0) })
        }
        #expect(laidOut.values.first { $0.measured > 0 }?.measured == 16)
    }

    @Test func aPreparedLayoutOfOtherContentIsReportedAndNotUsed() {
        let laidOut = Journal<(flow: PreparedFlow, measured: Int)>()
        let list = PreparedList([10], delegate: { StaleDelegate($0, laidOut, isStale: true) })
        func messages() -> [String] {
            list.onMain { view in
                defer { view.clearErrors() }
                return view.errors.map(\.message)
            }
        }
        #expect(messages() == [] && list.misplaced == [])
        list.insert("new=30")
        #expect(
            messages() == [
                "expected a prepared layout of generation 2 with"
                    + " { 1 section with item counts: [11] }, found one of generation 1 with"
                    + " { 1 section with item counts: [10] }; the layout computes everything itself"
            ]
        )
        #expect(list.misplaced == [] && list.frames(0..<2).map { $0?.minY } == [0, 30])
        list.update { _, changes in changes.reloadData() }
        #expect(messages().count == 1 && list.misplaced == [])
    }
}
