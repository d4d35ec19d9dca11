import CollectionReplication
import JournalSupport

/// A connection to a Redis server that serves the logs of many collections.
///
/// Redis answers the commands of one connection in order, so each waiting read uses a connection of
/// its own. The connection reconnects automatically and indefinitely. Close it when you no longer
/// need it; releasing it and all its logs also closes it.
///
/// ```swift
/// let connection = try RedisConnection(RedisOptions(host: "10.0.0.1"))
/// let log = try connection.log(named: "board")
/// ```
///
/// Threading: every method can be called from any thread and does not block. Completion handlers
/// run on a serial queue of the connection: move long work to a lane of your own.
public final class RedisConnection: Sendable {
    let options: RedisOptions
    let link: RedisLink
    private let readers = LockedValue(Readers())

    private struct Readers {
        var all: [RedisLink] = []
        var idle: [RedisLink] = []
        var isClosed = false
    }

    /// Creates a connection and starts connecting.
    ///
    /// - Throws: ``JournalSetupError`` for invalid options.
    public init(_ options: RedisOptions = RedisOptions()) throws(JournalSetupError) {
        try JournalNames.checkNamespace(options.namespace)
        if options.host.isEmpty || options.port == 0 {
            throw JournalSetupError(.option, "Expected a host and a port of Redis.")
        }
        if options.user != nil, options.password == nil {
            throw JournalSetupError(.option, "Expected a password for the Redis user.")
        }
        if options.database < 0 || options.readerLimit < 1 || options.byteLimit < 1 {
            throw JournalSetupError(
                .option,
                "Expected a database of at least 0 and limits of at least 1."
            )
        }
        self.options = options
        link = RedisLink(options)
        link.connect()
    }

    deinit { close() }

    /// Whether the connection to the server is currently established.
    public var isConnected: Bool { link.isConnected }

    /// Returns the log of a collection without contacting the server.
    ///
    /// - Throws: ``JournalSetupError`` with the code ``JournalSetupError/Code/name``, unless the name
    ///   has 1 to 64 letters, digits, hyphens and underscores.
    public func log(named collection: String) throws(JournalSetupError) -> RedisLog {
        try JournalNames.checkCollection(collection)
        return RedisLog(self, collection)
    }

    /// Closes the connections. Pending and later calls fail with ``LogError/Code/unanswered`` or
    /// ``LogError/Code/unavailable``.
    public func close() {
        let links = readers.withLock { readers in
            readers.isClosed = true
            readers.idle = []
            return exchange(&readers.all, with: [])
        }
        link.close()
        for link in links { link.close() }
    }

    // MARK: Connections for waiting reads

    /// Returns a connection for a waiting read; `nil` if all are in use.
    func borrowReader() -> RedisLink? {
        let (link, isNew): (RedisLink?, Bool) = readers.withLock { readers in
            if let link = readers.idle.popLast() { return (link, false) }
            guard !readers.isClosed, readers.all.count < options.readerLimit else {
                return (nil, false)
            }
            let link = RedisLink(options)
            readers.all.append(link)
            return (link, true)
        }
        if isNew { link?.connect() }
        return link
    }

    func returnReader(_ link: RedisLink) {
        readers.withLock { readers in
            if !readers.isClosed { readers.idle.append(link) }
        }
    }
}

/// The options of a ``RedisConnection``.
///
/// TLS is not available in Debian's hiredis (0.14): use a tunnel or a private network.
public struct RedisOptions: Hashable, Sendable {
    /// The server's name or address.
    public var host: String

    /// The server's port.
    public var port: UInt16

    /// The user name, for servers with access control lists; requires a ``password``.
    public var user: String?

    /// The password, if the server requires one.
    public var password: String?

    /// The database number.
    public var database = 0

    /// The prefix of all keys: 1 to 32 letters and digits.
    public var namespace = "cp"

    /// The time between attempts to connect. The connection never stops trying.
    public var reconnectWait: Duration = .milliseconds(250)

    /// The time limit for an answer. A call that exceeds it fails with
    /// ``LogError/Code/unanswered``, and the connection is replaced.
    public var answerTimeout: Duration = .seconds(5)

    /// The maximum size of a record, a chunk or a register value, in bytes.
    public var byteLimit = 8 << 20

    /// The maximum number of waiting reads, each with a connection; more are
    /// ``LogError/Code/unavailable``.
    public var readerLimit = 256

    /// Creates options for a server.
    public init(host: String = "127.0.0.1", port: UInt16 = 6379) {
        self.host = host
        self.port = port
    }
}
