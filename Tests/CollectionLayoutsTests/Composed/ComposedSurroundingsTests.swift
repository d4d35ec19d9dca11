import TestSupport
import Testing

@testable import CollectionLayouts

/// Writes down what it is told, and changes nothing.
private final class Witness: LayoutFeature {
    var seen: [LayoutPlace: LayoutSurroundings] = [:]

    func rewrite(_ attributes: LayoutAttributes, in surroundings: LayoutSurroundings)
        -> LayoutAttributes
    {
        seen[attributes.place] = surroundings
        return attributes
    }
}

@Suite("What features know of the surroundings")
struct ComposedSurroundingsTests {
    @Test func featuresAreToldOfTheSectionAndTheViewAsTheyAre() {
        for seed in 0..<120 {
            var random = SeededNumbers(seed: UInt64(seed))
            let composition = RandomComposition(&random)
            let host = composition.host
            host.displayScale = [0.5, 1, 2, 4][random.next(below: 4)]
            let layout = composition.makeLayout()
            let witness = Witness()
            layout.features = [witness]
            layout.prepare()
            host.bounds.origin = Point(x: Double(random.next(below: 50)), y: 7)
            let naive = composition.naive()
            let places = layout.layoutAttributesForElements(in: everywhere).map(\.place)
            for isByPath in [false, true] {
                if isByPath {
                    witness.seen = [:]
                    for place in places { _ = layout.layoutAttributes(for: place) }
                }
                #expect(Set(witness.seen.keys) == Set(places))
                for (place, told) in witness.seen {
                    let values = host.sections[place.path.section].values
                    let expected = LayoutSurroundings(
                        sectionFrame: naive.sectionFrames[place.path.section],
                        headerExtent: values.headerExtent ?? 0,
                        footerExtent: values.footerExtent ?? 0,
                        bounds: host.bounds,
                        visibleRect: host.bounds.inset(by: host.adjustedContentInset),
                        scrollDirection: composition.direction,
                        isRightToLeft: host.isRightToLeft,
                        displayScale: host.displayScale
                    )
                    if told != expected { Issue.record("seed \(seed), \(place): \(told)") }
                }
            }
        }
    }

    @Test func stickyHeadersMoveWhatTheyPinAndNothingElse() {
        #expect(StickyHeaders() == StickyHeaders(pinsHeaders: true, pinsFooters: false))
        let other = SupplementaryKind(rawValue: "else")
        let categories: [ElementCategory] = [
            .cell, .supplementary(.header), .supplementary(.footer), .supplementary(other),
            .decoration(.header), .decoration(.footer),
        ]
        for (pinsHeaders, pinsFooters) in [(true, true), (true, false), (false, true)] {
            let feature = StickyHeaders(pinsHeaders: pinsHeaders, pinsFooters: pinsFooters)
            #expect(
                categories.map(feature.followsContentOffset)
                    == [false, pinsHeaders, pinsFooters, false, false, false]
            )
            #expect(feature.reach == 0)
            // A section of 1000 of which 300 to 600 is visible.
            let surroundings = LayoutSurroundings(
                sectionFrame: Rect(x: 0, y: 0, width: 100, height: 1000),
                headerExtent: 10,
                footerExtent: 20,
                bounds: Rect(x: 0, y: 300, width: 100, height: 300),
                visibleRect: Rect(x: 0, y: 300, width: 100, height: 300),
                scrollDirection: .vertical,
                isRightToLeft: false,
                displayScale: 1
            )
            for category in categories {
                let place = LayoutPlace(category, ItemPath(section: 0, item: 0))
                let y: Double = category == .supplementary(.footer) ? 980 : 0
                let frame = Rect(x: 0, y: y, width: 100, height: 20)
                let moved = feature.rewrite(LayoutAttributes(place, frame: frame), in: surroundings)
                var expected = LayoutAttributes(place, frame: frame)
                if feature.followsContentOffset(category) {
                    expected.frame.origin.y = category == .supplementary(.header) ? 300 : 580
                }
                #expect(moved == expected)
            }
        }
    }

    /// A scale that is none counts as 1, and so it does without a view.
    @Test func originsAreAlignedToPixels() {
        let scales: [(Double?, Double)] = [
            (0.5, 0.5), (1, 1), (1.5, 1.5), (2, 2), (3, 3), (0, 1), (-2, 1), (.nan, 1),
            (.infinity, 1), (nil, 1),
        ]
        let host = SectionTestHost(width: 318, height: 400)
        let size = Size(width: 10, height: 10.3)
        host.sections = [host.makeSection(Array(repeating: size, count: 21))]
        for (scale, expected) in scales {
            let columns = MasonrySectionLayout(columnCount: 7)
            let layout = host.lay(ComposedLayout(defaultLayout: columns))
            let witness = Witness()
            layout.features = [witness]
            host.displayScale = scale ?? 3
            if scale == nil { layout.attach(to: nil) }
            for item in 0..<21 {
                let attributes = layout.layoutAttributesForItem(
                    at: ItemPath(section: 0, item: item)
                )
                func aligned(_ value: Double) -> Double {
                    (value * expected).rounded() / expected
                }
                let x = aligned(Double(item % 7) * ((318 - 60) / 7 + 10))
                let y = aligned(Double(item / 7) * 20.3)
                #expect(abs((attributes?.frame.minX ?? -1) - x) < 1e-9, "\(scale as Any)")
                #expect(abs((attributes?.frame.minY ?? -1) - y) < 1e-9, "\(scale as Any)")
            }
            let told = witness.seen[.cell(ItemPath(section: 0, item: 0))]
            #expect(told?.displayScale == expected)
            if scale == nil { #expect(told?.bounds == .zero && told?.isRightToLeft == false) }
        }
    }
}
