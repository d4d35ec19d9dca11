import Testing

@testable import SimulatedView

@Suite("Content that moves by itself")
struct ScrollMotionTests {
    private func motion(_ kind: ScrollMotion.Kind) -> ScrollMotion {
        ScrollMotion(
            kind,
            from: Point(x: 100, y: 0),
            to: Point(x: 0, y: 400),
            at: .seconds(5),
            lasting: .seconds(1)
        )
    }

    private func offsets(_ kind: ScrollMotion.Kind) -> [Point] {
        let motion = motion(kind)
        return [-1, 0, 250, 500, 1000, 9000].map {
            motion.offset(at: .seconds(5) + .milliseconds($0))
        }
    }

    @Test func anAnimationGoesSlowlyAtFirstAndAtLast() {
        #expect(offsets(.animation).map(\.y) == [0, 0, 62.5, 200, 400, 400])
        #expect(offsets(.animation).map(\.x) == [100, 100, 84.375, 50, 0, 0])
    }

    @Test func aFlingGoesFastAtFirst() {
        #expect(offsets(.deceleration).map(\.y) == [0, 0, 231.25, 350, 400, 400])
    }

    @Test func itIsOverWhenItsTimeIs() {
        let motion = motion(.animation)
        #expect(!motion.isOver(at: .seconds(5)))
        #expect(!motion.isOver(at: .milliseconds(5999)))
        #expect(motion.isOver(at: .seconds(6)))
    }

    @Test func whereContentIsShiftedTheMotionIsToo() {
        var motion = motion(.animation)
        motion.shift(by: Point(x: 1, y: -10))
        #expect(motion.offset(at: .seconds(5)) == Point(x: 101, y: -10))
        #expect(motion.target == Point(x: 1, y: 390))
        motion.lead(to: Point(x: 1, y: 190))
        #expect(motion.offset(at: .milliseconds(5500)) == Point(x: 51, y: 90))
    }

    @Test(arguments: DecelerationRate.allCases)
    func contentGoesOnAsFastAsItWas(_ rate: DecelerationRate) {
        let way = rate.way(at: Point(x: 0, y: 2)).y
        #expect(way == (rate == .normal ? 1000 : 200))
        let motion = ScrollMotion(
            .deceleration,
            from: .zero,
            to: Point(x: 0, y: way),
            at: .zero,
            lasting: rate.duration
        )
        let first = motion.offset(at: .milliseconds(1)).y
        #expect(first < 2 && first > 1.98)
    }

    @Test func aStateSaysOnceWhatBeginsAndEnds() {
        var state = ScrollState()
        let nothing = state.stopped()
        #expect(nothing == nil && state.motion == nil && !state.isDragging)
        let drags = [
            state.dragEnded(), state.dragBegan(), state.dragBegan(), state.dragEnded(),
            state.dragEnded(),
        ]
        #expect(drags == [false, true, false, true, false])
        #expect(!state.isDragging)
        let first = state.began(motion(.animation))
        #expect(state.isMoving(first))
        let second = state.began(motion(.deceleration))
        #expect(!state.isMoving(first) && state.isMoving(second))
        let (stopped, again) = (state.stopped(), state.stopped())
        #expect(stopped?.kind == .deceleration && again == nil)
        #expect(!state.isMoving(second))
        state.motion?.lead(to: .zero)
        #expect(state.motion == nil)
    }
}
