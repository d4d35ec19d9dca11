import Foundation
import PipelineTestSupport
import Testing

/// Both ends of a pseudo-terminal, like those of a terminal emulator and its program.
final class PseudoTerminal {
    private let emulator: Int32
    private let program: Int32
    private var bytes: [UInt8] = []

    /// The text that has been read so far, without the carriage returns of the line discipline.
    var text: String {
        var plain: [UInt8] = []
        for byte in bytes {
            while byte == UInt8(ascii: "\n"), plain.last == UInt8(ascii: "\r") {
                plain.removeLast()
            }
            plain.append(byte)
        }
        return String(decoding: plain, as: UTF8.self)
    }

    /// Clears the line, as a progress bar does before each frame and when it is removed.
    static let clearing = "\r\u{1B}[K"
    /// Switches to the alternate screen, as a live view does.
    static let opening = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
    static let closing = "\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

    init(columns: UInt16 = 80, rows: UInt16 = 24) throws {
        // Equivalent to grantpt, unlockpt and ptsname, which Swift does not import: the requests
        // TIOCSPTLCK and TIOCGPTN of Linux.
        emulator = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var lock: Int32 = 0
        var number: Int32 = 0
        try #require(ioctl(emulator, 0x4004_5431, &lock) == 0)
        try #require(ioctl(emulator, 0x8004_5430, &number) == 0)
        program = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        try #require(program >= 0)
        resize(columns: columns, rows: rows)
    }

    deinit {
        close(program)
        close(emulator)
    }

    var handle: FileHandle { FileHandle(fileDescriptor: program) }

    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(program, UInt(TIOCSWINSZ), &size)
    }

    /// Reads available bytes for up to some milliseconds; false if there were none.
    private func readSome(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: emulator, events: Int16(POLLIN), revents: 0)
        guard poll(&request, 1, milliseconds) == 1 else { return false }
        var piece = [UInt8](repeating: 0, count: 1 << 14)
        let count = Foundation.read(emulator, &piece, piece.count)
        if count > 0 { bytes += piece[..<count] }
        return count > 0
    }

    /// Reads until the text appears, for up to a minute.
    func read(until expected: String) throws {
        for _ in 0..<600 where !text.contains(expected) { _ = readSome(within: 100) }
        try #require(text.contains(expected), "\(text.debugDescription)")
    }

    /// Reads until the process has ended, including its last output.
    func read(untilEndOf process: Process) {
        while process.isRunning { _ = readSome(within: 20) }
        process.waitUntilExit()
        while readSome(within: 50) {}
    }

    /// The streams of a program that are a terminal.
    enum Streams: CaseIterable { case output, errors, both }

    /// Runs a program to its end with some streams on a terminal; `piped` is the text on the other
    /// stream.
    static func run(
        _ name: String,
        _ arguments: [String],
        _ streams: Streams,
        columns: UInt16 = 80,
        rows: UInt16 = 24,
        environment: [String: String] = [:]
    ) throws -> (code: Int32, shown: String, piped: String) {
        let terminal = try PseudoTerminal(columns: columns, rows: rows)
        let process = try BuiltProgram.process(name, arguments, environment)
        return try inFolder { folder in
            let file = URL(fileURLWithPath: try folder.write("", to: "piped"))
            let piped = try FileHandle(forWritingTo: file)
            process.standardOutput = streams == .errors ? piped : terminal.handle
            process.standardError = streams == .output ? piped : terminal.handle
            try process.run()
            terminal.read(untilEndOf: process)
            let text = try String(contentsOf: file, encoding: .utf8)
            return (process.terminationStatus, terminal.text, text)
        }
    }
}

extension BuiltProgram {
    /// Returns a process for a color terminal, with an environment like that of the tests; the
    /// caller starts it.
    static func process(
        _ name: String,
        _ arguments: [String],
        _ environment: [String: String] = [:]
    ) throws -> Process {
        let process = try program(name).makeProcess(arguments)
        process.environment = ProcessInfo.processInfo.environment
            .merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 }
        return process
    }
}
