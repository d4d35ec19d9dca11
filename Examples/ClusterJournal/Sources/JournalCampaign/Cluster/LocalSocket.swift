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
        var place = address(0)
        var length = addressLength
        let isListening = withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, addressLength) == 0 && Glibc.listen(socket, 64) == 0
                    && getsockname(socket, $0, &length) == 0
            }
        }
        return isListening ? UInt16(bigEndian: place.sin_port) : nil
    }

    static func connect(_ socket: Int32, to port: UInt16) -> Bool {
        var place = address(port)
        return withUnsafeMutablePointer(to: &place) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(socket, $0, addressLength) == 0
            }
        }
    }

    /// Small messages are sent at once.
    static func prepare(_ socket: Int32) {
        var yes: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, length)
    }

    private static let addressLength = socklen_t(MemoryLayout<sockaddr_in>.size)

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }
}
