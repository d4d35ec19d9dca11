import PipelineTestSupport
import Testing

@testable import CollectionPipeline

@Suite("Durations for a person")
struct DurationTextTests {
    static let texts: [(Duration, String)] = [
        (.zero, "0 ns"), (.nanoseconds(1), "1 ns"), (.nanoseconds(999), "999 ns"),
        (.nanoseconds(1_000), "1 µs"), (.nanoseconds(5_700), "5.7 µs"),
        (.nanoseconds(9_994), "9.99 µs"), (.nanoseconds(9_995), "10 µs"),
        (.nanoseconds(10_050), "10.1 µs"), (.nanoseconds(99_949), "99.9 µs"),
        (.nanoseconds(99_950), "100 µs"), (.nanoseconds(999_499), "999 µs"),
        (.nanoseconds(999_500), "1 ms"), (.milliseconds(312), "312 ms"), (.seconds(2), "2 s"),
        (.milliseconds(2_050), "2.05 s"), (.seconds(86_400), "86400 s"),
        (.nanoseconds(-1_500), "-1.5 µs"), (Duration(attoseconds: 1), "0 ns"),
        (.seconds(Int64.max), "9223372036854775807 s"),
        // Half of the last digit is rounded up, whatever the unit.
        (Duration(attoseconds: 1_005_000_000), "1.01 ns"), (.nanoseconds(1_005), "1.01 µs"),
        (.microseconds(1_005), "1.01 ms"), (.milliseconds(1_005), "1.01 s"),
        (.nanoseconds(10_004), "10 µs"), (.nanoseconds(99_960), "100 µs"),
    ]

    @Test(arguments: texts)
    func aDurationHasThreeDigitsAndItsUnit(_ duration: Duration, _ text: String) {
        #expect(duration.shortText == text)
    }
}
