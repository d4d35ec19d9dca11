import Foundation

/// Writes a line to the standard output.
func standardOutput(_ line: String) -> Bool {
    writeLine(line) { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
}

/// Writes a line to the standard error.
func standardError(_ line: String) -> Bool {
    writeLine(line) { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

/// Writes a line, all of it; false if that failed, with the reason in `errno`.
///
/// - Parameter take: like the system's `write`: takes some of the bytes, and returns how many, or -1 with the
///   reason in `errno`.
func writeLine(_ line: String, to take: (UnsafeRawBufferPointer) -> Int) -> Bool {
    let bytes = Array((line + "\n").utf8)
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes(take)
        if count >= 0 {
            rest = rest.dropFirst(count)
        } else if errno != EINTR {
            return false
        }
    }
    return true
}
