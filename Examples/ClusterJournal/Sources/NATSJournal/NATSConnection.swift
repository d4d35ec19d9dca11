import CollectionReplication
import JournalSupport

/// A connection to NATS servers, for the logs of many collections.
///
/// It connects by itself, and again whenever the connection is cut, for ever. Close it when it is no longer needed;
/// dropping it with all its logs closes it too.
///
/// ```swift
/// let connection = try NATSConnection(NATSOptions(servers: ["nats://10.0.0.1:4222"]))
/// let log = try connection.log(named: "board")
/// ```
///
/// Threading: every call may come from any thread, and none waits. Answers come on a thread of the client library, which
/// delivers all of this connection's answers in turn: hop to a lane before anything that takes long.
///
/// Bounds: callers bound what is under way. A log that is read holds about three megabytes at most for each place that it
/// is read from.
public final class NATSConnection: Sendable {
    let link: NATSLink

    /// Makes a connection, which begins to connect.
    ///
    /// - Throws: ``JournalSetupError`` for options that the client library does not take.
    public init(_ options: NATSOptions = NATSOptions()) throws(JournalSetupError) {
        try JournalNames.checkNamespace(options.namespace)
        guard (1...65_536).contains(options.readAhead) else {
            throw JournalSetupError(
                .option,
                "Between 1 and 65,536 records are read ahead, not \(options.readAhead)."
            )
        }
        link = try NATSLink(options)
        link.connect()
    }

    deinit { link.close() }

    /// Whether there is a connection to a server now.
    public var isConnected: Bool { link.isConnected }

    /// Gives the log of a collection; asks no server. Each call gives another one, with places of its own that it reads.
    ///
    /// - Throws: ``JournalSetupError`` with the code ``JournalSetupError/Code/name`` for a name that is not 1 to 64
    ///   letters, digits, hyphens and underscores.
    public func log(named collection: String) throws(JournalSetupError) -> NATSLog {
        try JournalNames.checkCollection(collection)
        return NATSLog(
            connection: self,
            names: NATSNames(collection, namespace: link.options.namespace)
        )
    }

    /// Closes the connection. What is under way is answered before, as ``LogError/Code/unanswered`` or
    /// ``LogError/Code/unavailable``, and so is all that comes later.
    public func close() { link.close() }
}
