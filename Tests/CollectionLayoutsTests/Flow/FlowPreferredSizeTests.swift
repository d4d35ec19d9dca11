import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

/// Sizes that views prefer in a flow layout that estimates them, compared with a layout to which they were
/// known from the beginning.
@Suite("Sizes that views prefer in a flow layout")
struct FlowPreferredSizeTests {
    /// A layout that estimates all sizes, and a view that answers with those preferred so far.
    private struct Estimating {
        let host: ScriptedHost
        let known: ScriptedHost
        let layout: FlowLayout

        init(_ random: inout SeededNumbers) {
            let scenario = FlowScenario(&random)
            (known, layout) = (scenario.host, scenario.layout)
            known.bounds.size = Size(width: 300, height: 310)
            let estimate = Size(width: 48, height: 32)
            host = ScriptedHost()
            for index in known.sections.indices {
                let count = known.sections[index].items.count
                known.sections[index].items = Array(repeating: estimate, count: count)
                host.sections.append(known.sections[index])
                host.sections[index].items = Array(repeating: nil, count: count)
            }
            (host.bounds, host.isRightToLeft) = (known.bounds, known.isRightToLeft)
            host.displayScale = known.displayScale
            host.adjustedContentInset = known.adjustedContentInset
            host.safeAreaInsets = known.safeAreaInsets
            host.layoutMargins = known.layoutMargins
            layout.estimatedItemSize = estimate
            _ = host.lay(layout)
        }

        /// The first difference from the naive layout of what is known.
        var difference: String? {
            let naive = NaiveFlow(known, layout)
            let scale = known.displayScale
            func check(_ found: Rect?, _ expected: Rect?) -> Bool {
                if let found, let expected { return found.isRounded(expected, scale: scale) }
                return (found == nil) == (expected == nil)
            }
            for (index, section) in naive.sections.enumerated() {
                let path = ItemPath(section: index, item: 0)
                let header = layout.frame(ofSupplementary: .header, at: path)
                let footer = layout.frame(ofSupplementary: .footer, at: path)
                guard check(layout.frame(ofSection: index), section.frame),
                    check(header, section.header), check(footer, section.footer)
                else { return "section \(index)" }
                for (item, frame) in section.items.enumerated() {
                    let path = ItemPath(section: index, item: item)
                    if !check(layout.frame(ofItem: path), frame) { return "item \(path)" }
                }
            }
            return nil
        }

        /// Scrolls so that the item just is, or just is not, before what is seen.
        func scroll(besides frame: Rect, _ random: inout SeededNumbers) {
            let direction = layout.scrollDirection
            let visible = host.bounds.inset(by: host.adjustedContentInset)
            let inset = visible.origin.along(direction) - host.bounds.origin.along(direction)
            let edge =
                host.isRightToLeft && direction == .horizontal
                ? frame.minX - visible.size.width
                : frame.origin.along(direction) + frame.size.along(direction)
            let pixel = Double(random.next(below: 3) - 1) / host.displayScale
            host.bounds.origin = Point(along: edge - inset + pixel, across: 0, direction)
        }
    }

