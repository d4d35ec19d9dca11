import BrokerProcesses
import CollectionReplication
import NATSJournal
import RedisJournal

/// How the process of a member is started by the campaign.
struct MemberOptions {
    var kind = BrokerKind.nats
    /// Where its relay listens.
    var port: UInt16 = 0
    var journal = ""
    /// Whether it stands for leadership from the beginning.
    var stands = false
    /// Between two edits.
    var pause = Duration.milliseconds(10)

    static let collection = "board"
    static let leaseDuration = Duration.milliseconds(500)
    static let answerTimeout = Duration.milliseconds(500)

    var arguments: [String] {
        let parts = [
            "member", kind.rawValue, String(port), journal,
            String(pause.components.attoseconds / 1_000_000_000_000_000),
        ]
        return parts + (stands ? ["stands"] : [])
    }

    init() {}

    /// Reads ``arguments``; nil for anything else.
    init?(_ words: [String]) {
        guard words.count >= 5, words[0] == "member", let kind = BrokerKind(rawValue: words[1]),
            let port = UInt16(words[2]), let pause = Int(words[4])
        else { return nil }
        (self.kind, self.port, journal) = (kind, port, words[3])
        self.pause = .milliseconds(pause)
        stands = words.dropFirst(5).first == "stands"
    }

    func makeLog() throws -> any ReplicatedLog {
        switch kind {
        case .nats:
            var options = NATSOptions(servers: ["nats://127.0.0.1:\(port)"])
            options.answerTimeout = Self.answerTimeout
            options.reconnectWait = .milliseconds(50)
            options.connectTimeout = .milliseconds(500)
            options.pingInterval = .seconds(1)
            return try NATSConnection(options).log(named: Self.collection)
        case .redis:
            var options = RedisOptions(port: port)
            options.answerTimeout = Self.answerTimeout
            options.reconnectWait = .milliseconds(50)
            return try RedisConnection(options).log(named: Self.collection)
        }
    }

    /// Short times, so that much happens in a minute.
    var configuration: ReplicationConfiguration {
        var configuration = ReplicationConfiguration()
        configuration.leaseDuration = Self.leaseDuration
        configuration.answerTimeout = Self.answerTimeout
        configuration.readWait = .milliseconds(300)
        configuration.retryInterval = .milliseconds(50)
        configuration.rollbackPatience = .seconds(2)
        configuration.snapshotInterval = 200
        // Several parts each.
        configuration.chunkByteCount = 4 << 10
        return configuration
    }
}
