import PersistentTrees
import TestSupport
import Testing

@testable import CollectionLayouts

/// A section's context that says something of its flow.
private final class FlowContext: SectionMetricsProviding {
    let sectionMetrics: SectionMetrics

    init(_ metrics: SectionMetrics) { sectionMetrics = metrics }
}

@Suite("Whom a flow layout believes")
struct FlowResolverTests {
    private static let environment = FlowEnvironment(ofSectionAlong: .vertical, dimension: 320)

    /// Every combination of those who may say something; what holds is the first of them.
    @Test func theSizeOfAnItemIsThatOfTheFirstWhoSaysOne() {
        let sizes = (1...6).map { Size(width: Double($0) * 10, height: Double($0)) }
        for bits in 0..<64 {
            func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
            let host = ScriptedHost([ScriptedSection(items: [nil, nil, nil])])
            // Who answers for items, who answers but not for these, or nobody.
            if !has(0), !has(5) { host.metrics = nil }
            if has(0) { host.sections[0].items[1] = sizes[0] }
            if has(1) {
                host.sections[0].context = FlowContext(SectionMetrics(itemSize: sizes[1]))
            }
            let layout = FlowLayout()
            if has(2) { layout.itemSize = sizes[2] }
            if has(3) { host.measured[.cell(ItemPath(section: 0, item: 1))] = sizes[3] }
            if has(4) { layout.estimatedItemSize = sizes[4] }
            _ = host.lay(layout)
            let own = has(2) && !has(4) ? sizes[2] : nil
            let expected =
                [has(0) ? sizes[0] : nil, has(1) ? sizes[1] : nil, own]
                + [has(3) ? sizes[3] : nil, has(4) ? sizes[4] : nil]
            let found = layout.frames().map(\.size)
            let fallback = has(2) ? sizes[2] : Size(width: 50, height: 50)
            #expect(found[1] == expected.compactMap(\.self).first ?? fallback, "\(bits)")
            // Nobody but the measurement and the metrics tells items apart.
            let others = expected.enumerated().filter { $0.offset != 0 && $0.offset != 3 }
            let other = others.compactMap(\.element).first ?? fallback
            #expect([found[0], found[2]] == [other, other], "\(bits)")
            let isOne = host.metrics == nil && (has(1) || own != nil)
            #expect(layout.work.askedSizes == (isOne ? 1 : 3), "\(bits)")
            #expect(layout.errors.isEmpty)
        }
    }

    /// Metrics, the section's context, the layout; for headers and footers what was measured too, unless
    /// the layout has a size of its own.
    @Test(arguments: ScrollDirection.allCases)
    func theMetricsOfASectionAreThoseOfTheFirstWhoSaysSome(_ direction: ScrollDirection) {
        for bits in 0..<16 {
            func has(_ bit: Int) -> Bool { bits >> bit & 1 == 1 }
            let host = ScriptedHost([.uniform(1, 10, 10)])
            if has(0) {
                host.sections[0].inset = EdgeInsets(top: 1, left: -2, bottom: 3, right: 0.5)
                (host.sections[0].line, host.sections[0].interitem) = (11, 12)
                (host.sections[0].header, host.sections[0].footer) = (13, 14)
            }
            if has(1) {
                host.sections[0].context = FlowContext(
                    SectionMetrics(
                        insets: EdgeInsets(top: 9),
                        lineSpacing: 21,
                        interitemSpacing: 22,
                        headerExtent: 23,
                        footerExtent: 24
                    )
                )
            }
            let layout = FlowLayout()
            layout.scrollDirection = direction
            layout.sectionInset = EdgeInsets(left: 7)
            (layout.minimumLineSpacing, layout.minimumInteritemSpacing) = (31, 32)
            if has(2) {
                layout.headerReferenceSize = Size(width: 33, height: 133)
                layout.footerReferenceSize = Size(width: 34, height: 134)
            }
            if has(3) {
                host.measured[.header(0)] = Size(width: 43, height: 143)
                host.measured[.footer(0)] = Size(width: 44, height: 144)
            }
            let said = has(0) ? 0 : has(1) ? 1 : 2
            let along = direction == .vertical ? 100.0 : 0
            let header = [13, 23, has(2) ? 33 + along : has(3) ? 43 + along : 0][said]
            let expected = FlowResolvedMetrics(
                inset: [
                    EdgeInsets(top: 1, left: -2, bottom: 3, right: 0.5), EdgeInsets(top: 9),
                    EdgeInsets(left: 7),
                ][said],
                interitemSpacing: [12, 22, 32][said],
                lineSpacing: [11, 21, 31][said],
                header: header,
                footer: header == 0 ? 0 : header + 1
            )
            _ = host.lay(layout)
            let rules = layout.state?.sections.element(at: 0)?.rules
            #expect(rules?.metrics == expected, "\(bits)")
            #expect(layout.errors.isEmpty)
        }
    }

