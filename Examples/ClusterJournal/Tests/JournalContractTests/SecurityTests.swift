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
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (certificate, key) = (folder.path + "/certificate.pem", folder.path + "/key.pem")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try #require(openssl))
        process.arguments = [
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj",
            "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
            certificate,
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)

        let broker = try BrokerProcess(
            .nats,
            arguments: ["--tls", "--tlscert", certificate, "--tlskey", key]
        )
        defer { broker.end() }
        var options = NATSOptions(servers: ["nats://127.0.0.1:\(broker.port)"])
        options.reconnectWait = .milliseconds(50)
        options.security = NATSOptions.Security(authorityFile: certificate)
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
}
