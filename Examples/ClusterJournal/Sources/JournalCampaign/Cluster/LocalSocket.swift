import BrokerProcesses
import Glibc

/// Sockets and pipes of this machine, which child processes do not inherit.
enum LocalSocket {
    static func make() -> Int32 {
        socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    }

    static func keepFromChildren(_ descriptor: Int32) { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }

    /// A pipe.
    static func makePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw CampaignFailure("there is no pipe left") }
        for end in ends { keepFromChildren(end) }
        return (ends[0], ends[1])
    }

    /// - Returns: a free port, on which it listens; nil where there is none.
    static func listen(_ socket: Int32) -> UInt16? {
        guard let port = Loopback.bind(socket), Glibc.listen(socket, 64) == 0 else { return nil }
        return port
    }

    /// Small messages are sent at once.
    static func prepare(_ socket: Int32) {
        var yes: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, length)
    }
}
