import Testing

@testable import CollectionPipeline

@Suite("Durations in nanoseconds")
struct ClampedDurationTests {
    @Test func theyAreWholeNanosecondsFromNothingToAsMuchAsFits() {
        let most = Int64(18_446_744_073)
        let seconds: [Int64] = [
            .min, -most, -2, -1, 0, 1, 2, 59, most - 1, most, most + 1, 2 * most, .max,
        ]
        let attoseconds: [Int64] = [
            0, 1, 999_999_999, 1_000_000_000, 1_000_000_001, 500_000_000_000_000_000,
            709_551_615_000_000_000, 709_551_615_999_999_999, 709_551_616_000_000_000,
            999_999_999_999_999_999,
        ]
        for second in seconds {
            for attosecond in attoseconds {
                for sign in [Int64(1), -1] where second > .min || sign == 1 && attosecond == 0 {
                    let duration = Duration(
                        secondsComponent: second,
                        attosecondsComponent: sign * attosecond
                    )
                    let (whole, rest) = duration.components
                    let exact = Int128(whole) * 1_000_000_000 + Int128(rest) / 1_000_000_000
                    let clamped = UInt64(min(max(exact, 0), Int128(UInt64.max)))
                    #expect(duration.nanosecondsClamped == clamped, "\(duration)")
                }
            }
        }
    }
}
