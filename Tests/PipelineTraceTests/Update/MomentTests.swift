import CollectionLayouts
import PipelineTestSupport
import PipelineTrace
import Testing

@testable import SimulatedView

@Suite("Moments of an animation") struct MomentTests {
    private func attributes(
        _ random: inout SeededGenerator,
        _ place: LayoutPlace
    ) -> LayoutAttributes {
        func number() -> Double { Double(random.next(below: 64)) }
        var attributes = LayoutAttributes(
            place,
            frame: Rect(x: number(), y: number(), width: number() + 1, height: number() + 1)
        )
        attributes.alpha = number() / 64
        attributes.transform = AffineTransform(
            a: number(),
            b: number(),
            c: number(),
            d: number(),
            tx: number(),
            ty: number()
        )
        attributes.zIndex = random.next(below: 9)
        return attributes
    }

    private func numbers(_ attributes: LayoutAttributes) -> [Double] {
        let map = attributes.transform
        return [
            attributes.center.x, attributes.center.y, attributes.size.width,
            attributes.size.height, attributes.alpha, map.a, map.b, map.c, map.d, map.tx,
            map.ty,
        ]
    }

    /// All small multiples of powers of two, so that the sums are exact.
    @Test(arguments: UInt64(1)...10)
    func everyNumberIsOnTheStraightWayFromItsBeginningToItsEnd(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let (oldPlace, newPlace) = (
            LayoutPlace.cell(ItemPath(section: 0, item: 0)),
            LayoutPlace.cell(ItemPath(section: 0, item: 1))
        )
        let start = attributes(&random, oldPlace)
        let end = attributes(&random, newPlace)
        var (old, new) = (LayoutPicture.rows([[]]), LayoutPicture.rows([[]]))
        old.elements = [PicturedElement(start)]
        new.elements = [PicturedElement(end, key: "new")]
        old.bounds.origin = Point(x: 8, y: 16)
        let picture = UpdatePicture(old: old, new: new, edits: [])
        let ways = [
            ViewTransition(oldPlace: oldPlace, newPlace: newPlace, start: start, end: end)
        ]
        for progress in [0, 0.25, 0.5, 0.75, 1] {
            let moment = picture.moment(progress, of: ways)
            let expected = zip(numbers(start), numbers(end)).map { $0 + ($1 - $0) * progress }
            #expect(moment.elements.map { numbers($0.attributes) } == [expected], "\(progress)")
            #expect(moment.elements.map(\.attributes.place) == [newPlace])
            #expect(moment.elements.map(\.attributes.zIndex) == [end.zIndex])
            #expect(moment.bounds.origin == Point(x: 8 - 8 * progress, y: 16 - 16 * progress))
        }
    }

    @Test func theEndIsExactWhereASumWouldMissIt() {
        let place = LayoutPlace.cell(ItemPath(section: 0, item: 0))
        var (start, end) = (
            LayoutAttributes(place, frame: Rect(x: 0, y: 0, width: 1, height: 1)),
            LayoutAttributes(place, frame: Rect(x: 0, y: 0, width: 1, height: 1))
        )
        start.alpha = 0.1
        end.alpha = 1e-17
        var new = LayoutPicture.rows([[]])
        new.elements = [PicturedElement(end)]
        let picture = UpdatePicture(old: .rows([[]]), new: new, edits: [])
        let moment = picture.moment(
            1,
            of: [ViewTransition(oldPlace: place, newPlace: place, start: start, end: end)]
        )
        #expect(moment.elements.map(\.attributes.alpha) == [1e-17])
    }
}
