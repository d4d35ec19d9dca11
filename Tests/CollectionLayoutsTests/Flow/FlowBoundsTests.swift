import TestSupport
import Testing

@testable import CollectionLayouts

extension NaiveFlow {
    /// Where the header or footer of a section is held, by the letter: it stays in the visible part of
    /// its section, and the two do not overlap.
    ///
    /// - Parameter natural: where it would be.
    func pinned(
        _ natural: Rect?,
        _ kind: SupplementaryKind,
        of section: Section,
        _ host: ScriptedHost,
        _ direction: ScrollDirection
    ) -> Rect? {
        guard let natural else { return nil }
        let visible = host.bounds.inset(by: host.adjustedContentInset)
        let flips = direction == .horizontal && host.isRightToLeft
        // Positions from the first section on.
        func interval(_ rect: Rect) -> (low: Double, high: Double) {
            let low = rect.origin.along(direction)
            let high = low + rect.size.along(direction)
            return flips ? (contentSize.width - high, contentSize.width - low) : (low, high)
        }
        let (place, frame, shown) = (interval(natural), interval(section.frame), interval(visible))
        let header = section.header?.size.along(direction) ?? 0
        let footer = section.footer?.size.along(direction) ?? 0
        var start = place.low
        if kind == .header {
            start = min(max(start, shown.low), frame.high - footer - header)
        } else {
            start = max(min(start, shown.high - footer), frame.low + header)
        }
        let extent = natural.size.along(direction)
        let origin = flips ? contentSize.width - start - extent : start
        return Rect(
            origin: Point(along: origin, across: natural.origin.across(direction), direction),
            size: natural.size
        )
    }
}

@Suite("What a flow layout does at other bounds")
struct FlowBoundsTests {
    private func scenario(_ random: inout SeededNumbers) -> FlowScenario {
        let scenario = FlowScenario(&random)
        scenario.layout.sectionHeadersPinToVisibleBounds = random.chance(0.6)
        scenario.layout.sectionFootersPinToVisibleBounds = random.chance(0.6)
        if random.chance(0.5) { scenario.host.adjustedContentInset = .zero }
        // What is pulled together leaves headers and footers outside of their section.
        for index in scenario.host.sections.indices where random.chance(0.3) {
            scenario.host.sections[index].inset = EdgeInsets(
                top: Double(random.next(below: 200) - 150),
                left: Double(random.next(below: 200) - 150)
            )
        }
        _ = scenario.host.lay(scenario.layout)
        return scenario
    }

    /// Bounds of the same size somewhere in the content, or around it.
    private func scrolled(_ scenario: FlowScenario, _ random: inout SeededNumbers) -> Rect {
        var bounds = scenario.host.bounds
        let (content, direction) = (
            scenario.layout.collectionViewContentSize, scenario.layout.scrollDirection
        )
        let extent = content.along(direction)
        let start =
            random.chance(0.3)
            ? bounds.origin.along(direction) + Double(random.next(below: 40) - 20)
            : Double(random.next(below: Int(extent) + 100) - 50)
        bounds.origin = Point(
            along: start,
            across: bounds.origin.across(direction),
            direction
        )
        return bounds
    }

    private func supplements(_ scenario: FlowScenario) -> [LayoutPlace: Rect] {
        let places = scenario.host.sections.indices.flatMap {
            [LayoutPlace.header($0), .footer($0)]
        }
        return Dictionary(
            uniqueKeysWithValues: places.compactMap { place in
                let kind: SupplementaryKind =
                    place == .header(place.path.section) ? .header : .footer
                return scenario.layout.frame(ofSupplementary: kind, at: place.path).map {
                    (place, $0)
                }
            }
        )
    }

