import Glibc

/// This machine as sockets of TCP see it.
public enum Loopback {
    /// Gives a socket a free port.
    ///
    /// - Returns: the port; nil where there is none.
    public static func bind(_ socket: Int32) -> UInt16? {
        var address = address(0)
        var length = addressLength
        guard withAddress(&address, { Glibc.bind(socket, $0, addressLength) }) == 0,
            withAddress(&address, { getsockname(socket, $0, &length) }) == 0
        else { return nil }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Connects a socket.
    ///
    /// - Returns: whether somebody listens at the port.
    public static func connect(_ socket: Int32, to port: UInt16) -> Bool {
        var address = address(port)
        return withAddress(&address) { Glibc.connect(socket, $0, addressLength) } == 0
    }

    private static let addressLength = socklen_t(MemoryLayout<sockaddr_in>.size)

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func withAddress<Result>(
        _ address: inout sockaddr_in,
        _ body: (UnsafeMutablePointer<sockaddr>) -> Result
    ) -> Result {
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body)
        }
    }
}
