import TestSupport
import Testing

@testable import CollectionLayouts

/// What cannot be used, and some that merely looks so.
private let bad: [Double] = [
    .nan, .infinity, -.infinity, -1, .greatestFiniteMagnitude, -0.0, .leastNonzeroMagnitude,
]

@Suite("Bad input of a composed layout")
struct SectionBadInputTests {
    @Test
    func unusableSizesCountAsZeroAndAreReported() {
        let host = SectionTestHost()
        host.sections = [
            host.makeSection([
                Size(width: .nan, height: 40), Size(width: 50, height: -3),
                Size(width: 50, height: 40),
            ])
        ]
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        let sizes = layout.layoutAttributesForElements(in: everywhere).map(\.size)
        #expect(
            sizes == [
                Size(width: 0, height: 40), Size(width: 50, height: 0), Size(width: 50, height: 40),
            ]
        )
        #expect(layout.errors.map(\.code) == [.itemSize, .itemSize])
        #expect(
            layout.errors.map(\.place) == [
                .cell(ItemPath(section: 0, item: 0)), .cell(ItemPath(section: 0, item: 1)),
            ]
        )
        #expect(
            layout.errors.last?.description
                == "itemSize of item 1 in section 0: expected a finite size (negative sizes are "
                + "not supported), found -3.0; it counts as 0"
        )
    }

    @Test
    func errorsOfAWholeSectionNameItAndThoseOfItsHeaderHaveItsPlace() {
        let host = SectionTestHost()
        host.sections = [host.makeSection([]), host.makeSection([])]
        host.sections[1].values = SectionMetrics(
            insets: EdgeInsets(left: -2),
            lineSpacing: .nan,
            headerExtent: -1,
            footerExtent: .infinity
        )
        let layout = ComposedLayout(defaultLayout: MasonrySectionLayout(columnCount: 2))
        layout.layoutProvider = { section, _ in
            section == 0 ? MasonrySectionLayout(columnCount: -3) : nil
        }
        layout.attach(to: host)
        layout.prepare()
        #expect(
            layout.errors.map(\.message) == [
                "columnCount in section 0: expected a count from 1 to 16777216, found -3; "
                    + "it counts as 1",
                "inset in section 1: expected a finite number, not negative, found -2.0; "
                    + "it counts as 0",
                "supplementarySize of the header of section 1: expected a finite number, "
                    + "not negative, found -1.0; it counts as 0",
                "supplementarySize of the footer of section 1: expected a finite number, "
                    + "not negative, found inf; it counts as 0",
                "spacing in section 1: expected a finite number, not negative, found nan; "
                    + "it counts as 0",
            ]
        )
        #expect(layout.errors.map(\.place) == [nil, nil, .header(1), .footer(1), nil])
    }

    @Test
    func aThousandBadItemsAreCountedAndSomeKept() {
        let host = SectionTestHost()
        let sizes = Array(repeating: Size(width: -1, height: 1), count: 1_000)
        host.sections = [host.makeSection(sizes)]
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        #expect(layout.errorCount == 1_000 && layout.errors.count == 64)
        host.sections = []
        layout.invalidateLayout()
        layout.prepare()
        #expect(layout.errorCount == 0 && layout.errors.isEmpty)
    }

    @Test
    func unusableCountsCountAsZero() {
        for count in [-1, Int.min, Int.max] {
            let host = SectionTestHost()
            let layout = ComposedLayout()
            layout.attach(to: host)
            host.claimedSectionCount = count
            layout.prepare()
            #expect(layout.collectionViewContentSize == Size(width: 320, height: 0))
            #expect(layout.errors.map(\.code) == [.sectionCount])
            host.claimedSectionCount = 2
            host.claimedItemCount = count
            layout.invalidateLayout()
            layout.prepare()
            #expect(layout.layoutAttributesForElements(in: everywhere).isEmpty)
            #expect(layout.errors.map(\.code) == [.itemCount, .itemCount])
        }
    }

    /// Draws usable and unusable values.
    private struct BadDraw {
        var random = SeededNumbers(seed: 8)

        mutating func value() -> Double {
            random.chance(0.5) ? 10 : bad.randomElement(using: &random) ?? 0
        }

        mutating func insets() -> EdgeInsets {
            EdgeInsets(top: value(), left: value(), bottom: value(), right: value())
        }

        mutating func rect() -> Rect {
            Rect(x: value(), y: value(), width: value(), height: value())
        }

        mutating func host() -> SectionTestHost {
            let host = SectionTestHost()
            for _ in 0..<3 {
                let values = SectionMetrics(
                    insets: insets(),
                    lineSpacing: value(),
                    interitemSpacing: value(),
                    headerExtent: value(),
                    footerExtent: value()
                )
                let sizes = (0..<6).map { _ in Size(width: value(), height: value()) }
                host.sections.append(host.makeSection(sizes, values))
            }
            host.displayScale = value()
            host.isRightToLeft = random.chance(0.5)
            if random.chance(0.3) { host.adjustedContentInset = insets() }
            if random.chance(0.3) {
                host.bounds = Rect(x: value(), y: value(), width: 320, height: 9)
            }
            return host
        }
    }

    @Test
    func randomBadMetricsNeitherTrapNorHang() {
        var draw = BadDraw()
        for round in 0..<Effort.number(500, usually: 120) {
            let host = draw.host()
            let layout = ComposedLayout(
                scrollDirection: draw.random.chance(0.5) ? .vertical : .horizontal
            )
            let columns = [-1, 0, 1, 3, Int.max, Int.min].randomElement(using: &draw.random) ?? 1
            let background = draw.insets()
            layout.layoutProvider = { section, _ in
                switch section {
                case 1: MasonrySectionLayout(columnCount: columns)
                case 2: FlowSectionLayout().background(.background, insets: background)
                default: nil
                }
            }
            layout.features = [StickyHeaders(pinsFooters: true)]
            layout.attach(to: host)
            layout.prepare()
            let size = layout.collectionViewContentSize
            #expect(size.isValid, "round \(round)")
            for attributes in layout.layoutAttributesForElements(in: everywhere) {
                #expect(attributes.size.isValid, "round \(round)")
                #expect(attributes.center.x.isFinite && attributes.center.y.isFinite, "\(round)")
            }
            let rect = draw.rect()
            _ = layout.layoutAttributesForElements(in: rect)
            _ = layout.shouldInvalidateLayout(forBoundsChange: rect)
        }
    }

    @Test
    func randomUpdatesWithBadSizesNeitherTrapNorHang() throws {
        var draw = BadDraw()
        for round in 0..<Effort.number(300, usually: 80) {
            let host = draw.host()
            let layout = ComposedLayout(
                scrollDirection: draw.random.chance(0.5) ? .vertical : .horizontal
            )
            var flow = FlowSectionLayout()
            flow.insetReference = .fromLayoutMargins
            layout.defaultLayout = flow.background(.background, insets: draw.insets())
            layout.features = [StickyHeaders(pinsFooters: true)]
            _ = host.lay(layout)
            for _ in 0..<6 {
                let draft = RandomUpdate(from: host.shape, &draw.random, rate: 0.3)
                let update = try draft.changes.validated(from: host.shape, to: draft.newShape)
                let old = layout.layoutAttributesForElements(in: everywhere).map(\.place)
                host.apply(update, &draw.random)
                for section in host.sections.indices where draw.random.chance(0.5) {
                    for item in host.sections[section].items.indices {
                        let size = Size(width: draw.value(), height: draw.value())
                        host.sections[section].items[item].size = size
                    }
                }
                if draw.random.chance(0.3) { host.layoutMargins = draw.insets() }
                layout.prepare(applying: update)
                #expect(layout.collectionViewContentSize.isValid, "round \(round)")
                let now = layout.layoutAttributesForElements(in: everywhere)
                for attributes in now {
                    #expect(attributes.center.x.isFinite && attributes.center.y.isFinite)
                    let coming = layout.initialLayoutAttributes(forAppearing: attributes.place)
                    #expect(coming?.size.isValid == true)
                }
                want(of: now, layout, &draw)
                for place in old {
                    #expect(
                        layout.finalLayoutAttributes(forDisappearing: place)?.size.isValid == true
                    )
                }
                layout.finalizeCollectionViewUpdates()
            }
        }
    }

    /// Views prefer sizes that may be none.
    private func want(
        of shown: [LayoutAttributes],
        _ layout: ComposedLayout,
        _ draw: inout BadDraw
    ) {
        for attributes in shown {
            var preferred = attributes
            preferred.size = Size(width: draw.value(), height: draw.value())
            guard
                layout.shouldInvalidateLayout(
                    forPreferredLayoutAttributes: preferred,
                    withOriginalAttributes: attributes
                )
            else {
                continue
            }
            layout.invalidateLayout(
                with: layout.invalidationContext(
                    forPreferredLayoutAttributes: preferred,
                    withOriginalAttributes: attributes
                )
            )
        }
    }

    @Test
    func anArrangementThatAnswersNonsenseIsNotBelieved() {
        struct Nonsense: SectionLayout, SectionArrangement {
            func prepare(_ input: SectionInput) -> any SectionArrangement { self }
            var extent: Double { -.infinity }
            var headerFrame: Rect? { Rect(x: .nan, y: 0, width: -1, height: .infinity) }
            var footerFrame: Rect? { nil }
            var itemCount: Int { -7 }
            func frame(ofItem item: Int) -> Rect? { Rect(x: 0, y: .nan, width: 5, height: 5) }
        }
        let host = SectionTestHost()
        host.sections = [host.makeSection([.zero])]
        let layout = ComposedLayout(defaultLayout: Nonsense())
        layout.attach(to: host)
        layout.prepare()
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 0))
        #expect(layout.errors.map(\.code) == [.sectionExtent])
        #expect(layout.layoutAttributes(for: .header(0))?.frame == .zero)
        let path = ItemPath(section: 0, item: 0)
        #expect(layout.layoutAttributesForItem(at: path)?.size == Size(width: 5, height: 5))
        #expect(layout.layoutAttributesForItem(at: ItemPath(section: 0, item: 1)) == nil)
        #expect(layout.layoutAttributesForElements(in: everywhere).count == 1)
    }

    @Test
    func withoutRoomThereIsNothingAndLaterEverything() {
        let host = SectionTestHost()
        host.sections = [host.makeSection([Size(width: 50, height: 40)])]
        let full = host.bounds
        host.bounds = .zero
        let layout = ComposedLayout()
        layout.attach(to: host)
        layout.prepare()
        #expect(layout.collectionViewContentSize == .zero)
        #expect(layout.layoutAttributesForElements(in: everywhere).isEmpty)
        #expect(layout.shouldInvalidateLayout(forBoundsChange: full))
        layout.invalidateLayout(with: layout.invalidationContext(forBoundsChange: full))
        host.bounds = full
        layout.prepare()
        #expect(layout.collectionViewContentSize == Size(width: 320, height: 40))
    }
}
