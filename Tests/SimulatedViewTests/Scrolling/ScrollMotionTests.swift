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

    @Test func itStaysWithinTheEndsOfTheContentUnlessItIsToldOtherwise() {
        #expect(motion(.animation).staysWithin)
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
        #expect(rate.way(at: Point(x: 2, y: -2)) == Point(x: way, y: -way))
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

    /// Whose difference is none.
    @Test func betweenTheFarthestNumbersItIsANumberToo() {
        let far = Double.greatestFiniteMagnitude
        var motion = ScrollMotion(
            .animation,
            from: Point(x: -far, y: far),
            to: Point(x: far, y: -far),
            at: .zero,
            lasting: .seconds(1)
        )
        let places = [0, 500, 1000].map { motion.offset(at: .milliseconds($0)) }
        #expect(places == [Point(x: -far, y: far), .zero, Point(x: far, y: -far)])
        motion.shift(by: Point(x: far, y: .infinity))
        #expect(motion.target == Point(x: far, y: -far), "beyond all numbers nothing is shifted")
        #expect(motion.offset(at: .zero) == Point(x: 0, y: far))
    }
}
