import Foundation

/// The output and the errors of a program, read as they come.
///
/// Both pipes are read in turn after one `poll`, so neither can fill up while the other is waited
/// for, and there is no second thread.
struct TwoPipeReader {
    /// The first bytes of the errors so far: of what a program complains about the beginning is
    /// enough for one line.
    private(set) var errorBytes: [UInt8] = []

    private let output: Int32
    /// Those that have not come to their end.
    private var open: [Int32]
    private var buffer = [UInt8](repeating: 0, count: 1 << 16)

    private static let errorLimit = 1 << 14

    /// Reads from these descriptors, which stay the caller's.
    init(output: Int32, errors: Int32) {
        self.output = output
        open = [output, errors]
    }

    /// The next piece of the output, or nil when both have come to their end.
    mutating func next() throws(GitError) -> [UInt8]? {
        while !open.isEmpty {
            let ready: [Int32]
            do throws(SystemError) {
                ready = try waitUntilReady(open, for: POLLIN)
            } catch {
                throw GitError(.gitFailed, "cannot wait for git: \(error)")
            }
            for descriptor in ready {
                let count = read(descriptor, &buffer, buffer.count)
                if count == -1 {
                    let error = SystemError(number: errno)
                    throw GitError(.gitFailed, "cannot read from git: \(error)")
                }
                if count == 0 {
                    open.removeAll { $0 == descriptor }
                } else if descriptor == output {
                    return Array(buffer[..<count])
                } else {
                    let room = Self.errorLimit - errorBytes.count
                    errorBytes += buffer[..<min(count, room)]
                }
            }
        }
        return nil
    }
}
