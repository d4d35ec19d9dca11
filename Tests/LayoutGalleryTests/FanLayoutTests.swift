import SimulatedView
import Testing

@testable import layout_gallery

/// Cards in a hand, for every small number of them.
@Suite struct FanLayoutTests {
    private let mat = SupplementaryKind(rawValue: "mat")
    private let path = ItemPath(section: 0, item: 0)
    private let everything = Rect(x: -1000, y: -1000, width: 3000, height: 3000)

    private func prepared(in host: RoomHost) -> FanLayout {
        let layout = FanLayout()
        layout.attach(to: host)
        layout.prepare()
        return layout
    }

    private func host(_ count: Int) -> RoomHost {
        let host = RoomHost()
        host.bounds.size = Size(width: 400, height: 230)
        host.itemCount = count
        return host
    }

    @Test(arguments: 0..<8)
    func everyCardHasAPlaceAndNothingElseHas(count: Int) {
        let host = host(count)
        let layout = prepared(in: host)
        for section in -1...1 {
            for item in -1...count + 1 {
                let path = ItemPath(section: section, item: item)
                let isCard = section == 0 && (0..<count).contains(item)
                #expect((layout.layoutAttributesForItem(at: path) != nil) == isCard, "\(path)")
            }
        }
        let places = layout.layoutAttributesForElements(in: everything).map(\.place)
        let cards = (0..<count).map { LayoutPlace.cell(ItemPath(section: 0, item: $0)) }
        let decorations = count > 0 ? [LayoutPlace(.decoration(mat), path)] : []
        #expect(places == decorations + cards)
        #expect(layout.collectionViewContentSize == Size(width: 400, height: 230))
        withExtendedLifetime(host) {}
    }

    @Test(arguments: 1..<8)
    func theHandIsSymmetricalAndItsMiddleIsInFront(count: Int) throws {
        let host = host(count)
        let layout = prepared(in: host)
        let cards = try (0..<count).map {
            try #require(layout.layoutAttributesForItem(at: ItemPath(section: 0, item: $0)))
        }
        for (card, other) in zip(cards, cards.reversed()) {
            #expect(card.center.x + other.center.x == 400 && card.center.y == other.center.y)
            #expect(card.transform.b == -other.transform.b)
            #expect(card.transform.c == -card.transform.b && card.transform.a == card.transform.d)
            #expect(card.alpha == other.alpha && card.zIndex == other.zIndex)
        }
        for (card, next) in zip(cards, cards.dropFirst()) {
            #expect(next.center.x - card.center.x == 62)
            #expect(next.transform.b > card.transform.b)
        }
        // From the middle outwards cards lie lower, are smaller and paler, and behind others.
        for (card, next) in zip(cards, cards.dropFirst()).dropFirst((count - 1) / 2) {
            guard next.center != card.center, next.alpha != card.alpha else { continue }
            #expect(next.center.y > card.center.y && next.transform.a < card.transform.a)
            #expect(next.alpha < card.alpha && next.zIndex < card.zIndex)
        }
        withExtendedLifetime(host) {}
    }

    @Test func onlyTheMatIsADecoration() throws {
        let host = host(1)
        let layout = prepared(in: host)
        let other = SupplementaryKind(rawValue: "other")
        #expect(layout.layoutAttributesForDecorationView(ofKind: other, at: path) == nil)
        let attributes = try #require(
            layout.layoutAttributesForDecorationView(ofKind: mat, at: path)
        )
        // It lies below the cards' upper halves, 12 from the other edges.
        #expect(attributes.frame == Rect(x: 12, y: 110, width: 376, height: 108))
        let empty = self.host(0)
        #expect(prepared(in: empty).layoutAttributesForDecorationView(ofKind: mat, at: path) == nil)
        withExtendedLifetime((host, empty)) {}
    }

    @Test func onlyWhatIsWantedIsAnswered() {
        let host = host(5)
        let layout = prepared(in: host)
        let corner = Rect(x: 0, y: 0, width: 60, height: 100)
        let places = layout.layoutAttributesForElements(in: corner).map(\.place)
        #expect(places == [.cell(path)])
        withExtendedLifetime(host) {}
    }

    @Test func withoutViewThereIsNothing() {
        let layout = FanLayout()
        for isPrepared in [false, true] {
            if isPrepared { layout.prepare() }
            #expect(
                layout.layoutAttributesForItem(at: path) == nil
                    && layout.collectionViewContentSize == .zero
            )
            #expect(layout.layoutAttributesForElements(in: everything).isEmpty)
        }
    }
}
