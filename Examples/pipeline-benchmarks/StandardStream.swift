import Foundation

/// A stream that lines are written to, whole and at once.
struct StandardStream: TextSink {
    let descriptor: Int32

    static let output = StandardStream(descriptor: STDOUT_FILENO)
    static let errors = StandardStream(descriptor: STDERR_FILENO)

    var isTerminal: Bool {
        let name = ProcessInfo.processInfo.environment["TERM"] ?? ""
        return isatty(descriptor) == 1 && !name.isEmpty && name != "dumb"
    }

    var columns: Int? {
        var size = winsize()
        // Stays 0 where there is no terminal.
        _ = ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        return size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    func write(_ text: String) throws(WriteFault) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress, $0.count)
            }
            if count >= 0 {
                rest = rest.dropFirst(count)
                continue
            }
            let fault = WriteFault(errorNumber: errno)
            if fault.errorNumber != EINTR { throw fault }
        }
    }
}
