/// How a ``RedisConnection`` is made.
///
/// Without TLS, which Debian's hiredis (0.14) does not have: put a tunnel before it, or a private network around it.
public struct RedisOptions: Hashable, Sendable {
    /// The server's name or address.
    public var host: String

    /// The server's port.
    public var port: UInt16

    /// The user, where the server has users; needs ``password``.
    public var user: String?

    /// The password, where the server asks for one.
    public var password: String?

    /// The database's number.
    public var database = 0

    /// How all keys begin: letters and digits.
    public var namespace = "cp"

    /// How long it waits between attempts to connect, which never end.
    public var reconnectWait: Duration = .milliseconds(250)

    /// How long an answer may take; later it is ``LogError/Code/unanswered``, and the connection is made anew.
    public var answerTimeout: Duration = .seconds(5)

    /// How many bytes a record or a chunk may have.
    public var byteLimit = 8 << 20

    /// How many reads may wait at once, each with a connection of its own; a further one is
    /// ``LogError/Code/unavailable``.
    public var readerLimit = 256

    /// Makes options with a server.
    public init(host: String = "127.0.0.1", port: UInt16 = 6379) {
        self.host = host
        self.port = port
    }
}
