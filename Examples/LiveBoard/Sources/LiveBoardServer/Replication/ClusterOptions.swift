import CollectionReplication

/// How a server takes part in showing lists that several servers show.
package struct ClusterOptions: Sendable {
    /// Where the logs of lists are.
    package var logs: any LogProvider
    /// Whether it stands for leadership, and makes the lists that it leads.
    package var mayLead = false
    /// Which lists it follows beside those that it may make; the processes and the board always.
    package var lists: [String] = []
    /// The folder with a journal for each list that it may lead; nil for none.
    package var journal: String?
    /// Where other servers reach this one when it leads; nil for where it listens.
    package var address: ServerAddress?
    /// The key of all records, the same for all servers.
    package var key = StableHashKey.usual
    /// After how long a leader that says nothing is replaced.
    package var leaseDuration = Duration.seconds(2)
    /// How long an edit may take, from server to server or through the broker.
    package var editTimeout = Duration.seconds(10)

    /// A server that only follows.
    package init(logs: any LogProvider) { self.logs = logs }
}

/// Gives the logs of lists, over a connection of this server's own.
package protocol LogProvider: Sendable {
    /// The log of a name, which has letters and hyphens; asks no broker, and gives another one each time.
    func log(named name: String) throws -> any ReplicatedLog

    /// Nothing is asked for any more.
    func close()
}

/// Where a server is: `http://HOST:PORT`.
package struct ServerAddress: Hashable, Sendable, LosslessStringConvertible {
    /// A name or an address, without brackets.
    package let host: String
    /// The port.
    package let port: Int

    init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    /// Reads an address; nil where it is none, or has more than a host and a port.
    package init?(_ description: String) {
        guard description.hasPrefix("http://"), description.utf8.count <= 300 else { return nil }
        let rest = description.dropFirst(7)
        guard let colon = rest.lastIndex(of: ":"), let port = Int(rest[colon...].dropFirst()),
            (1...65_535).contains(port)
        else { return nil }
        var host = rest[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
            guard host.contains(":") else { return nil }
        } else if host.contains(":") {
            return nil
        }
        let isHost = host.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: ":"):
                true
            default: false
            }
        }
        guard isHost, !host.isEmpty else { return nil }
        self.init(host: String(host), port: port)
    }

    /// As in a request's field.
    var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    /// The address as text.
    package var description: String { "http://\(authority)" }
}
