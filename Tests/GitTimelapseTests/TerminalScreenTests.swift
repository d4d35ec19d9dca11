import Foundation
import Testing

@testable import git_timelapse

@Suite(.serialized) struct TerminalScreenTests {
    fileprivate static let opened = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    fileprivate static let closed = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    @Test(arguments: [(0, 5), (5, 0), (0, 0), (1, 1), (1, 9), (9, 1)] as [(UInt16, UInt16)])
    func sizeIsThatOfATerminalThatKnowsIt(columns: UInt16, rows: UInt16) throws {
        let pseudoTerminal = try PseudoTerminal(columns: columns, rows: rows)
        defer { pseudoTerminal.close() }
        let size = Terminal(OutputChannel(descriptor: pseudoTerminal.program)).size
        let known = Terminal.Size(columns: Int(columns), rows: Int(rows))
        #expect(size == (columns > 0 && rows > 0 ? known : nil))
        #expect(Terminal.Size.standard == Terminal.Size(columns: 80, rows: 24))
    }

    @Test func openingAgainDoesNothingAndDroppingCloses() throws {
        let pseudoTerminal = try PseudoTerminal(columns: 10, rows: 3)
        defer { pseudoTerminal.close() }
        func openTwice() throws {
            let screen = TerminalScreen(OutputChannel(descriptor: pseudoTerminal.program))
            try screen.open()
            try screen.open()
        }
        try openTwice()
        #expect(pseudoTerminal.writtenSoFar() == Self.opened + Self.closed)
    }

    /// In a process of its own, which signals are one thing of.
    @Test func signalsAreItsOwnWhileItIsOpenAndAfterwardsAsTheyWere() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            func dispositions() -> [Int] {
                [SIGINT, SIGTERM, SIGHUP, SIGTSTP].map { number in
                    var action = sigaction()
                    sigaction(number, nil, &action)
                    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
                }
            }
            let screen = TerminalScreen(.standardOutput)
            try screen.open()
            guard !dispositions().contains(0) else { exit(1) }
            screen.close()
            guard dispositions() == [0, 0, 0, 0] else { exit(2) }
            kill(getpid(), SIGTERM)
            sleep(5)
        }
    }

    /// Whatever came while it was closed, and however often it was opened.
    @Test func screenThatIsOpenedAgainStillHearsItsSignals() async {
        // By the signal, or on a very busy machine by the code that stands for it; in success if nobody hears it.
        await #expect(processExitsWith: .failure) {
            let pipe = Pipe()
            let writing = pipe.fileHandleForWriting.fileDescriptor
            let screen = TerminalScreen(OutputChannel(descriptor: writing))
            for _ in 0..<100 {
                try screen.open()
                screen.close()
            }
            try screen.open()
            kill(getpid(), SIGTERM)
            sleep(5)
            withExtendedLifetime((pipe, screen)) {}
        }
    }

    /// Stopped as from the keyboard, and let go on by whoever waits for it.
    @Test func suspendedScreenIsClosedAndOpenedAgain() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let pipe = Pipe()
            let writing = pipe.fileHandleForWriting.fileDescriptor
            let screen = TerminalScreen(OutputChannel(descriptor: writing))
            try screen.open()
            // Outlives the stop: a shell of its own, which goes on with this process.
            let shell = Process()
            shell.executableURL = URL(fileURLWithPath: "/bin/sh")
            let own = getpid()
            shell.arguments = ["-c", "kill -TSTP \(own); sleep 0.5; kill -CONT \(own)"]
            try shell.run()
            shell.waitUntilExit()
            usleep(200_000)
            screen.close()
            try pipe.fileHandleForWriting.close()
            let bytes = pipe.fileHandleForReading.readDataToEndOfFile()
            let text = String(decoding: bytes, as: UTF8.self)
            let (opened, closed) = (Self.opened, Self.closed)
            exit(text == opened + closed + opened + closed ? 7 : 1)
        }
    }

    @Test func terminalThatDoesNotReadHoldsNoSignalUp() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            let pipe = Pipe()
            let channel = OutputChannel(descriptor: pipe.fileHandleForWriting.fileDescriptor)
            let screen = TerminalScreen(channel)
            try screen.open()
            Thread.detachNewThread {
                // More than a pipe holds.
                let row = ScreenRow(String(repeating: "x", count: 1_000))
                let size = Terminal.Size(columns: 1_000, rows: 1_000)
                try? screen.draw(Array(repeating: row, count: 200), size: size)
            }
            usleep(20_000)
            kill(getpid(), SIGTERM)
            sleep(5)
            withExtendedLifetime(pipe) {}
        }
    }
}
