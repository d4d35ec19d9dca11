import PipelineTestSupport
import Testing

@testable import SimulatedView

/// What is shown, against an array that is sorted after every change.
@Suite("The views that are shown")
struct ShownViewsTests {
    private static let places: [LayoutPlace] =
        (0..<6).map { .cell(ItemPath($0 / 3, $0 % 3)) }
        + [.header(0), .header(1), .footer(0), .footer(1)]
        + [LayoutPlace(.decoration(SupplementaryKind(rawValue: "line")), ItemPath(0, 0))]

    private func shownView(_ place: LayoutPlace) -> ShownView {
        ShownView(
            CollectionReusableView(),
            LayoutAttributes(place, frame: Rect(x: 0, y: 0, width: 1, height: 1))
        )
    }

    @Test func aViewThatComesIsUnannouncedAndIsToBeAskedForItsSize() {
        for place in Self.places {
            let view = shownView(place)
            #expect(view.place == place && view.attributes.place == place)
            #expect(!view.isAnnounced && view.needsPreferred)
        }
    }

    @Test(arguments: 0..<Effort.number(30, usually: 10))
    func theyAreAscendingByPlaceAndFoundThere(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var shown = ShownViews()
        var model: [(place: LayoutPlace, view: ShownView)] = []
        for step in 0..<60 {
            let place = Self.places[random.next(below: Self.places.count)]
            let position = model.firstIndex { $0.place == place }
            switch random.next(below: 5) {
            case 0:
                let removed = shown.remove(place)
                #expect(removed === position.map { model.remove(at: $0).view })
            case 1:
                rekey(&shown, &model, &random)
            default:
                guard position == nil else { continue }
                let view = shownView(place)
                shown.insert(view)
                model.append((place, view))
                model.sort { $0.place < $1.place }
            }
            let isSame = shown.all.elementsEqual(model) { $0 === $1.view && $0.place == $1.place }
            #expect(isSame, "seed \(seed) step \(step)")
            for place in Self.places {
                #expect(shown[place] === model.first { $0.place == place }?.view)
            }
            let cells = model.filter { $0.place.category == .cell }
            #expect(shown.cells.elementsEqual(cells) { $0 === $1.view }, "seed \(seed) \(step)")
        }
    }

    /// Every view gets another place, and some none.
    private func rekey(
        _ shown: inout ShownViews,
        _ model: inout [(place: LayoutPlace, view: ShownView)],
        _ random: inout SeededGenerator
    ) {
        // Within the kind of view, as an update does.
        let shift = random.next(below: 6)
        let lost = random.next(below: 3)
        func newPlace(_ place: LayoutPlace) -> LayoutPlace? {
            let item = place.path.section * 3 + place.path.item
            guard item % 3 != lost else { return nil }
            guard place.category == .cell else { return place }
            let moved = (item + shift) % 6
            return .cell(ItemPath(moved / 3, moved % 3))
        }
        let gone = shown.rekey(newPlace)
        let expected = model.filter { newPlace($0.place) == nil }
        let isSame = gone.elementsEqual(expected) { $0 === $1.view && $0.place == $1.place }
        #expect(isSame, "they keep their places, and their order")
        model = model.compactMap { known in newPlace(known.place).map { ($0, known.view) } }
        model.sort { $0.place < $1.place }
    }

    @Test func aViewCanReturnToWhereItStoodBeforeTheUpdate() {
        var shown = ShownViews()
        let view = shownView(.header(1))
        shown.insert(view)
        #expect(shown.rekey { _ in .header(4) }.isEmpty)
        #expect(view.place == .header(4) && shown[.header(4)] === view)
        view.returnToOldPlace()
        #expect(view.place == .header(1))
    }
}
