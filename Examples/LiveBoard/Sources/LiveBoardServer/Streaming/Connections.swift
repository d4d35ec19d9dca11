import Synchronization

/// Which connection somebody means: as 32 hexadecimal digits, which nobody else can guess.
struct ConnectionID: Hashable, Sendable, LosslessStringConvertible {
    private let high: UInt64
    private let low: UInt64

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    static func random() -> ConnectionID {
        var generator = SystemRandomNumberGenerator()
        return ConnectionID(high: generator.next(), low: generator.next())
    }

    init?(_ description: String) {
        let digits = description.utf8
        guard digits.count == 32, description.first?.isHexDigit == true,
            description.dropFirst(16).first?.isHexDigit == true,
            let high = UInt64(description.prefix(16), radix: 16),
            let low = UInt64(description.suffix(16), radix: 16)
        else { return nil }
        self.init(high: high, low: low)
    }

    var description: String {
        [high, low].map { half in
            let digits = String(half, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// The connections that follow a list, by their names.
final class Connections: Sendable {
    private let connections = Mutex<[ConnectionID: StreamConnection]>([:])

    var count: Int { connections.withLock { $0.count } }

    func add(_ connection: StreamConnection) {
        connections.withLock { $0[connection.id] = connection }
    }

    func remove(_ connection: StreamConnection) {
        // The last reference may be freed here, which then happens behind the lock.
        let removed = connections.withLock { $0.removeValue(forKey: connection.id) }
        withExtendedLifetime(removed) {}
    }

    func connection(_ id: ConnectionID) -> StreamConnection? {
        connections.withLock { $0[id] }
    }
}
