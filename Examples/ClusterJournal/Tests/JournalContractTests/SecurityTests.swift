import BrokerProcesses
import CollectionReplication
import Foundation
import NATSJournal
import Testing

private let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

@Suite(.serialized)
struct SecurityTests {
    @Test(.enabled(if: openssl != nil, "needs openssl to make a certificate"))
    func encryptedConnectionsTrustWhomTheyAreTold() async throws {
        let own = try Certificate()
        defer { own.remove() }
        let broker = try BrokerProcess(
            .nats,
            arguments: ["--tls", "--tlscert", own.file, "--tlskey", own.keyFile]
        )
        defer { broker.end() }
        var options = NATSOptions(servers: ["nats://127.0.0.1:\(broker.port)"])
        options.reconnectWait = .milliseconds(50)
        options.security = NATSOptions.Security(authorityFile: own.file)
        let log = AwaitedLog(try NATSConnection(options).log(named: "board"))
        try await log.create()
        try await log.fill(2)
        #expect(try await log.read(from: 1).records.count == 2)

        // By the system's authorities alone nobody knows this server.
        options.security = NATSOptions.Security()
        let careful = AwaitedLog(try NATSConnection(options).log(named: "board"))
        #expect(await failure { try await careful.create() }?.code == .unavailable)
        options.security?.verifiesServer = false
        let careless = AwaitedLog(try NATSConnection(options).log(named: "board"))
        #expect(try await careless.read(from: 1).records.count == 2)
    }

    @Test(.enabled(if: openssl != nil, "needs openssl to make certificates"))
    func aServerThatAsksWhoIsThereIsShownACertificate() async throws {
        let (server, client) = (try Certificate(), try Certificate())
        defer { for certificate in [server, client] { certificate.remove() } }
        let broker = try BrokerProcess(
            .nats,
            arguments: [
                "--tls", "--tlscert", server.file, "--tlskey", server.keyFile, "--tlsverify",
                "--tlscacert", client.file,
            ]
        )
        defer { broker.end() }
        var options = NATSOptions(servers: ["nats://127.0.0.1:\(broker.port)"])
        options.reconnectWait = .milliseconds(50)
        options.security = NATSOptions.Security(authorityFile: server.file)
        let nobody = AwaitedLog(try NATSConnection(options).log(named: "board"))
        #expect(await failure { try await nobody.create() }?.code == .unavailable)
        options.security?.certificateFile = server.file
        options.security?.keyFile = server.keyFile
        let stranger = AwaitedLog(try NATSConnection(options).log(named: "board"))
        #expect(await failure { try await stranger.create() }?.code == .unavailable)
        options.security?.certificateFile = client.file
        options.security?.keyFile = client.keyFile
        let log = AwaitedLog(try NATSConnection(options).log(named: "board"))
        try await log.create()
        try await log.fill(2)
        #expect(try await log.read(from: 1).records.count == 2)
    }
}

/// Signed by itself, for this machine and a day.
private struct Certificate {
    private let folder: URL
    var file: String { folder.path + "/certificate.pem" }
    var keyFile: String { folder.path + "/key.pem" }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(openssl))
        process.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
            "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", keyFile, "-out",
            file,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    func remove() { try? FileManager.default.removeItem(at: folder) }
}
