import CollectionReplication
import Foundation

/// What a server shows, and where. The defaults are those of the command.
package struct ServerOptions: Sendable {
    /// The address to listen on. By default only this machine can reach it.
    package var host = "127.0.0.1"
    /// The port; 0 for a free one.
    package var port = 8080
    /// The time between two samples of the processes.
    package var interval = Duration.seconds(1)
    /// The folder whose files are a list; `nil` for no such list.
    package var files: String?
    /// The time between two scans of that folder.
    package var filesInterval = Duration.seconds(10)
    /// The minimum time between two announcements of a list.
    package var announcementInterval = Duration.milliseconds(100)
    /// The time between two messages to a reader that has everything.
    package var heartbeat = Duration.seconds(10)
    /// The maximum number of connections, if the process may have as many descriptors. Further ones wait until others
    /// are closed.
    package var connections = 10_000
    /// The time after which a connection that accepts no bytes is closed.
    package var writeTimeout = Duration.seconds(120)
    /// The time after which a connection is closed if it is idle or does not complete its request.
    package var idleTimeout = Duration.seconds(60)
    /// The time that requests have to end on a graceful shutdown. Lists have as much after that.
    package var shutdownTimeout = Duration.seconds(5)
    /// The number of bytes that the kernel keeps for a connection until they are acknowledged. It is small, because
    /// a slow reader is better served by fewer, later updates; the kernel's own choice grows to megabytes.
    package var sendBuffer = 128 << 10
    /// The folder of the page's files; `nil` for the one beside the sources.
    package var page: String?
    /// How the server shares its lists with other servers; `nil` if it is the only one.
    package var cluster: ClusterOptions?

    /// The defaults.
    package init() {}
}

/// How a server takes part in a group of servers that show the same lists.
package struct ClusterOptions: Sendable {
    /// The connection to the broker that keeps the logs of the lists.
    package var logs: any LogProvider
    /// Whether the server stands for leadership, and makes the lists that it leads.
    package var mayLead = false
    /// Whether the server shows the files of the leader.
    package var followsFiles = false
    /// The folder with a journal for each list that the server may lead; `nil` for none.
    package var journal: String?
    /// Where other servers reach this one; `nil` for the address that it listens on.
    package var address: ServerAddress?
    /// The key of all records, the same for all servers.
    package var key = StableHashKey.usual
    /// The time after which a silent leader is replaced.
    package var leaseDuration = Duration.seconds(2)
    /// The time that an edit may take, from server to server or through the broker.
    package var editTimeout = Duration.seconds(10)

    /// A server that only follows.
    package init(logs: any LogProvider) { self.logs = logs }
}

/// The logs of lists on a broker.
package protocol LogProvider: Sendable {
    /// Returns a log; its name has letters and hyphens.
    func log(named name: String) throws -> any ReplicatedLog

    /// Closes the connection.
    func close()
}

/// The address of a server: `http://HOST:PORT`.
package struct ServerAddress: Hashable, Sendable, LosslessStringConvertible {
    /// A name or an address, without brackets.
    package let host: String
    /// The port.
    package let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads an address; `nil` if the text has anything but a host and a port.
    package init?(_ description: String) {
        guard let parts = URLComponents(string: description, encodingInvalidCharacters: false),
            let host = parts.host?.trimmingCharacters(in: ["[", "]"]), !host.isEmpty,
            let port = parts.port, (1...65_535).contains(port)
        else { return nil }
        self.init(host: host, port: port)
        guard self.description == description else { return nil }
    }

    /// The host and the port, as a request's `Host` field has them.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address as text.
    package var description: String { "http://\(authority)" }
}
