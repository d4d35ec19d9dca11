import Testing

@testable import CollectionPipeline

@Suite("Durations in nanoseconds")
struct ClampedDurationTests {
    /// Attoseconds around whole nanoseconds, around what fits, and at both ends.
    private static let attoseconds: [Int128] = {
        let nanosecond: Int128 = 1_000_000_000
        let most = Int128(Int.max)
        let wholes = [-most, -2, -1, 0, 1, 2, 59, most - 1, most, most + 1, 2 * most]
        let rests = [-nanosecond + 1, -1, 0, 1, nanosecond / 2, nanosecond - 1]
        return [.min, .min + 1, .max - 1, .max]
            + wholes.flatMap { whole in rests.map { whole * nanosecond + $0 } }
    }()

    @Test func theyAreAtLeastAsLongFromNothingToAsMuchAsFits() {
        for attoseconds in Self.attoseconds {
            let clamped = Duration(attoseconds: attoseconds).nanosecondsClamped
            let end = Int128(clamped) * 1_000_000_000
            let isLongEnough = attoseconds <= end || clamped == .max
            let isLeast = attoseconds > end - 1_000_000_000 || clamped == 0
            #expect(isLongEnough && isLeast, "\(attoseconds): \(clamped)")
        }
        #expect(Duration.seconds(Int64.max).nanosecondsClamped == .max)
        #expect(Duration.seconds(Int64.min).nanosecondsClamped == 0)
    }
}
