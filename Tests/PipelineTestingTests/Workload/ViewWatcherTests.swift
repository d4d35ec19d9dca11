import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import PipelineTesting
@testable import SimulatedView

/// What a watcher makes of what a view tells its delegate.
@Suite("What a watcher of a view finds") struct ViewWatcherTests {
    /// A watcher, and a view that tells it nothing by itself.
    private final class Scene {
        let lives = LifeCount()
        let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
        private(set) var found: [String] = []
        private(set) lazy var watcher = ViewWatcher(lives: lives) { [unowned self] in
            found.append($0)
        }

        func show(_ shown: CollectionReusableView, at place: LayoutPlace) {
            shown.attributes = LayoutAttributes(place, frame: .zero)
            watcher.collectionView(view, willDisplay: shown, at: place)
        }

        func hide(_ shown: CollectionReusableView, at place: LayoutPlace) {
            watcher.collectionView(view, didEndDisplaying: shown, at: place)
        }

        /// What is told of scrolling, by name.
        static let calls: [(name: String, tell: @Sendable (Scene) -> Void)] = [
            ("willBeginDragging", { $0.watcher.collectionViewWillBeginDragging($0.view) }),
            (
                "willEndDragging",
                { scene in
                    let target = scene.watcher.collectionView(
                        scene.view,
                        willEndDraggingWithVelocity: .zero,
                        targetContentOffset: Point(x: 3, y: 4)
                    )
                    #expect(target == Point(x: 3, y: 4))
                }
            ),
            (
                "didEndDragging",
                { $0.watcher.collectionViewDidEndDragging($0.view, willDecelerate: false) }
            ),
            (
                "didEndDragging",
                { $0.watcher.collectionViewDidEndDragging($0.view, willDecelerate: true) }
            ),
            ("willBeginDecelerating", { $0.watcher.collectionViewWillBeginDecelerating($0.view) }),
            ("didEndDecelerating", { $0.watcher.collectionViewDidEndDecelerating($0.view) }),
        ]
    }

    private static let first = LayoutPlace.cell(ItemPath(0, 0))
    private static let second = LayoutPlace.cell(ItemPath(0, 1))

    // MARK: Views

    @Test func aViewIsCountedOnceFromWhenItIsShownUntilItIsGone() {
        let scene = Scene()
        var cell: WatchedCell? = WatchedCell()
        var header: WatchedHeader? = WatchedHeader()
        #expect(scene.lives.numberAlive == 0)
        for (place, other) in [(Self.first, 0), (Self.second, 1)] {
            guard let cell, let header else { return }
            scene.show(cell, at: place)
            scene.show(header, at: .header(other))
            #expect(scene.lives.numberAlive == 2)
            scene.hide(cell, at: place)
            scene.hide(header, at: .header(other))
        }
        let plain = CollectionViewCell()
        scene.show(plain, at: Self.first)
        #expect(scene.lives.numberAlive == 2 && scene.found == [])
        cell = nil
        #expect(scene.lives.numberAlive == 1)
        header = nil
        #expect(scene.lives.numberAlive == 0)
    }

    @Test func viewsBecomeVisibleAndGoByTurns() {
        let scene = Scene()
        let cell = CollectionViewCell()
        scene.hide(cell, at: Self.first)
        #expect(scene.found == ["didEndDisplaying 0 - 0 came without willDisplay"])
        scene.show(cell, at: Self.first)
        #expect(scene.watcher.displayed == [ObjectIdentifier(cell): Self.first])
        #expect(scene.found.count == 1)
        scene.show(cell, at: Self.second)
        #expect(
            scene.found.last
                == "willDisplay 0 - 1 came for a view that is displayed at 0 - 0"
        )
        scene.hide(cell, at: Self.second)
        #expect(scene.watcher.displayed == [:] && scene.found.count == 2)
        scene.hide(cell, at: Self.second)
        #expect(scene.found.last == "didEndDisplaying 0 - 1 came without willDisplay")
        #expect(scene.found.count == 3)
    }

    @Test func aViewThatIsShownIsInPlace() {
        let scene = Scene()
        let (cell, other) = (CollectionViewCell(), CollectionViewCell())
        cell.attributes = LayoutAttributes(Self.second, frame: .zero)
        scene.watcher.collectionView(scene.view, willDisplay: cell, at: Self.first)
        scene.watcher.collectionView(scene.view, willDisplay: other, at: Self.second)
        #expect(
            scene.found == [
                "willDisplay 0 - 0 came for a view that is not in place",
                "willDisplay 0 - 1 came for a view that is not in place",
            ]
        )
    }

    // MARK: Scrolling

    /// Every call after every state: it is reported where it may not come, and counts all the same.
    @Test func scrollingIsToldInOrder() {
        // How each state comes about, and which calls may end it.
        let states: [(name: String, calls: [Int], allowed: Set<Int>)] = [
            ("resting", [], [0]), ("dragging", [0], [1, 2, 3]), ("letGo", [0, 3], [4]),
            ("decelerating", [0, 3, 4], [5]),
        ]
        let results = ["dragging", "dragging", "resting", "letGo", "decelerating", "resting"]
        for (name, calls, allowed) in states {
            for (index, call) in Scene.calls.enumerated() {
                let scene = Scene()
                for former in calls { Scene.calls[former].tell(scene) }
                #expect(scene.found == [])
                call.tell(scene)
                var expected: [String] = []
                if !allowed.contains(index) {
                    expected.append("\(call.name) came while the content was \(name)")
                }
                #expect(scene.found == expected, "\(call.name) while \(name)")
                let result = results[index]
                if result != "resting" {
                    expected.append("the content is said to be \(result) at rest")
                }
                scene.watcher.checkAtRest()
                #expect(scene.found == expected, "\(call.name) while \(name)")
            }
        }
    }

    @Test func animationsEndAsOftenAsTheyBegin() {
        for (begun, ended) in [(0, 0), (0, 1), (1, 0), (1, 1), (2, 1), (1, 2), (3, 3)] {
            let scene = Scene()
            for _ in 0..<ended {
                scene.watcher.collectionViewDidEndScrollingAnimation(scene.view)
            }
            if begun > 0 { scene.watcher.animationsBegan(1) }
            if begun > 1 { scene.watcher.animationsBegan(begun - 1) }
            #expect(scene.watcher.animationEnds == ended)
            scene.watcher.checkAtRest()
            let text = "\(begun) animations began, but \(ended) ended"
            #expect(scene.found == (begun == ended ? [] : [text]))
        }
    }
}
