import Foundation

/// What the system answers when something cannot be done.
struct SystemError: Error, Hashable, CustomStringConvertible {
    /// What the system calls `errno`.
    var number: Int32

    var description: String { String(cString: strerror(number)) }
}

/// Waits until one of `descriptors` can be read, for `POLLIN`, or written, for `POLLOUT`, or has come to
/// its end, and returns which of them.
func waitUntilReady(_ descriptors: [Int32], for event: Int32) throws(SystemError) -> [Int32] {
    var requests = descriptors.map { pollfd(fd: $0, events: Int16(event), revents: 0) }
    while poll(&requests, nfds_t(requests.count), -1) == -1 {
        // A signal may end the waiting early.
        guard errno == EINTR else { throw SystemError(number: errno) }
    }
    return requests.filter { $0.revents != 0 }.map(\.fd)
}
