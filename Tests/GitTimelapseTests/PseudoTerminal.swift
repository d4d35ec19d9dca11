import Foundation
import Testing

/// Both ends of a pseudo-terminal, as a terminal emulator and its program have them.
struct PseudoTerminal {
    let emulator: Int32
    let program: Int32
    /// What another process can open.
    let path: String

    init(columns: UInt16, rows: UInt16) throws {
        // What grantpt, unlockpt and ptsname do, which Swift does not see: the requests
        // TIOCSPTLCK and TIOCGPTN of Linux.
        emulator = Foundation.open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var lock: Int32 = 0
        var number: Int32 = 0
        try #require(ioctl(emulator, 0x4004_5431, &lock) == 0)
        try #require(ioctl(emulator, 0x8004_5430, &number) == 0)
        path = "/dev/pts/\(number)"
        program = Foundation.open(path, O_RDWR | O_NOCTTY)
        try #require(program >= 0)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        try #require(ioctl(program, UInt(TIOCSWINSZ), &size) == 0)
    }

    /// What has been written, once it is as long as `expected`, or when no more comes; a
    /// pseudo-terminal hands on in pieces, and a moment later.
    func written(_ expected: String) -> String {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 12)
        while bytes.count < expected.utf8.count {
            var request = pollfd(fd: emulator, events: Int16(POLLIN), revents: 0)
            guard poll(&request, 1, 5_000) == 1 else { break }
            let count = read(emulator, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// All that has been written so far.
    func writtenSoFar() -> String {
        // What the line discipline still has to hand on comes within a moment.
        usleep(20_000)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 12)
        var request = pollfd(fd: emulator, events: Int16(POLLIN), revents: 0)
        while poll(&request, 1, 0) == 1 {
            let count = read(emulator, &piece, piece.count)
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    func close() {
        Foundation.close(program)
        Foundation.close(emulator)
    }
}
