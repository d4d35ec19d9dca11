import TestSupport
import Testing

@testable import CollectionLayouts

/// Where a list's heights come from, and what becomes of those that views prefer.
@Suite("Heights of a list")
struct ListHeightTests {
    private func row(_ item: Int) -> LayoutPlace { .cell(ItemPath(section: 0, item: item)) }

    private func heights(_ layout: ListLayout) -> [Double] {
        layout.frames().map(\.size.height)
    }

    // MARK: Sources

    @Test func heightsComeFromMetricsThenPropertiesThenThePipelineThenTheDefault() {
        let host = ScriptedHost([ScriptedSection(items: [Size(width: 1, height: 7), nil, nil])])
        host.measured[row(1)] = Size(width: 1, height: 9)
        let layout = host.lay(ListLayout())
        #expect(heights(layout) == [7, 9, 44])
        // Set is set, be it to what it was.
        layout.rowHeight = 44
        layout.invalidateLayout()
        layout.prepare()
        #expect(heights(layout) == [7, 44, 44])
        layout.rowHeight = 50
        layout.prepare()
        #expect(heights(layout) == [7, 50, 50])
    }

    @Test func headersAreMeasuredWhereNobodySaysTheirHeight() {
        let places: [LayoutPlace] = [.header(0), .footer(0)]
        for place in places {
            let host = ScriptedHost([.uniform(1, 1, 10)])
            host.measured[place] = Size(width: 1, height: 6)
            let layout = host.lay(ListLayout())
            func set(_ height: Double) {
                if place == .header(0) {
                    layout.sectionHeaderHeight = height
                } else {
                    layout.sectionFooterHeight = height
                }
            }
            #expect(layout.frame(place)?.size.height == 6)
            for height in [1.0, 4] {
                set(height)
                layout.prepare()
                #expect(layout.frame(place)?.size.height == height)
            }
            set(0)
            layout.prepare()
            #expect(layout.frame(place)?.size.height == 6)
            for height in [0.0, 3] {
                host.sections[0].header = height
                host.sections[0].footer = height
                layout.invalidateLayout()
                layout.prepare()
                #expect(layout.frame(place)?.size.height == (height == 0 ? nil : height))
            }
        }
    }

