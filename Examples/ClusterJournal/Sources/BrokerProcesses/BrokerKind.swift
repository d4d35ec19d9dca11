import Foundation

/// Which broker.
public enum BrokerKind: String, CaseIterable, Sendable {
    /// `nats-server` with JetStream.
    case nats
    /// `redis-server`.
    case redis

    /// The server's program.
    public var program: String { "\(rawValue)-server" }

    /// Where the server's program is; nil where it is not installed.
    public var installed: String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let folders = path.split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin", "/usr/bin", "/usr/local/bin"])
            .map { "\($0)/\(program)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    func arguments(port: UInt16, store: String, extra: [String]) -> [String] {
        switch self {
        case .nats:
            ["-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", store] + extra
        case .redis:
            [
                "--bind", "127.0.0.1", "--port", "\(port)", "--dir", store, "--appendonly", "yes",
                "--appendfsync", "everysec", "--save", "", "--daemonize", "no",
            ] + extra
        }
    }
}
