import PipelineTestSupport
import Testing

@testable import SimulatedView

/// What is kept of scrolling, of announcements and of reconfigured items, against plain lists of them.
@Suite("Which items are likely to be needed")
struct LikelyItemsTests {
    /// Every walk of two steps on a grid of three by three points.
    @Test func theDirectionOfEachAxisIsThatOfTheLastStepAlongIt() {
        let points = (0..<9).map { Point(x: Double($0 % 3), y: Double($0 / 3)) }
        for first in points {
            for second in points {
                for third in points {
                    var state = PrefetchState()
                    #expect(state.direction.x == nil && state.direction.y == nil)
                    state.noteScroll(from: first, to: second)
                    state.noteScroll(from: second, to: third)
                    func last(_ axis: KeyPath<Point, Double>) -> Double? {
                        let steps =
                            [second[keyPath: axis] - first[keyPath: axis]]
                            + [third[keyPath: axis] - second[keyPath: axis]]
                        return steps.last { $0 != 0 }.map { $0 < 0 ? -1 : 1 }
                    }
                    #expect(state.direction.x == last(\.x), "\(first) \(second) \(third)")
                    #expect(state.direction.y == last(\.y), "\(first) \(second) \(third)")
                }
            }
        }
    }

    @Test(arguments: 0..<Effort.number(30, usually: 10))
    func newOnesAreAnnouncedOnceAndThoseNoLongerLikelyCancelled(_ seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var state = PrefetchState()
        var announced: [ItemPath] = []
        for step in 0..<50 {
            switch random.next(below: 4) {
            case 0:
                let path = ItemPath(0, random.next(below: 8))
                state.noteShown(path)
                announced.removeAll { $0 == path }
            case 1:
                let gone = random.next(below: 8)
                func newPath(_ path: ItemPath) -> ItemPath? {
                    if path.item == gone { return nil }
                    return path.item < gone ? path : ItemPath(0, path.item - 1)
                }
                #expect(state.rebase(newPath).isEmpty)
                announced = announced.compactMap(newPath)
            case 2 where random.isTrue(oneIn: 4):
                #expect(state.removeAll().isEmpty)
                announced = []
            default:
                var likely = (0..<8).filter { _ in random.isTrue(oneIn: 2) }
                    .map { ItemPath(0, $0) }
                if random.isTrue(oneIn: 2) { likely.reverse() }
                let (new, cancelled) = state.announce(likely)
                #expect(new == likely.filter { !announced.contains($0) }, "\(seed) \(step)")
                #expect(cancelled == announced.filter { !likely.contains($0) }, "\(seed) \(step)")
                announced = likely
            }
        }
    }

    @Test func whatIsReconfiguredIsStaleUntilItsCellIsTaken() {
        var state = PrefetchState()
        let (first, second) = (ItemPath(0, 0), ItemPath(0, 1))
        for path in [first, second] {
            #expect(state.prepare(CollectionViewCell(), at: path, limit: 9) == nil)
            #expect(state.isPrepared(path))
        }
        state.markStale(first)
        // Nobody waits there.
        state.markStale(ItemPath(0, 2))
        #expect(!state.isPrepared(ItemPath(0, 2)))
        #expect(state.rebase { ItemPath(1, $0.item) }.isEmpty)
        let taken = [0, 1].map { state.takePrepared(ItemPath(1, $0)) }
        #expect(taken.map { $0?.isStale } == [true, false])
        #expect(state.preparedPaths == [] && !state.isEnabled)
        // The cell that takes the place of a stale one is new.
        _ = state.prepare(CollectionViewCell(), at: first, limit: 9)
        state.markStale(first)
        #expect(state.prepare(CollectionViewCell(), at: first, limit: 9) != nil)
        let fresh = state.takePrepared(first)
        #expect(fresh?.isStale == false)
    }

    /// From right to left the content goes on at the left, whatever was scrolled across it.
    @Test(arguments: [false, true])
    func scrollingAcrossTheContentSaysNothingAboutItsDirection(_ isRightToLeft: Bool) throws {
        final class Fetcher: CollectionViewDataSourcePrefetching {
            var told: [ItemPath] = []
            func collectionView(
                _ collectionView: SimulatedCollectionView,
                prefetchItemsAt paths: [ItemPath]
            ) { told = paths }
        }
        let layout = FlowLayout()
        layout.scrollDirection = .horizontal
        layout.itemSize = Size(width: 10, height: 10)
        layout.minimumInteritemSpacing = 100
        layout.minimumLineSpacing = 0
        let bench = try Bench([texts(30)], layout, size: Size(width: 30, height: 30))
        let fetcher = Fetcher()
        bench.view.prefetchDataSource = fetcher
        bench.view.isRightToLeft = isRightToLeft
        bench.view.contentInset = EdgeInsets(top: 5, left: 0, bottom: 5, right: 0)
        bench.load()
        bench.view.contentOffset.y += 3
        bench.settle()
        bench.view.idleTick()
        #expect(fetcher.told == [3, 4, 5].map { ItemPath(0, $0) })
    }
}