    @Test(arguments: 0..<20)
    func anItemTakesTheSizeThatItsViewPrefersAndTheContextSaysWhatMoves(_ seed: Int) throws {
        var random = SeededNumbers(seed: UInt64(seed))
        let all = Estimating(&random)
        let (host, layout) = (all.host, all.layout)
        let direction = layout.scrollDirection
        let paths = host.sections.enumerated().flatMap { section, scripted in
            scripted.items.indices.map { ItemPath(section: section, item: $0) }
        }
        guard !paths.isEmpty else { return }
        for step in 0..<20 {
            let path = paths[random.next(below: paths.count)]
            let size = FlowScenario.size(&random, 2)
            let old = try #require(layout.frame(ofItem: path))
            all.scroll(besides: old, &random)
            let visible = host.bounds.inset(by: host.adjustedContentInset)
            let (content, before) = (layout.collectionViewContentSize, layout.work)
            let original = try #require(layout.layoutAttributesForItem(at: path))
            let context = layout.prefer(size, to: original)
            all.known.sections[path.section].items[path.item] = size
            let fault = all.difference
            #expect(fault == nil, "seed \(seed), step \(step)")
            guard size != original.size else {
                #expect(context == nil)
                continue
            }
            let flow = try #require(context as? FlowLayoutInvalidationContext)
            #expect(
                !flow.invalidatesFlowLayoutDelegateMetrics && !flow.invalidatesFlowLayoutAttributes
            )
            #expect(flow.invalidatedItemIndexPaths == [path])
            let place = ItemPath(section: path.section, item: 0)
            var supplements: [SupplementaryKind: Set<ItemPath>] = [:]
            if host.sections[path.section].header ?? 0 > 0 { supplements[.header] = [place] }
            if host.sections[path.section].footer ?? 0 > 0 { supplements[.footer] = [place] }
            #expect(flow.invalidatedSupplementaryIndexPaths == supplements)
            let growth =
                layout.collectionViewContentSize.along(direction) - content.along(direction)
            let grown = Size(along: growth, across: 0, direction)
            #expect(flow.contentSizeAdjustment == grown)
            let flips = host.isRightToLeft && direction == .horizontal
            let end = old.origin.along(direction) + old.size.along(direction)
            let moves =
                flips ? old.minX < visible.maxX : end <= visible.origin.along(direction)
            let moved = moves ? Point(along: growth, across: 0, direction) : .zero
            #expect(flow.contentOffsetAdjustment == moved, "seed \(seed), step \(step)")
            // Only its section is laid out, and nothing is asked.
            #expect(layout.work.laidOutSections == before.laidOutSections + 1)
            #expect(layout.work.askedSizes == before.askedSizes)
        }
    }

    // MARK: What changes nothing

    private func layout(_ estimate: Size) -> (ScriptedHost, FlowLayout) {
        let items = [Size?](repeating: nil, count: 3)
        let host = ScriptedHost([ScriptedSection(items: items, header: 10)])
        let layout = FlowLayout()
        layout.estimatedItemSize = estimate
        return (host, host.lay(layout))
    }

    private let path = ItemPath(section: 0, item: 1)

    private func attributes(_ place: LayoutPlace, _ width: Double, _ height: Double)
        -> LayoutAttributes
    {
        LayoutAttributes(place, frame: Rect(x: 0, y: 0, width: width, height: height))
    }

    @Test func onlyCellsOfALayoutThatEstimatesMayPreferAnotherSize() {
        let estimates = [.zero, FlowLayout.automaticSize, Size(width: 40, height: 40)]
        for estimate in estimates {
            let (host, layout) = layout(estimate)
            for place in [.cell(path), .header(0), .footer(0)] as [LayoutPlace] {
                for (width, isOther) in [(40.0, false), (41, true)] {
                    let isPreferred = layout.shouldInvalidateLayout(
                        forPreferredLayoutAttributes: attributes(place, width, 40),
                        withOriginalAttributes: attributes(place, 40, 40)
                    )
                    let expected = place == .cell(path) && estimate != .zero && isOther
                    #expect(isPreferred == expected, "\(place), \(estimate)")
                }
            }
            #expect(layout.errors.isEmpty)
            withExtendedLifetime(host) {}
        }
    }

    @Test func aSizeThatIsNoneIsReportedAndChangesNothing() {
        let (host, layout) = layout(Size(width: 40, height: 40))
        let before = layout.everything(in: host)
        let sizes: [(Double, Double)] = [
            (0, 0), (-1, 5), (5, -1), (.nan, 5), (5, .infinity),
        ]
        for (count, size) in sizes.enumerated() {
            let preferred = attributes(.cell(path), size.0, size.1)
            let original = attributes(.cell(path), 40, 40)
            #expect(
                !layout.shouldInvalidateLayout(
                    forPreferredLayoutAttributes: preferred,
                    withOriginalAttributes: original
                )
            )
            #expect(layout.errorCount == count + 1)
            #expect(layout.errors.last?.code == .preferredSize)
            #expect(layout.errors.last?.place == .cell(path))
            #expect(
                layout.errors.last?.message.hasSuffix(
                    " wants a size that is none: {\(size.0), \(size.1)} at 0 - 1"
                ) == true
            )
            expectQuiet(layout, preferred)
        }
        for place in [.header(0), .cell(ItemPath(section: 0, item: 3))] as [LayoutPlace] {
            expectQuiet(layout, attributes(place, 50, 50))
        }
        #expect(layout.errorCount == sizes.count && layout.everything(in: host) == before)
        // Without an extent in one direction it is a size all the same.
        let flat = attributes(.cell(path), 0, 7)
        let original = attributes(.cell(path), 40, 40)
        #expect(
            layout.shouldInvalidateLayout(
                forPreferredLayoutAttributes: flat,
                withOriginalAttributes: original
            )
        )
    }

    private func expectQuiet(_ layout: FlowLayout, _ preferred: LayoutAttributes) {
        let context = layout.invalidationContext(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: preferred
        )
        let flow = context as? FlowLayoutInvalidationContext
        #expect(
            flow?.invalidatesFlowLayoutDelegateMetrics == false
                && flow?.invalidatesFlowLayoutAttributes == false
        )
        #expect(
            context.invalidatedItemIndexPaths.isEmpty
                && context.invalidatedSupplementaryIndexPaths.isEmpty
        )
        #expect(context.contentSizeAdjustment == .zero && context.contentOffsetAdjustment == .zero)
    }

    // MARK: Items that are larger than a line

    /// Those that fit exactly are not, whether they are all equal or not.
    @Test func anItemIsTooLargeWhereItIsLargerThanTheRoomOfALine() {
        let room = 100.0
        for direction in ScrollDirection.allCases {
            for (first, second, isLarger) in [
                (room, room, false), (room, 30, false), (30, room, false), (room + 0.5, 30, true),
                (30, room + 0.5, true), (room + 0.5, room + 0.5, true), (30, 30, false),
            ] {
                let host = ScriptedHost(width: 104, height: 104)
                host.sections = [
                    ScriptedSection(
                        items: [first, second].map { Size(along: 300, across: $0, direction) }
                    ), ScriptedSection(items: []),
                ]
                let layout = FlowLayout()
                layout.sectionInset = EdgeInsets(top: 1, left: 1, bottom: 3, right: 3)
                layout.scrollDirection = direction
                _ = host.lay(layout)
                let extent = direction == .vertical ? "width" : "height"
                let (start, end) =
                    direction == .vertical ? ("left", "right") : ("top", "bottom")
                let expected =
                    "The behavior of the UICollectionViewFlowLayout is not defined because: the item"
                    + " \(extent) must be less than the \(extent) of the UICollectionView minus the"
                    + " section insets \(start) and \(end) values, minus the content insets"
                    + " \(start) and \(end) values. Please check the values returned by the"
                    + " delegate. (section 0)"
                #expect(layout.errors.map(\.message) == (isLarger ? [expected] : []))
                #expect(layout.errors.allSatisfy { $0.code == .itemExceedsLine })
            }
        }
    }

    /// Insets may leave no room at all.
    @Test func whereThereIsNoRoomNothingIsLargerThanItButItems() {
        let host = ScriptedHost([ScriptedSection()])
        let layout = FlowLayout()
        layout.sectionInset = EdgeInsets(left: 200, right: 200)
        #expect(host.lay(layout).errors.isEmpty)
        host.sections = [.uniform(1, 0, 0)]
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.errors.map(\.code) == [.itemExceedsLine])
    }

    // MARK: Counts

    @Test func withoutSectionsOrWithFewerThanNoneThereAreNone() {
        for count in [0, -1, .min] {
            let host = ScriptedHost([.uniform(3, 50, 50)])
            host.claimedSectionCount = count
            for layout in [FlowLayout(), ListLayout()] as [CollectionLayout] {
                _ = host.lay(layout)
                #expect(layout.collectionViewContentSize == Size(width: 320, height: 0))
                #expect(layout.layoutAttributesForElements(in: everywhere).isEmpty)
                #expect((layout as? FlowLayout)?.frame(ofSection: 0) == nil)
            }
            host.claimedSectionCount = nil
            host.claimedItemCount = count
            host.sections[0].header = 10
            for layout in [FlowLayout(), ListLayout()] as [CollectionLayout] {
                _ = host.lay(layout)
                #expect(layout.collectionViewContentSize == Size(width: 320, height: 10))
                #expect(
                    layout.layoutAttributesForElements(in: everywhere).map(\.place) == [.header(0)]
                )
            }
        }
    }
}
