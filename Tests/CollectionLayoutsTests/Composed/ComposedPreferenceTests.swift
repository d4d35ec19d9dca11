import TestSupport
import Testing

@testable import CollectionLayouts

@Suite("Sizes that views prefer in a composed layout")
struct ComposedPreferenceTests {
    /// By the letter: whether a view gets a size that it prefers, and whether that is reported.
    private func verdict(_ size: Size, _ has: Size, _ preferredSize: Size?, scale: Double) -> [Bool]
    {
        if size == has { return [false, false] }
        let extents = [size.width, size.height]
        let isUsable = extents.allSatisfy { $0 >= 0 && $0 <= 1e15 } && extents != [0, 0]
        guard isUsable else { return [false, true] }
        func differs(_ other: Size) -> Bool {
            let distances = [abs(size.width - other.width), abs(size.height - other.height)]
            return distances.contains { $0 >= 0.5 / scale }
        }
        return [differs(has) && (preferredSize.map(differs) ?? true), false]
    }

    @Test(arguments: [1.0, 2, 4], [false, true])
    func aSizeIsTakenThatDiffersByHalfAPixelAndCanBeUsed(_ scale: Double, _ isAgain: Bool) {
        let host = SectionTestHost()
        host.displayScale = scale
        let rows = [Size(width: 100, height: 20), Size(width: 100, height: 20)]
        host.sections = (0..<3).map { _ in
            host.makeSection(rows, SectionMetrics(headerExtent: 20, footerExtent: 20))
        }
        let layout = ComposedLayout()
        // The columns have a width of their own.
        layout.layoutProvider = { section, _ in
            section == 1 ? MasonrySectionLayout(columnCount: 2) : nil
        }
        _ = host.lay(layout)
        let preferredSize = Size(width: 200, height: 70)
        let places: [LayoutPlace] = [
            .cell(ItemPath(section: 0, item: 1)), .cell(ItemPath(section: 1, item: 0)),
            .header(1), .footer(2),
        ]
        for place in places {
            guard let first = layout.layoutAttributes(for: place) else { continue }
            if isAgain { #expect(layout.prefer(preferredSize, to: first) != nil) }
            guard let original = layout.layoutAttributes(for: place) else { continue }
            var values: [Double] = [
                -1, .nan, .infinity, 0, 0.2, 0.5, 1e15, 1e15.nextUp, 200, 70,
            ]
            for edge in [200, 70, original.size.width, original.size.height] {
                values += [-0.5, -0.1, 0, 0.1, 0.124, 0.125, 0.25, 0.5, 1].map { edge + $0 }
            }
            for width in values {
                for height in values {
                    let size = Size(width: width, height: height)
                    var preferred = original
                    preferred.size = size
                    let errors = layout.errorCount
                    let takes = layout.shouldInvalidateLayout(
                        forPreferredLayoutAttributes: preferred,
                        withOriginalAttributes: original
                    )
                    let found = [takes, layout.errorCount > errors]
                    let was = isAgain ? preferredSize : nil
                    if found != verdict(size, original.size, was, scale: scale) {
                        Issue.record("\(place): \(size) in place of \(original.size): \(found)")
                    }
                }
            }
        }
    }

    @Test func whatIsNotThereOrIsADecorationPrefersNothing() {
        let host = SectionTestHost()
        host.sections = [host.makeSection([Size(width: 100, height: 20)])]
        let layout = host.lay(
            ComposedLayout(defaultLayout: FlowSectionLayout().background(.background))
        )
        let kind = SupplementaryKind(rawValue: "else")
        let path = ItemPath(section: 0, item: 0)
        for place in [
            .header(0), .header(1), .background(0), LayoutPlace(.supplementary(kind), path),
            .cell(ItemPath(section: 0, item: 1)), .cell(ItemPath(section: -1, item: 0)),
        ] {
            let size = Size(width: 100, height: 77)
            let preferred = LayoutAttributes(place, frame: Rect(origin: .zero, size: size))
            #expect(
                !layout.shouldInvalidateLayout(
                    forPreferredLayoutAttributes: preferred,
                    withOriginalAttributes: preferred
                )
            )
            let context = layout.invalidationContext(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: preferred
            )
            #expect(context.places == [] && context.contentSizeAdjustment == .zero)
        }
        #expect(layout.work.laidOutSections == 1 && layout.errors.isEmpty)
        #expect(PreferredSizes.hold(.cell) && !PreferredSizes.hold(.decoration(kind)))
        #expect(!PreferredSizes.hold(.supplementary(kind)))
    }

    /// What a context says of a size, compared with what there was before and is afterwards.
    @Test(arguments: 0..<Effort.number(10, usually: 3))
    func aSizeListsWhatItMovesAndSaysByHowMuch(batch: Int) throws {
        for seed in (batch * 30)..<(batch * 30 + 30) {
            var random = SeededNumbers(seed: UInt64(seed))
            let composition = RandomComposition(&random)
            let (host, direction) = (composition.host, composition.direction)
            // At pixels on which all edges lie.
            host.displayScale = 1024
            let layout = composition.makeLayout()
            layout.prepare()
            for _ in 0..<6 {
                let all = layout.layoutAttributesForElements(in: everywhere)
                guard let original = all.randomElement(using: &random),
                    let other = all.randomElement(using: &random)
                else { break }
                // Often the view begins, or ends, where an element does.
                let edge = AxisRect(other.frame, direction)
                let extent = host.bounds.size.along(direction)
                let start = [edge.alongEnd, edge.along - extent, edge.along - 30]
                let along = start[random.next(below: 3)]
                host.bounds.origin = Point(along: along, across: 0, direction)
                let size = host.makeRandomItem(&random).size
                check(layout, host, original, size, "seed \(seed)")
            }
        }
    }

    private func check(
        _ layout: ComposedLayout,
        _ host: SectionTestHost,
        _ original: LayoutAttributes,
        _ size: Size,
        _ comment: Comment
    ) {
        let direction = layout.scrollDirection
        var preferred = original
        preferred.size = size
        let isTaken = layout.shouldInvalidateLayout(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        let shown = layout.layoutAttributesForElements(in: host.bounds).map(\.place)
        let before = layout.collectionViewContentSize
        let (prepared, questions) = (layout.work.laidOutSections, host.sizeQuestions)
        let context = layout.invalidationContext(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        let growth = layout.collectionViewContentSize.along(direction) - before.along(direction)
        var expected: Set<LayoutPlace> = []
        if isTaken {
            expected = Set(shown.filter { $0.path.section >= original.indexPath.section })
            expected.insert(original.place)
        }
        #expect(context.places == expected, comment)
        #expect(context.contentSizeAdjustment == Size(along: growth, across: 0, direction), comment)
        // From right to left, what follows an element lies on its left and is not moved.
        let (frame, bounds) = (original.frame, host.bounds)
        let isReversed = direction == .horizontal && host.isRightToLeft
        let movesShown =
            isReversed
            ? frame.minX < bounds.maxX
            : AxisRect(frame, direction).alongEnd <= bounds.origin.along(direction)
        let shift = Point(along: isTaken && movesShown ? growth : 0, across: 0, direction)
        #expect(context.contentOffsetAdjustment == shift, comment)
        layout.invalidateLayout(with: context)
        layout.prepare()
        #expect(layout.work.laidOutSections == prepared + (isTaken ? 1 : 0), comment)
        #expect(host.sizeQuestions == questions, comment)
    }
}
