import CollectionLayouts
import PipelineTestSupport
import Testing

@testable import SimulatedView

/// Compares the decision whether to fetch with a formulation along the reading direction.
@Suite("When to fetch")
struct FetchSituationTests {
    private typealias Heading = FetchConditions.Heading

    /// The distance from the viewport to the end and the speed of approach, in reading order.
    private func line(_ situation: FetchConditions) -> (distance: Double, speed: Double) {
        let axis = situation.axis
        let isReversed = axis == .horizontal && situation.isRightToLeft
        let length = situation.size.along(axis)
        var start = situation.offset.along(axis)
        let content = situation.contentSize.along(axis)
        if isReversed { start = content - length - start }
        let speed = situation.velocity.along(axis) * (isReversed ? -1 : 1)
        return situation.end == .tail ? (content - length - start, speed) : (start, -speed)
    }

    /// Whether a heading leads away from an end, as in Texture, regardless of the axis.
    private func leadsAway(_ heading: Heading?, from end: ContentEnd, _ isRightToLeft: Bool) -> Bool
    {
        switch (heading, isRightToLeft) {
        case (nil, _): false
        case (.up, _), (.left, false), (.right, true): end == .tail
        case (.down, _), (.right, false), (.left, true): end == .head
        }
    }

    private func expected(_ situation: FetchConditions) -> (isNear: Bool, query: Duration?, Bool) {
        let (axis, screens) = (situation.axis, situation.screens)
        let length = situation.size.along(axis)
        let hasExtent = situation.size.width > 0 && situation.size.height > 0
        guard screens > 0, hasExtent else { return (false, nil, false) }
        let isSmall = situation.contentSize.along(axis) < length
        let (distance, speed) = line(situation)
        let isNear = isSmall || distance <= screens * length
        if isSmall { return (isNear, nil, true) }
        let isAway =
            situation.contentSize.along(axis) > length
            && leadsAway(situation.heading, from: situation.end, situation.isRightToLeft)
        if !situation.isVisible || isAway { return (isNear, nil, false) }
        guard speed > 0 else { return (isNear, nil, isNear) }
        // The longest duration that a clock can represent.
        return (isNear, .milliseconds(min(1e12, max(0, distance) / speed)), isNear)
    }

    private func situations(_ body: (FetchConditions) -> Void) {
        let headings: [Heading?] = [nil, .up, .down, .left, .right]
        for (axis, bits) in ScrollDirection.allCases.flatMap({ axis in (0..<8).map { (axis, $0) } })
        {
            for heading in headings {
                for offset in [-0.5, 0, 1, 1.5, 2, 3, 3.5] {
                    for (speed, content) in [
                        (0.0, 4.0), (.leastNonzeroMagnitude, 4), (0.5, 4), (-2, 4), (0, 0.5),
                        (0, 1), (0.5, 0.5),
                    ] {
                        for (width, screens) in [(1.0, 1.0), (1, 0), (0, 1)] {
                            body(
                                FetchConditions(
                                    end: bits & 1 > 0 ? .tail : .head,
                                    axis: axis,
                                    heading: heading,
                                    size: Size(width: width, height: 1),
                                    contentSize: Size(width: content, height: content + 0.25),
                                    offset: Point(x: offset, y: offset + 0.25),
                                    velocity: Point(x: speed, y: speed * 2),
                                    screens: screens,
                                    isVisible: bits & 2 > 0,
                                    isRightToLeft: bits & 4 > 0
                                )
                            )
                        }
                    }
                }
            }
        }
    }

    @Test func everySituationIsDecidedAsAlongTheReadingDirection() {
        var (count, faults) = (0, [String]())
        situations { situation in
            count += 1
            let (isNear, query, wants) = expected(situation)
            for answer in [nil, false, true] {
                var queries: [Duration] = []
                let found = situation.wantsFetch { time, hint in
                    queries.append(time)
                    if hint != isNear { faults.append("hint \(hint): \(situation)") }
                    return answer ?? hint
                }
                let decided = query == nil ? wants : answer ?? wants
                if found != decided || queries != [query].compactMap(\.self) {
                    faults.append("\(found) \(queries): \(situation)")
                }
            }
            if situation.isNear != isNear { faults.append("near: \(situation)") }
        }
        #expect(count == 11_760 && faults.first == nil)
    }
}