    @Test(arguments: 0..<Effort.number(10, usually: 3))
    func headersAndFootersAreHeldInTheVisiblePartOfTheirSection(_ batch: Int) {
        for seed in (batch * 30)..<(batch * 30 + 30) {
            var random = SeededNumbers(seed: UInt64(seed))
            let scenario = scenario(&random)
            let (host, layout) = (scenario.host, scenario.layout)
            for _ in 0..<4 {
                host.bounds = scrolled(scenario, &random)
                let naive = NaiveFlow(host, layout)
                for (index, section) in naive.sections.enumerated() {
                    for kind in [SupplementaryKind.header, .footer] {
                        let isHeader = kind == .header
                        var expected = isHeader ? section.header : section.footer
                        if isHeader
                            ? layout.sectionHeadersPinToVisibleBounds
                            : layout.sectionFootersPinToVisibleBounds
                        {
                            expected = naive.pinned(
                                expected,
                                kind,
                                of: section,
                                host,
                                layout.scrollDirection
                            )
                        }
                        let found = layout.frame(
                            ofSupplementary: kind,
                            at: ItemPath(section: index, item: 0)
                        )
                        let isRight =
                            if let found, let expected {
                                found.isRounded(expected, scale: host.displayScale)
                            } else {
                                (found == nil) == (expected == nil)
                            }
                        #expect(isRight, "seed \(seed): \(kind) \(index) at \(found.debugText)")
                    }
                }
            }
        }
    }

