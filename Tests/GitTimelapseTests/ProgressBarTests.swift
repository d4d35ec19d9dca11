import Foundation
import Testing

@testable import git_timelapse

@Suite struct ProgressBarTests {
    @Test func barIsDrawnAtMostEveryTenthOfASecondAndTakenAwayOnce() throws {
        let pseudoTerminal = try PseudoTerminal(columns: 40, rows: 5)
        defer { pseudoTerminal.close() }
        let channel = OutputChannel(descriptor: pseudoTerminal.program)
        var bar = ProgressBar(channel, isShown: true, environment: ["TERM": "xterm"])
        bar.finish()
        let start = ContinuousClock.now
        for moment in [0, 1, 99, 100, 150, 199, 200] {
            bar.update(done: moment, of: 200, at: start + .milliseconds(moment))
        }
        bar.finish()
        bar.finish()
        bar.update(done: 7, of: 200, at: start + .milliseconds(201))
        func drawing(_ done: Int) -> String {
            "\r" + ProgressBar.line(done: done, of: 200, width: 39) + "\u{1B}[K"
        }
        let expected = [0, 100, 200].map(drawing).joined() + "\r\u{1B}[K" + drawing(7)
        #expect(pseudoTerminal.written(expected) == expected)
        #expect(pseudoTerminal.writtenSoFar().isEmpty)
    }

    @Test func barThatIsNotToBeShownWritesNothing() throws {
        let pseudoTerminal = try PseudoTerminal(columns: 40, rows: 5)
        defer { pseudoTerminal.close() }
        let channel = OutputChannel(descriptor: pseudoTerminal.program)
        for (isShown, name) in [(false, "xterm"), (true, "dumb")] {
            var bar = ProgressBar(channel, isShown: isShown, environment: ["TERM": name])
            bar.update(done: 1, of: 2)
            bar.finish()
        }
        #expect(pseudoTerminal.writtenSoFar().isEmpty)
    }

    @Test func barIsAsFullAsWhatIsDoneOfAll() {
        for total in [0, 1, 2, 7, 100, 128] {
            for done in [-1, 0, 1, 2, 6, 7, 29, 57, 100, 127, 128, 129] {
                let counted = max(0, min(done, total))
                let percent = (0...100).last { $0 * total <= counted * 100 }!
                let numbers = "\(percent) % \(counted)/\(total) commits"
                for width in 2...80 {
                    let line = ProgressBar.line(done: done, of: total, width: width)
                    // Brackets and a space around it.
                    let cells = min(40, width - numbers.count - 3)
                    guard cells >= 4 else {
                        #expect(line == DisplayText.truncated(numbers, to: width))
                        continue
                    }
                    let bar = (1...cells).map { $0 * total <= counted * cells ? "#" : "." }.joined()
                    #expect(line == "[\(bar)] \(numbers)")
                }
            }
        }
        #expect(ProgressBar.line(done: 29, of: 100, width: 20) == "29 % 29/100 commits")
    }
}
