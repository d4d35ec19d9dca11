import Foundation
import Testing

@testable import git_timelapse

@Suite(.serialized) struct TerminalTests {
    @Test func terminalKnowsItsSizeAndAPipeHasNone() throws {
        let pseudoTerminal = try PseudoTerminal(columns: 33, rows: 7)
        defer { pseudoTerminal.close() }
        let terminal = Terminal(OutputChannel(descriptor: pseudoTerminal.program))
        #expect(terminal.size == Terminal.Size(columns: 33, rows: 7))
        #expect(terminal.isInteractive(environment: ["TERM": "xterm"]))
        #expect(!terminal.isInteractive(environment: ["TERM": "dumb"]))
        #expect(!terminal.isInteractive(environment: [:]))
        #expect(terminal.hasColour(environment: ["TERM": "xterm", "NO_COLOR": ""]))
        #expect(!terminal.hasColour(environment: ["TERM": "xterm", "NO_COLOR": "0"]))
        #expect(!terminal.hasColour(environment: ["TERM": "dumb"]))

        let pipe = Pipe()
        let piped = Terminal(
            OutputChannel(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        )
        #expect(piped.size == nil)
        #expect(!piped.isInteractive(environment: ["TERM": "xterm"]))
        #expect(!piped.hasColour(environment: ["TERM": "xterm"]))
    }

    @Test func screenPutsBackWhatItChanged() throws {
        let pseudoTerminal = try PseudoTerminal(columns: 10, rows: 3)
        defer { pseudoTerminal.close() }
        let screen = TerminalScreen(OutputChannel(descriptor: pseudoTerminal.program))
        let size = Terminal.Size(columns: 10, rows: 3)
        try screen.draw([ScreenRow("not yet open")], size: size)
        try screen.open()
        try screen.draw([ScreenRow("a")], size: size)
        screen.close()
        screen.close()
        try screen.draw([ScreenRow("closed")], size: size)
        // The terminal's line discipline makes CR LF of every LF.
        let expected =
            "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
            + "\u{1B}[Ha\u{1B}[K\r\r\n\u{1B}[J" + "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"
        #expect(pseudoTerminal.written(expected) == expected)
    }

    @Test func frameIsCutToTheTerminalAndNeverScrolls() {
        func frame(_ rows: [String], _ columns: Int, _ count: Int) -> String {
            let size = Terminal.Size(columns: columns, rows: count)
            let rows = rows.map { ScreenRow($0) }
            let bytes = TerminalScreen.frame(rows, size: size, hasColour: false)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(frame([], 5, 2) == "\u{1B}[H\u{1B}[J")
        #expect(frame(["abc", "d"], 3, 2) == "\u{1B}[Habc\r\nd\u{1B}[K")
        #expect(frame(["abcd", "漢字", "x"], 3, 2) == "\u{1B}[Hab…\r\n漢…")
        #expect(frame(["\u{1B}[2J"], 20, 1) == "\u{1B}[H\\u{1b}[2J\u{1B}[K")
    }

    @Test func coloursChangeNothingButColours() {
        let row = ScreenRow(("+ ", .added), ("na\u{1B}me", .strong), (": what it says", .plain))
        for width in 2...40 {
            let cut = row.cut(to: width)
            let plain = cut.shown(hasColour: false)
            #expect(plain == DisplayText.truncated("+ na\\u{1b}me: what it says", to: width))
            let coloured = cut.shown(hasColour: true)
            #expect(coloured.replacing(/\u{1B}\[[0-9]*m/, with: "") == plain)
            #expect(coloured.hasPrefix("\u{1B}[32m+"))
            #expect(coloured.count { $0 == "\u{1B}" } % 2 == 0)
            #expect(cut.cut(to: width) == cut)
        }
        #expect(
            row.cut(to: 40).shown(hasColour: true)
                == "\u{1B}[32m+ \u{1B}[0m\u{1B}[1mna\\u{1b}me\u{1B}[0m: what it says"
        )
    }

    @Test func writingToAPipeThatNobodyReadsIsABrokenPipe() throws {
        OutputChannel.ignoreBrokenPipes()
        let pipe = Pipe()
        try pipe.fileHandleForReading.close()
        let channel = OutputChannel(descriptor: pipe.fileHandleForWriting.fileDescriptor)
        let error = #expect(throws: OutputChannel.WriteError.self) { try channel.write("x") }
        #expect(error?.isBrokenPipe == true)
        #expect(throws: Never.self) { try channel.writeToWhoeverReads("x") }
    }

    @Test func progressBarFitsEveryWidth() {
        #expect(
            ProgressBar.line(done: 1, of: 2, width: 30) == "[#####......] 50 % 1/2 commits"
        )
        #expect(ProgressBar.line(done: 0, of: 0, width: 12) == "100 % 0/0 c…")
        for width in 2...100 {
            for done in [0, 1, 999, 1000, 1001] {
                let line = ProgressBar.line(done: done, of: 1000, width: width)
                #expect(DisplayText.width(of: line) <= width)
            }
        }
    }
}