    /// Those that are pinned, of sections that lie in the old or new bounds or are jumped over, and are in
    /// sight before or after, or move.
    @Test(arguments: 0..<Effort.number(10, usually: 3))
    func scrollingInvalidatesWhatIsPinnedAndWasOrComesInSightOrMoves(_ batch: Int) throws {
        for seed in (batch * 30)..<(batch * 30 + 30) {
            var random = SeededNumbers(seed: UInt64(seed))
            let scenario = scenario(&random)
            let (host, layout) = (scenario.host, scenario.layout)
            for _ in 0..<4 {
                let (old, new) = (host.bounds, scrolled(scenario, &random))
                let isRelevant = layout.shouldInvalidateLayout(forBoundsChange: new)
                let context = try #require(
                    layout.invalidationContext(forBoundsChange: new)
                        as? FlowLayoutInvalidationContext
                )
                let before = supplements(scenario)
                host.bounds = new
                let after = supplements(scenario)
                let jumped = old.skipped(to: new, layout.scrollDirection)
                var expected: [SupplementaryKind: Set<ItemPath>] = [:]
                for (place, was) in before {
                    let isHeader = place == .header(place.path.section)
                    guard
                        isHeader
                            ? layout.sectionHeadersPinToVisibleBounds
                            : layout.sectionFootersPinToVisibleBounds,
                        let now = after[place],
                        let section = layout.frame(ofSection: place.path.section),
                        [old, new, jumped].compactMap(\.self).contains(where: section.intersects),
                        was.intersects(old) || now.intersects(new) || was != now
                    else { continue }
                    expected[isHeader ? .header : .footer, default: []].insert(place.path)
                }
                #expect(context.invalidatedSupplementaryIndexPaths == expected, "seed \(seed)")
                #expect(isRelevant == !expected.isEmpty, "seed \(seed)")
                #expect(
                    context.invalidatedItemIndexPaths.isEmpty
                        && context.invalidatedDecorationIndexPaths.isEmpty
                )
                #expect(
                    !context.invalidatesFlowLayoutDelegateMetrics
                        && !context.invalidatesFlowLayoutAttributes
                )
            }
        }
    }

    /// Along the scroll direction a view scrolls; across, there is another room or another place.
    @Test(arguments: ScrollDirection.allCases)
    func anotherExtentOrOriginAcrossMovesLines(_ direction: ScrollDirection) throws {
        let host = ScriptedHost([.uniform(9, 50, 50)])
        let layout = FlowLayout()
        layout.scrollDirection = direction
        _ = host.lay(layout)
        let (origin, size) = (host.bounds.origin, host.bounds.size)
        for (originAlong, originAcross, along, across) in [
            (0.0, 0.0, 0.0, 0.0), (9, 0, 0, 0), (0, 0, 9, 0), (9, 0, 9, 0), (0, 9, 0, 0),
            (0, 0, 0, 9), (0, 9, 0, 9), (9, 9, 9, 9),
        ] {
            let moved = Point(along: originAlong, across: originAcross, direction)
            let grown = Size(along: along, across: across, direction)
            let bounds = Rect(
                x: origin.x + moved.x,
                y: origin.y + moved.y,
                width: size.width + grown.width,
                height: size.height + grown.height
            )
            let expected = originAcross != 0 || across != 0
            #expect(layout.shouldInvalidateLayout(forBoundsChange: bounds) == expected)
            let context = try #require(
                layout.invalidationContext(forBoundsChange: bounds)
                    as? FlowLayoutInvalidationContext
            )
            #expect(
                context.invalidatesFlowLayoutAttributes == expected
                    && !context.invalidatesFlowLayoutDelegateMetrics
            )
        }
    }

    @Test func aLayoutWithoutAViewHasNothingToInvalidate() {
        let layout = FlowLayout()
        layout.sectionHeadersPinToVisibleBounds = true
        #expect(!layout.shouldInvalidateLayout(forBoundsChange: everywhere))
        let context = layout.invalidationContext(forBoundsChange: everywhere)
        #expect(
            (context as? FlowLayoutInvalidationContext)?.invalidatesFlowLayoutAttributes == false
        )
    }

    // MARK: Headers and footers

    @Test(arguments: [0.125, 1, 2])
    func aHeaderOrFooterOfAnyExtentExistsOnceAndUnderItsKindAlone(_ extent: Double) {
        let layouts: [CollectionLayout] = [FlowLayout(), ListLayout()]
        for layout in layouts {
            var section = ScriptedSection.uniform(2, 50, 50)
            (section.header, section.footer) = (extent, extent)
            let host = ScriptedHost([section])
            host.displayScale = 8
            _ = host.lay(layout)
            #expect(layout.frame(.header(0))?.size.height == extent)
            #expect(layout.frame(.footer(0))?.size.height == extent)
            for item in [-1, 1, 2] {
                for kind in [SupplementaryKind.header, .footer] {
                    let path = ItemPath(section: 0, item: item)
                    #expect(
                        layout.layoutAttributesForSupplementaryView(ofKind: kind, at: path) == nil
                    )
                }
            }
            let other = SupplementaryKind(rawValue: "other")
            let path = ItemPath(section: 0, item: 0)
            #expect(layout.layoutAttributesForSupplementaryView(ofKind: other, at: path) == nil)
            let places = layout.layoutAttributesForElements(in: everywhere)
                .filter { $0.representedElementCategory != .cell }.map(\.place)
            #expect(places == [.header(0), .footer(0)])
        }
    }

    /// As those are that reach out of their section; pinned ones are found in it alone.
    @Test func aHeaderThatIsNotHeldIsFoundWhereItIs() {
        var section = ScriptedSection.uniform(1, 50, 10)
        section.header = 100
        section.inset = EdgeInsets(top: -80)
        let host = ScriptedHost([section, section])
        let layout = host.lay(FlowLayout())
        #expect(layout.frame(ofSection: 1) == Rect(x: 0, y: 30, width: 320, height: 30))
        #expect(layout.frame(.header(1)) == Rect(x: 0, y: 30, width: 320, height: 100))
        let below = Rect(x: 0, y: 110, width: 320, height: 10)
        #expect(layout.layoutAttributesForElements(in: below).map(\.place) == [.header(1)])
        layout.sectionFootersPinToVisibleBounds = true
        #expect(layout.layoutAttributesForElements(in: below).map(\.place) == [.header(1)])
        layout.sectionHeadersPinToVisibleBounds = true
        #expect(layout.layoutAttributesForElements(in: below).isEmpty)
        // Held above its section's end it is before its section, which is not in the rectangle.
        #expect(layout.frame(.header(1)) == Rect(x: 0, y: -40, width: 320, height: 100))
        let above = Rect(x: 0, y: -30, width: 320, height: 10)
        #expect(layout.layoutAttributesForElements(in: above).isEmpty)
    }

    @Test func aFooterThatIsNotHeldIsFoundWhereItIs() {
        var section = ScriptedSection.uniform(1, 50, 10)
        section.footer = 100
        section.inset = EdgeInsets(bottom: -80)
        let host = ScriptedHost([section, section])
        let layout = host.lay(FlowLayout())
        #expect(layout.frame(ofSection: 1) == Rect(x: 0, y: 30, width: 320, height: 30))
        #expect(layout.frame(.footer(1)) == Rect(x: 0, y: -40, width: 320, height: 100))
        let above = Rect(x: 0, y: -30, width: 320, height: 10)
        func found() -> [LayoutPlace] { layout.layoutAttributesForElements(in: above).map(\.place) }
        #expect(found() == [.footer(0), .footer(1)])
        layout.sectionHeadersPinToVisibleBounds = true
        #expect(found() == [.footer(0), .footer(1)])
        layout.sectionFootersPinToVisibleBounds = true
        #expect(found() == [])
    }
}
