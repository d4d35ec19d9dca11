import CollectionReplication
import JournalSupport

/// A connection to a Redis server, for the logs of many collections; and further ones for reads that wait, which a server
/// of Redis answers one at a time.
///
/// Made at once, it connects by itself, and again whenever it is cut, for ever. Close it when it is no longer needed;
/// dropping it with all its logs closes it too.
///
/// ```swift
/// let connection = try RedisConnection(RedisOptions(host: "10.0.0.1"))
/// let log = try connection.log(named: "board")
/// ```
///
/// Threading: every call may come from any thread and none waits. Answers come on a queue of the connection, in turn: hop
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

    /// A connection for one read that waits; nil where there are too many.
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
