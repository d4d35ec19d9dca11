import CollectionReplication
import JournalSupport

/// A connection to a Redis server for the logs of many collections. Reads that wait have connections of their own, because
/// Redis answers the commands of one connection one after the other.
///
/// It connects by itself, and again whenever the connection is cut, for ever. Close it when it is no longer needed;
/// dropping it with all its logs closes it too.
///
/// ```swift
/// let connection = try RedisConnection(RedisOptions(host: "10.0.0.1"))
/// let log = try connection.log(named: "board")
/// ```
///
/// Threading: every call may come from any thread, and none waits. Answers come on a queue of the connection, in turn: hop
/// to a lane before anything that takes long.
public final class RedisConnection: Sendable {
    let options: RedisOptions
    let link: RedisLink
    private let readers = Guarded(Readers())

    private struct Readers {
        var all: [RedisLink] = []
        var idle: [RedisLink] = []
        var isClosed = false
    }

    /// Makes a connection, which begins to connect.
    ///
    /// - Throws: ``JournalSetupError`` for options that cannot be used.
    public init(_ options: RedisOptions = RedisOptions()) throws(JournalSetupError) {
        try JournalNames.checkNamespace(options.namespace)
        if options.host.isEmpty || options.port == 0 {
            throw JournalSetupError(.option, "A connection to Redis needs a host and a port.")
        }
        if options.user != nil, options.password == nil {
            throw JournalSetupError(.option, "A user of Redis needs a password.")
        }
        if options.database < 0 || options.readerLimit < 1 || options.byteLimit < 1 {
            throw JournalSetupError(
                .option,
                "The database is at least 0, and limits are at least 1."
            )
        }
        self.options = options
        link = RedisLink(options)
        link.connect()
    }

    deinit { close() }

    /// Whether there is a connection to the server now.
    public var isConnected: Bool { link.isConnected }

    /// Gives the log of a collection; asks no server.
    ///
    /// - Throws: ``JournalSetupError`` with the code ``JournalSetupError/Code/name`` for a name that is not 1 to 64
    ///   letters, digits, hyphens and underscores.
    public func log(named collection: String) throws(JournalSetupError) -> RedisLog {
        try JournalNames.checkCollection(collection)
        return RedisLog(self, collection)
    }

    /// Closes the connections. What is under way is answered, as ``LogError/Code/unanswered`` or
    /// ``LogError/Code/unavailable``, and so is all that comes later.
    public func close() {
        let links = readers.withLock { readers in
            readers.isClosed = true
            let links = readers.all
            readers.all = []
            readers.idle = []
            return links
        }
        link.close()
        for link in links { link.close() }
    }

    // MARK: Connections that wait

    /// Returns a connection for one read that waits; `nil` if too many reads wait.
    func takeReader() -> RedisLink? {
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

    func giveBack(_ link: RedisLink) {
        readers.withLock { readers in
            if !readers.isClosed { readers.idle.append(link) }
        }
    }
}

/// The options of a ``RedisConnection``.
///
/// There is no TLS, which Debian's hiredis (0.14) does not have: use a tunnel or a private network.
public struct RedisOptions: Hashable, Sendable {
    /// The server's name or address.
    public var host: String

    /// The server's port.
    public var port: UInt16

    /// The user, if the server has users; it needs a ``password``.
    public var user: String?

    /// The password, if the server asks for one.
    public var password: String?

    /// The database's number.
    public var database = 0

    /// The beginning of all keys: 1 to 32 letters and digits.
    public var namespace = "cp"

    /// The time between attempts to connect, which never end.
    public var reconnectWait: Duration = .milliseconds(250)

    /// The longest time that an answer may take. A later one is ``LogError/Code/unanswered``, and the connection is made
    /// anew.
    public var answerTimeout: Duration = .seconds(5)

    /// The largest number of bytes of a record or a chunk.
    public var byteLimit = 8 << 20

    /// The number of reads that may wait together, each with a connection of its own; a further one is
    /// ``LogError/Code/unavailable``.
    public var readerLimit = 256

    /// Makes options for a server.
    public init(host: String = "127.0.0.1", port: UInt16 = 6379) {
        self.host = host
        self.port = port
    }
}