    @Test func whatIsNoHeightCountsAsZeroAndAnyOtherIsTakenAsItIs() {
        let bad: [Double] = [-1, .nan, .infinity, -.infinity]
        let good = [0, 0.25, 1, 1e300]
        for height in bad + good {
            let isBad = height.isNaN || height < 0 || height == .infinity
            let host = ScriptedHost([.uniform(1, 1, height)])
            let layout = host.lay(ListLayout())
            #expect(heights(layout) == [isBad ? 0 : height])
            let text = "expected a height for the row at 0 - 0, found \(height); it counts as zero"
            #expect(layout.errors.map(\.message) == (isBad ? [text] : []))
            #expect(layout.errors.allSatisfy { $0.code == .itemSize && $0.place == row(0) })
            host.sections[0] = ScriptedSection(header: height)
            layout.invalidateLayout()
            layout.prepare()
            #expect(layout.collectionViewContentSize.height == (isBad ? 0 : height))
            let header = text.replacing("row", with: "header")
            #expect(layout.errors.map(\.message) == (isBad ? [header] : []))
            #expect(
                layout.errors.allSatisfy { $0.code == .supplementarySize && $0.place == .header(0) }
            )
        }
    }

    // MARK: Pixels

    /// A view without a usable scale has a pixel a unit.
    @Test(arguments: [1, 2, 0.5, 0, -2, .infinity, .nan] as [Double])
    func rowsBeginOnPixels(_ scale: Double) {
        let host = ScriptedHost([.uniform(20, 1, 3.3)])
        host.displayScale = scale
        let layout = host.lay(ListLayout())
        let usable = scale > 0 && scale < .infinity ? scale : 1
        for (item, frame) in layout.frames().enumerated() {
            let exact = 3.3 * Double(item)
            #expect(abs(frame.minY - (exact * usable).rounded() / usable) < 1e-9)
            #expect(abs(frame.minY - exact) <= 0.5 / usable + 1e-9)
        }
        host.displayScale = 1e300
        host.sections = [.uniform(3, 1, 1e300)]
        layout.invalidateLayout()
        layout.prepare()
        // Where there are no pixels any more, as beside the largest numbers, nothing is rounded.
        #expect(layout.frames().allSatisfy { $0.minY.isFinite })
    }

    /// Pixels as large as several rows move them far.
    @Test(arguments: [0.05, 0.3, 1, 3])
    func aRectangleFindsRowsWherePixelsHaveThem(_ scale: Double) {
        var section = ScriptedSection.uniform(40, 1, 3.3)
        (section.header, section.footer) = (4.1, 2.7)
        let host = ScriptedHost([section, section])
        host.displayScale = scale
        let layout = host.lay(ListLayout())
        let places = (0..<2).flatMap { section -> [LayoutPlace] in
            let rows = (0..<40).map { LayoutPlace.cell(ItemPath(section: section, item: $0)) }
            return [.header(section), .footer(section)] + rows
        }
        let all = places.compactMap { layout.layoutAttributes(for: $0) }
        #expect(all.count == places.count)
        for y in stride(from: -30.0, to: layout.collectionViewContentSize.height + 30, by: 3.5) {
            for height in [0, 0.5, 7, 100] {
                let rect = Rect(x: 0, y: y, width: 10, height: height)
                // By section: its header, its footer, its rows.
                #expect(
                    layout.layoutAttributesForElements(in: rect)
                        == all.filter { $0.frame.intersects(rect) },
                    "\(rect)"
                )
            }
        }
    }

    /// Wherever it is, also in a section far below the first.
    @Test func aRectangleLooksAtTheRowsInItAndOneOnEitherSide() {
        var section = ScriptedSection.uniform(1000, 1, 10)
        section.header = 300
        let layout = ScriptedHost([section, section, section]).lay(ListLayout())
        #expect(layout.work.visitedItems == 0)
        for y in stride(from: -500.0, to: layout.collectionViewContentSize.height + 500, by: 333) {
            let before = layout.work.visitedItems
            let rect = Rect(x: 0, y: y, width: 10, height: 205)
            let found = layout.layoutAttributesForElements(in: rect).count {
                $0.representedElementCategory == .cell
            }
            let visited = layout.work.visitedItems - before
            #expect(visited >= found && visited <= found + 2, "\(y)")
        }
    }

    // MARK: Heights that views prefer

    @Test func rowsHeadersAndFootersTakeTheHeightsThatTheirViewsPrefer() throws {
        var random = SeededNumbers(seed: 4)
        let host = ScriptedHost()
        for _ in 0..<4 {
            var section = ScriptedSection.uniform(1 + random.next(below: 9), 1, 10)
            (section.header, section.footer) = (8, 6)
            host.sections.append(section)
        }
        host.adjustedContentInset = EdgeInsets(top: 12)
        let layout = ListLayout()
        #expect(!layout.estimatesHeights)
        layout.estimatesHeights = true
        _ = host.lay(layout)
        let places = layout.layoutAttributesForElements(in: everywhere).map(\.place)
        var heights = Dictionary(
            uniqueKeysWithValues: places.map { ($0, layout.frame($0)?.size.height ?? 0) }
        )
        let order = places.sorted(by: isAbove)
        let asked = layout.work.askedSizes
        for _ in 0..<200 {
            let place = try #require(places.randomElement(using: &random))
            let original = try #require(layout.layoutAttributes(for: place))
            // Exactly at the edge of what is seen, or a little off it.
            let edge = original.frame.maxY + Double(random.next(below: 3) - 1)
            host.bounds.origin.y = edge - 12
            let height = Double(1 + random.next(below: 30))
            let content = layout.collectionViewContentSize.height
            let context = layout.prefer(Size(width: 1, height: height), to: original)
            guard height != original.size.height else {
                #expect(context == nil)
                continue
            }
            heights[place] = height
            var y = 0.0
            for place in order {
                #expect(layout.frame(place)?.minY == y)
                #expect(layout.frame(place)?.size.height == heights[place])
                y += heights[place] ?? 0
            }
            #expect(layout.collectionViewContentSize.height == y)
            let growth = y - content
            #expect(context?.contentSizeAdjustment == Size(width: 0, height: growth))
            let moved = original.frame.maxY <= edge ? growth : 0
            #expect(context?.contentOffsetAdjustment == Point(x: 0, y: moved))
            #expect(
                context?.invalidatedItemIndexPaths == (place.category == .cell ? [place.path] : [])
            )
            let kinds: [SupplementaryKind: Set<ItemPath>] =
                switch place.category {
                case .supplementary(let kind): [kind: [place.path]]
                default: [:]
                }
            #expect(context?.invalidatedSupplementaryIndexPaths == kinds)
        }
        #expect(layout.work.askedSizes == asked)
    }

    private func isAbove(_ first: LayoutPlace, _ second: LayoutPlace) -> Bool {
        func rank(_ place: LayoutPlace) -> [Int] {
            let section = place.path.section
            if place.category == .cell { return [section, 1, place.path.item] }
            return [section, place == .header(section) ? 0 : 2, 0]
        }
        return rank(first).lexicographicallyPrecedes(rank(second))
    }

    @Test func onlyAListThatEstimatesTakesHeightsAndOnlyThoseThatAreSome() {
        for estimates in [false, true] {
            let host = ScriptedHost([.uniform(2, 1, 10)])
            let layout = ListLayout()
            layout.estimatesHeights = estimates
            _ = host.lay(layout)
            for (height, isOther) in [
                (10.0, false), (11, true), (0, true), (-1, false), (.nan, false),
                (.infinity, false),
            ] {
                guard let original = layout.layoutAttributes(for: row(1)) else { continue }
                var preferred = original
                preferred.size.height = height
                let isPreferred = layout.shouldInvalidateLayout(
                    forPreferredLayoutAttributes: preferred,
                    withOriginalAttributes: original
                )
                #expect(isPreferred == (estimates && isOther), "\(height)")
                guard !isOther, height != 10 else { continue }
                let context = layout.invalidationContext(
                    forPreferredLayoutAttributes: preferred,
                    withOriginalAttributes: original
                )
                #expect(
                    context.invalidatedItemIndexPaths.isEmpty
                        && context.contentSizeAdjustment == .zero
                )
                #expect(heights(layout) == [10, 10])
            }
            withExtendedLifetime(host) {}
        }
    }

    /// A subclass may have decorations; a list keeps no heights of them, and begins again.
    @Test func aDecorationThatPrefersAnotherHeightInvalidatesTheList() throws {
        final class Decorated: ListLayout {
            override func layoutAttributesForDecorationView(
                ofKind kind: SupplementaryKind,
                at path: ItemPath
            ) -> LayoutAttributes? {
                let place = LayoutPlace(.decoration(kind), path)
                return LayoutAttributes(place, frame: Rect(x: 0, y: 0, width: 5, height: 5))
            }
        }
        let host = ScriptedHost([.uniform(2, 1, 10)])
        let layout = Decorated()
        layout.estimatesHeights = true
        _ = host.lay(layout)
        let asked = layout.work.askedSizes
        let place = LayoutPlace(.decoration(.background), ItemPath(section: 0, item: 0))
        let original = try #require(layout.layoutAttributes(for: place))
        let context = try #require(layout.prefer(Size(width: 5, height: 9), to: original))
        #expect(!context.isPartial && context.contentSizeAdjustment == .zero)
        #expect(layout.work.askedSizes == asked + 2)
    }

    // MARK: Without a view

    @Test func aListWithoutAViewHasNoContentAndNothingToInvalidate() {
        let layout = ListLayout()
        layout.prepare()
        #expect(layout.collectionViewContentSize == .zero)
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: everywhere))
        let host = ScriptedHost([.uniform(2, 1, 10)])
        layout.attach(to: host)
        #expect(layout.collectionViewContentSize == .zero, "and before the first pass")
        layout.prepare()
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 20))
    }
}
