import Testing

@testable import changeset_lint

@Suite struct ProgressBarTests {
    private let terminal = MemorySink(isTerminal: true)
    private let clock = TestClock()
    private static let clearing = "\r\u{1B}[K"

    private func makeBar() -> ProgressBar {
        ProgressBar(on: terminal, totalBytes: 8, now: clock.now)
    }

    @Test func itShowsUpAfterHalfASecondAndThenTenTimesASecond() {
        var bar = makeBar()
        var expected = ""
        for (milliseconds, isDrawn) in [
            (0, false), (499, false), (1, true), (0, false), (99, false), (1, true), (99, false),
            (1000, true), (99, false), (1, true),
        ] {
            clock.advance(by: .milliseconds(milliseconds))
            bar.update(scenarios: 2, bytes: 4)
            if isDrawn {
                expected += Self.clearing + ProgressBar.text(scenarios: 2, bytes: 4, of: 8)
            }
            #expect(terminal.text == expected)
        }
    }

    @Test func itIsErasedOnceAndOnlyWhereItIsShown() {
        var bar = makeBar()
        bar.erase()
        #expect(terminal.text == "")
        clock.advance(by: .seconds(1))
        bar.update(scenarios: 0, bytes: 0)
        let shown = terminal.text
        #expect(shown.hasSuffix(" 0 %  0 scenarios"))
        bar.erase()
        bar.erase()
        #expect(terminal.text == shown + Self.clearing)
        clock.advance(by: .seconds(1))
        bar.update(scenarios: 0, bytes: 0)
        bar.erase()
        #expect(terminal.text == shown + Self.clearing + shown + Self.clearing)
    }

    @Test func itFillsWithTheShareThatIsRead() {
        for bytes in 0...120 {
            let filled = min(bytes, 90) / 3
            let bar =
                String(repeating: "#", count: filled)
                + String(repeating: ".", count: 30 - filled)
            #expect(
                ProgressBar.text(scenarios: bytes, bytes: bytes, of: 90)
                    == "[\(bar)] \(min(bytes, 90) * 100 / 90) %  \(bytes) scenarios"
            )
        }
        let full = "[\(String(repeating: "#", count: 30))] 100 %  1 scenarios"
        #expect(ProgressBar.text(scenarios: 1, bytes: 1, of: 1) == full)
    }

    @Test func withoutASizeOnlyTheScenariosAreCounted() {
        #expect(ProgressBar.text(scenarios: 1, bytes: 1, of: nil) == "1 scenarios")
        #expect(ProgressBar.text(scenarios: 1, bytes: 0, of: 0) == "1 scenarios")
    }
}
