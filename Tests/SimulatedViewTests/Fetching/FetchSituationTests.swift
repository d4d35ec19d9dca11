import CollectionElements
import CollectionLayouts
import Testing

@testable import SimulatedView

/// Whether to fetch, as a value.
@Suite("When to fetch")
struct FetchSituationTests {
    typealias Heading = FetchSituation.Heading

    /// How the three ways of reading answer, in a viewport of one unit by one: from left to right, from right to
    /// left, and from right to left with a layout that mirrors itself.
    private func answers(
        _ heading: Heading?,
        _ axis: ScrollDirection,
        content: (width: Double, height: Double),
        offset: (x: Double, y: Double),
        screens: Double = 1,
        viewport: Double = 1
    ) -> [Bool] {
        [(false, false), (true, false), (true, true)].map { isRightToLeft, isFlipped in
            FetchSituation(
                end: .tail,
                axis: axis,
                heading: heading,
                size: Size(width: viewport, height: viewport),
                contentSize: Size(width: content.width, height: content.height),
                offset: Point(x: offset.x, y: offset.y),
                screens: screens,
                isRightToLeft: isRightToLeft,
                isFlipped: isFlipped
            ).wantsFetch { _, hint in hint }
        }
    }

    @Test func nothingIsFetchedInAViewportWithoutExtentOrWithoutScreens() {
        #expect(
            answers(.down, .vertical, content: (0, 0), offset: (0, 0), screens: 0, viewport: 0)
                == [false, false, false]
        )
        #expect(
            answers(.down, .vertical, content: (0, 0), offset: (0, 0), viewport: 0)
                == [false, false, false]
        )
        #expect(
            answers(.down, .vertical, content: (0, 0), offset: (0, 0), screens: 0)
                == [false, false, false]
        )
        for size in [Size(width: 0, height: 1), Size(width: 1, height: 0)] {
            let flat = situation {
                $0.size = size
                $0.contentSize = Size(width: 1, height: 0.5)
            }
            #expect(!flat.wantsFetch { _, _ in true } && !flat.isNear)
        }
    }

    @Test func whoeverScrollsTowardsTheHeadNeedsNoTail() {
        let table: [(Heading, [Bool])] = [
            (.right, [true, false, false]), (.down, [true, true, true]),
            (.up, [false, false, false]), (.left, [false, true, true]),
        ]
        for (heading, expected) in table {
            let answers = answers(heading, .vertical, content: (1, 1), offset: (1, 1))
            #expect(answers == expected, "\(heading)")
        }
        #expect(
            answers(nil, .vertical, content: (1, 1), offset: (1, 1)) == [true, true, true],
            "nobody has scrolled"
        )
    }

    @Test func fromExactlyTheLeadingScreensOnSomebodyIsAsked() {
        func vertically(_ offset: Double) -> [Bool] {
            answers(.down, .vertical, content: (1, 3), offset: (0, offset))
        }
        #expect(vertically(1) == [true, true, true])
        #expect(vertically(0.99) == [false, false, false])
        #expect(vertically(0.5) == [false, false, false])
        #expect(vertically(3) == [true, true, true], "beyond the end")
        func horizontally(_ offset: Double, _ heading: Heading?) -> [Bool] {
            answers(heading, .horizontal, content: (3, 1), offset: (offset, 0))
        }
        #expect(horizontally(1, nil) == [true, true, true])
        #expect(horizontally(1, .right) == [true, false, false])
        #expect(horizontally(0.5, .left) == [false, true, false])
        #expect(horizontally(3, .down) == [true, false, true])
    }

    @Test func contentThatDoesNotFillTheViewportIsTooLittle() {
        let all = [true, true, true]
        for heading: Heading? in [nil, .up, .down, .left, .right] {
            #expect(answers(heading, .vertical, content: (1, 0.5), offset: (0, 0)) == all)
            #expect(answers(heading, .horizontal, content: (0.5, 1), offset: (0, 0)) == all)
        }
    }

    /// Content that runs along the other axis than it is fetched along has no extent, and so is too little.
    @Test func contentOfTheOtherAxisIsTooLittle() {
        let all = [true, true, true]
        for heading: Heading? in [nil, .up, .down, .left, .right] {
            #expect(answers(heading, .vertical, content: (3, 0), offset: (1, 0)) == all)
            #expect(answers(heading, .horizontal, content: (0, 3), offset: (0, 1)) == all)
        }
    }

    /// Mirrors a situation, so that what was the tail is the head.
    private func mirrored(_ situation: FetchSituation) -> FetchSituation {
        var mirrored = situation
        mirrored.end = situation.end == .head ? .tail : .head
        mirrored.heading = situation.heading.map {
            switch $0 {
            case .up: .down
            case .down: .up
            case .left: .right
            case .right: .left
            }
        }
        let (size, content) = (situation.size, situation.contentSize)
        mirrored.offset = Point(
            x: content.width - size.width - situation.offset.x,
            y: content.height - size.height - situation.offset.y
        )
        mirrored.velocity = Point(x: -situation.velocity.x, y: -situation.velocity.y)
        return mirrored
    }

    @Test func theHeadIsTheTailSeenFromTheOtherSide() {
        let both = [false, true]
        for axis in ScrollDirection.allCases {
            for heading: Heading? in [nil, .up, .down, .left, .right] {
                for (rightToLeft, flipped) in [(false, false), (true, false), (true, true)] {
                    for offset in [-0.5, 0, 1, 1.5, 3, 3.5] {
                        for (speed, isVisible) in [
                            (0.0, true), (0.5, true), (-2, true), (0, false),
                        ] {
                            let tail = FetchSituation(
                                end: .tail,
                                axis: axis,
                                heading: heading,
                                size: Size(width: 1, height: 1),
                                contentSize: Size(width: 4, height: 4),
                                offset: Point(x: offset, y: offset),
                                velocity: Point(x: speed, y: speed),
                                screens: 1,
                                isVisible: isVisible,
                                isRightToLeft: rightToLeft,
                                isFlipped: flipped
                            )
                            let head = mirrored(tail)
                            #expect(tail.isNear == head.isNear)
                            for answer in both {
                                var asked: [Duration] = []
                                let wants = [tail, head].map {
                                    $0.wantsFetch { time, _ in
                                        asked.append(time)
                                        return answer
                                    }
                                }
                                #expect(wants[0] == wants[1], "\(tail)")
                                #expect(asked.count != 1)
                                #expect(asked.first == asked.last)
                            }
                        }
                    }
                }
            }
        }
    }

    private func situation(_ change: (inout FetchSituation) -> Void = { _ in }) -> FetchSituation {
        var situation = FetchSituation(
            end: .tail,
            axis: .vertical,
            heading: .down,
            size: Size(width: 100, height: 100),
            contentSize: Size(width: 100, height: 1000),
            offset: Point(x: 0, y: 700),
            screens: 2,
            isRightToLeft: false
        )
        change(&situation)
        return situation
    }

    @Test func whatNobodySeesIsFetchedOnlyWhereThereIsTooLittle() {
        let hidden = situation { $0.isVisible = false }
        #expect(hidden.isNear)
        #expect(!hidden.wantsFetch { _, _ in true })
        let small = situation {
            $0.isVisible = false
            $0.contentSize.height = 99
        }
        #expect(small.wantsFetch { _, _ in false })
    }

    @Test func howLongContentLastsDecidesWhereSomebodyIsAskedForIt() {
        var asked: [(Duration, Bool)] = []
        func wants(_ situation: FetchSituation, _ answer: Bool) -> Bool {
            situation.wantsFetch { time, hint in
                asked.append((time, hint))
                return answer
            }
        }
        let fast = situation { $0.velocity.y = 0.5 }
        #expect(wants(fast, false) == false)
        #expect(wants(fast, true))
        #expect(asked.map(\.0) == [.milliseconds(400), .milliseconds(400)])
        #expect(asked.map(\.1) == [true, true])
        asked = []
        let far = situation {
            $0.velocity.y = 4
            $0.offset.y = 100
        }
        #expect(wants(far, true), "so fast that it is fetched from afar")
        #expect(asked.first?.0 == .milliseconds(200) && asked.first?.1 == false)
        asked = []
        let beyond = situation {
            $0.velocity.y = 1
            $0.offset.y = 950
        }
        #expect(wants(beyond, true) && asked.first?.0 == .zero)
        asked = []
        let slow = situation { $0.velocity.y = .leastNonzeroMagnitude }
        #expect(wants(slow, true) && asked.first?.0 == .milliseconds(1_000_000_000_000))
        asked = []
        #expect(wants(situation { $0.velocity.y = -1 }, false), "away from the end")
        #expect(wants(situation { $0.velocity.x = 1 }, false), "across")
        #expect(wants(situation(), false), "at rest")
        #expect(asked.isEmpty)
    }
}