    // MARK: What is refused

    private static let values: [Double] = [0, 0.5, 1, 7, -0.5, -7, .nan, .infinity, -.infinity]

    private func message(_ name: String, _ value: Double) -> String {
        "expected a distance as \(name) of section 1, found \(value); it counts as zero"
    }

    @Test func aDistanceThatIsNoneCountsAsZeroAndIsReported() {
        for value in Self.values {
            let host = ScriptedHost([.uniform(0, 1, 1), .uniform(1, 1, 1)])
            host.sections[1].inset = EdgeInsets(top: value, left: value, bottom: 1, right: value)
            (host.sections[1].line, host.sections[1].interitem) = (value, value)
            let layout = host.lay(FlowLayout())
            let metrics = layout.state?.sections.element(at: 1)?.rules.metrics
            let inset = value.isFinite ? value : 0
            let spacing = value.isFinite && value >= 0 ? value : 0
            #expect(
                metrics?.inset == EdgeInsets(top: inset, left: inset, bottom: 1, right: inset)
            )
            #expect(metrics?.lineSpacing == spacing && metrics?.interitemSpacing == spacing)
            var expected: [String] = []
            if !value.isFinite { expected = Array(repeating: message("inset", value), count: 3) }
            if !(value >= 0 && value.isFinite) {
                expected += ["interitem spacing", "line spacing"].map { message($0, value) }
            }
            let errors = layout.errors.filter { $0.code == .spacing }
            #expect(errors.map(\.message) == expected)
            #expect(errors.allSatisfy { $0.place == nil })
        }
    }

    @Test func aHeaderOrFooterThatHasNoExtentIsReportedWithItsSize() {
        for value in Self.values {
            let host = ScriptedHost([.uniform(0, 1, 1), .uniform(1, 1, 1)])
            (host.sections[1].header, host.sections[1].footer) = (value, value)
            let layout = host.lay(FlowLayout())
            let metrics = layout.state?.sections.element(at: 1)?.rules.metrics
            let isExtent = value.isFinite && value >= 0
            #expect(metrics?.header == (isExtent ? value : 0))
            #expect(metrics?.footer == (isExtent ? value : 0))
            let sort = value < 0 ? "Negative" : "Infinite"
            let expected = ["headers", "footers"].map {
                "\(sort) sizes of \($0) are not supported by flow layout. Invalid size:"
                    + " {320.0, \(value)}; section: 1"
            }
            #expect(layout.errors.map(\.message) == (isExtent ? [] : expected))
            #expect(layout.errors.map(\.place) == (isExtent ? [] : [.header(1), .footer(1)]))
            #expect(layout.errors.allSatisfy { $0.code == .supplementarySize })
        }
    }

    /// What an item of such a size is reported as; nil for a size.
    private func message(_ size: Size, isAnswer: Bool) -> String? {
        let extents = [size.width, size.height]
        if extents.allSatisfy({ $0 >= 0 && $0.isFinite }) { return nil }
        let found = "{\(size.width), \(size.height)}"
        if !extents.contains(where: { $0 < 0 }) {
            return "expected a finite size for item 1 in section 0, found \(found), which is not"
                + " supported by flow layout; it counts as zero"
        }
        return isAnswer
            ? "Collection view delegate returned a negative size \(found) from"
                + " -collectionView:layout:sizeForItemAtIndexPath: for item 1 in section 0, which"
                + " is not supported by flow layout."
            : "Negative sizes are not supported by flow layout. Found \(found) for item 1 in"
                + " section 0"
    }

    @Test(arguments: [false, true])
    func aSizeThatIsNoneCountsAsZeroAndIsReportedAsWhatItWas(_ isAnswer: Bool) {
        for width in Self.values {
            for height in Self.values {
                let size = Size(width: width, height: height)
                let good = Size?(Size(width: 5, height: 6))
                let host = ScriptedHost([ScriptedSection(items: [good, nil, good])])
                let path = ItemPath(section: 0, item: 1)
                if isAnswer {
                    host.sections[0].items[1] = size
                } else {
                    host.measured[.cell(path)] = size
                }
                let layout = host.lay(FlowLayout())
                let expected = message(size, isAnswer: isAnswer)
                let sizes = layout.state?.sections.element(at: 0)?.sizes
                #expect(sizes?.element(at: 1)?.size == (expected == nil ? size : .zero))
                let errors = layout.errors.filter { $0.code == .itemSize }
                #expect(errors.map(\.message) == [expected].compactMap(\.self))
                #expect(errors.allSatisfy { $0.place == .cell(path) })
            }
        }
    }

    /// It is reported where it is used first, and not where there is no item.
    @Test func aSizeForAllItemsIsReportedOnce() throws {
        let host = ScriptedHost([.uniform(0, 1, 1), ScriptedSection(items: [nil, nil, nil])])
        host.metrics = nil
        let layout = FlowLayout()
        layout.itemSize = Size(width: -1, height: 5)
        _ = host.lay(layout)
        let first = ItemPath(section: 1, item: 0)
        #expect(layout.errors.map(\.place) == [.cell(first)])
        let text = "Negative sizes are not supported by flow layout. Found {-1.0, 5.0} for item 0"
        #expect(layout.errors.first?.message == text + " in section 1")
        #expect(layout.frames(ofSection: 1).map(\.size) == [.zero, .zero, .zero])
        var sections = host.sections
        sections[1].items = [nil, nil, nil, nil, nil]
        try layout.update(host, to: sections) { changes in
            changes.insertItems(at: [2, 3].map { ItemPath(section: 1, item: $0) })
        }
        let second = ItemPath(section: 1, item: 2)
        #expect(layout.errors.map(\.place) == [.cell(first), .cell(second)])
        #expect(layout.frames(ofSection: 1).count == 5)
    }

    /// Where sizes are known beforehand nobody is asked what a view prefers.
    @Test func withoutAnEstimateWhatAViewPreferredIsForgotten() throws {
        let host = ScriptedHost([ScriptedSection(items: [nil, nil])])
        let path = ItemPath(section: 0, item: 1)
        host.measured[.cell(path)] = Size(width: 20, height: 30)
        let layout = host.lay(FlowLayout())
        let original = try #require(layout.layoutAttributesForItem(at: path))
        var preferred = original
        preferred.size.height = 99
        #expect(
            !layout.shouldInvalidateLayout(
                forPreferredLayoutAttributes: preferred,
                withOriginalAttributes: original
            )
        )
        _ = layout.invalidationContext(
            forPreferredLayoutAttributes: preferred,
            withOriginalAttributes: original
        )
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.layoutAttributesForItem(at: path)?.size == Size(width: 20, height: 30))
    }

    /// A size that its view asked for holds unless somebody says another, or it no longer fits.
    @Test func aPreferredSizeIsKeptWhereItIsNarrowerThanTheLine() throws {
        let wide: [(width: Double, isKept: Bool)] = [(319, true), (320, false), (100, true)]
        for (width, isKept) in wide {
            for saysAnother in [false, true] {
                let host = ScriptedHost([ScriptedSection(items: [nil, nil])])
                let layout = FlowLayout()
                layout.estimatedItemSize = Size(width: 60, height: 20)
                _ = host.lay(layout)
                let original = try #require(
                    layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 1))
                )
                let size = Size(width: width, height: 33)
                #expect(layout.prefer(size, to: original) != nil)
                let said = Size(width: 70, height: 7)
                if saysAnother {
                    host.sections[0].context = FlowContext(SectionMetrics(itemSize: said))
                }
                layout.invalidateLayout()
                layout.prepare()
                let expected = saysAnother ? said : isKept ? size : layout.estimatedItemSize
                #expect(layout.frames()[1].size == expected)
            }
        }
    }
}
