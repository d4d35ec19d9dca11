import TestSupport
import Testing

@testable import CollectionLayouts

/// Answers for more items than there are, finds them too, and puts views where a test says.
private struct Overfull: SectionLayout, SectionArrangement {
    var header: Rect?
    var footer: Rect?
    var placed: [SectionDecoration] = []

    func prepare(_ input: SectionInput) -> any SectionArrangement { self }
    var extent: Double { 100 }
    var headerFrame: Rect? { header }
    var footerFrame: Rect? { footer }
    var itemCount: Int { 99 }
    var decorations: [SectionDecoration] { placed }
    func frame(ofItem item: Int) -> Rect? {
        Rect(x: Double(item) * 10, y: 0, width: 10, height: 10)
    }
    func items(in rect: Rect) -> [Int] { Array(-3...9) }
}

@Suite("Elements of a composed section")
struct ComposedElementsTests {
    private let other = SupplementaryKind(rawValue: "else")

    private func made(_ layout: Overfull, items: Int = 3) -> (ComposedLayout, SectionTestHost) {
        let host = SectionTestHost()
        host.sections = [
            host.makeSection([]), host.makeSection(Array(repeating: .zero, count: items)),
        ]
        return (host.lay(ComposedLayout(defaultLayout: layout)), host)
    }

    @Test func thereAreNoMoreItemsThanTheViewHas() {
        for count in 0...4 {
            let (layout, host) = made(Overfull(), items: count)
            let all = layout.layoutAttributesForElements(in: everywhere).map(\.place)
            let expected = (0..<count).map { ItemPath(section: 1, item: $0) }
            #expect(all == expected.map(LayoutPlace.cell))
            for item in -2...5 {
                let found = layout.layoutAttributesForItem(at: ItemPath(section: 1, item: item))
                #expect((found != nil) == (0..<count).contains(item))
            }
            withExtendedLifetime(host) {}
        }
    }

    @Test func aHeaderAndAFooterAreTheFirstOfTheirKindAndDecorationsAreNumbered() {
        func rect(_ y: Double) -> Rect { Rect(x: 0, y: y, width: 5, height: 5) }
        let placed = [
            SectionDecoration(.background, frame: rect(1)),
            SectionDecoration(other, frame: rect(2), zIndex: 7),
            SectionDecoration(.background, frame: rect(3), zIndex: -4),
        ]
        let section = Overfull(header: rect(4), footer: rect(5), placed: placed)
        let (layout, host) = made(section)
        let expected: [LayoutPlace: (y: Double, zIndex: Int)] = [
            .header(1): (104, 10), .footer(1): (105, 10), .background(1): (101, -1),
            .background(1, 1): (103, -4),
            LayoutPlace(.decoration(other), ItemPath(section: 1, item: 0)): (102, 7),
        ]
        let kinds = [SupplementaryKind.header, .footer, .background, other]
        let categories = kinds.flatMap { [ElementCategory.supplementary($0), .decoration($0)] }
        for (category, item) in categories.flatMap({ one in (-2...3).map { (one, $0) } }) {
            let place = LayoutPlace(category, ItemPath(section: 1, item: item))
            let found = layout.layoutAttributes(for: place)
            #expect(found?.frame.minY == expected[place]?.y, "\(place)")
            #expect(found?.zIndex == expected[place]?.zIndex, "\(place)")
        }
        let shown = layout.layoutAttributesForElements(in: everywhere).map(\.place)
        #expect(Set(shown.filter { $0.path.section == 1 && $0.category != .cell }).count == 5)
        withExtendedLifetime(host) {}
    }

    /// An arrangement that says no more than it must.
    @Test func byDefaultEveryItemIsLookedAtAndThereAreNoDecorations() {
        struct Row: SectionArrangement {
            let itemCount: Int
            var extent: Double { 10 }
            var headerFrame: Rect? { nil }
            var footerFrame: Rect? { nil }
            // One of them is nowhere.
            func frame(ofItem item: Int) -> Rect? {
                item == 2 ? nil : Rect(x: Double(item) * 10, y: 0, width: 10, height: 10)
            }
        }
        #expect(SectionInput(acrossExtent: 1, itemCount: 1) { _ in nil }.section == 0)
        for count in [-7, 0, 1, 3, 6] {
            let row = Row(itemCount: count)
            for (low, high) in [(0, 100), (12, 35), (10, 20), (-5, 1), (60, 70)] {
                let width = Double(high - low)
                let rect = Rect(x: Double(low), y: 2, width: width, height: 3)
                let expected = (0..<max(0, count)).filter { item in
                    item != 2 && item * 10 < high && low < item * 10 + 10
                }
                #expect(row.items(in: rect) == expected)
                var found: [Int] = []
                row.forEachItem(in: rect) { item, frame in
                    found.append(item)
                    #expect(frame == row.frame(ofItem: item))
                }
                #expect(found == expected)
            }
            #expect(row.decorations == [])
        }
    }

    /// What lies further out than anything that is laid out is nowhere.
    @Test func aFrameIsUsedUpToTheLargestExtent() {
        let limit = ComposedLayout.largestExtent
        let values: [(Double, position: Double, extent: Double)] = [
            (0, 0, 0), (0.5, 0.5, 0.5), (limit, limit, limit), (limit.nextUp, 0, 0), (-1, -1, 0),
            (-limit, -limit, 0), ((-limit).nextDown, 0, 0), (.nan, 0, 0), (.infinity, 0, 0),
            (-.infinity, 0, 0),
        ]
        for (value, position, extent) in values {
            let frames = [
                Rect(x: value, y: 0, width: 0, height: 0),
                Rect(x: 0, y: value, width: 0, height: 0),
                Rect(x: 0, y: 0, width: value, height: 0),
                Rect(x: 0, y: 0, width: 0, height: value),
            ]
            let expected = [
                Rect(x: position, y: 0, width: 0, height: 0),
                Rect(x: 0, y: position, width: 0, height: 0),
                Rect(x: 0, y: 0, width: extent, height: 0),
                Rect(x: 0, y: 0, width: 0, height: extent),
            ]
            let place = LayoutPlace.header(0)
            #expect(frames.map { SectionElement(place, $0).frame } == expected, "\(value)")
        }
        #expect(SectionElement(.header(0), .zero).zIndex == 0)
    }
}
