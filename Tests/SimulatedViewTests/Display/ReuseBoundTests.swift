import PipelineTestSupport
import Testing

@testable import SimulatedView

/// The pool itself, against a stack a class.
@Suite("The pool of views")
struct ReuseBoundTests {
    private static let keys = ["row", "card"].map {
        ReusePool.Key(category: .cell, identifier: $0)
    }

    @Test func aClassHasRoomForTwoHundredAndFiftySixViews() {
        var pool = ReusePool()
        #expect(pool.count == 0 && pool.madeViews == 0)
        for _ in 0..<300 { pool.put(TextHeader(), .supplementary(.header), TextHeader.self) }
        #expect(pool.count == 256)
    }

    @Test(arguments: 0..<20)
    func viewsComeBackLastInFirstOutAndThoseOfAnotherClassNever(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var pool = ReusePool()
        var waiting: [ReusePool.Key: [CollectionReusableView]] = [:]
        var made = 0
        for step in 0..<200 {
            let key = Self.keys[random.next(below: 2)]
            let isText = random.isTrue(oneIn: 2)
            let viewClass: CollectionReusableView.Type =
                isText ? TextCell.self : CollectionViewCell.self
            switch random.next(below: 5) {
            case 0, 1:
                let view: CollectionReusableView = isText ? TextCell() : CollectionViewCell()
                view.reuseIdentifier = key.identifier
                view.attributes = LayoutAttributes(.header(0), frame: .zero)
                // The class that is registered by then, if there is one.
                let current: CollectionReusableView.Type? =
                    random.isTrue(oneIn: 4)
                    ? nil : random.isTrue(oneIn: 4) ? TextCell.self : viewClass
                pool.put(view, .cell, current)
                #expect(view.attributes == nil && view.element == nil && view.content == nil)
                if current == type(of: view) { waiting[key, default: []].append(view) }
            case 2 where random.isTrue(oneIn: 5):
                let registered = pool.register(isText ? viewClass : nil, key)
                let expected = waiting.removeValue(forKey: key) ?? []
                #expect(registered.elementsEqual(expected) { $0 === $1 })
                #expect(pool.registeredClass(key) == (isText ? viewClass : nil))
            default:
                var expected: CollectionReusableView?
                while let last = waiting[key]?.popLast() {
                    guard type(of: last) == viewClass else { continue }
                    expected = last
                    break
                }
                #expect(pool.take(key, of: viewClass) === expected, "\(seed) \(step)")
                if expected == nil { made += 1 }
            }
            #expect(pool.count == waiting.values.reduce(0) { $0 + $1.count }, "\(seed) \(step)")
            #expect(pool.madeViews == made)
        }
    }
}
