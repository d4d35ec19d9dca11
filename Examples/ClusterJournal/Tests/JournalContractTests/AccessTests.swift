import BrokerProcesses
import CollectionReplication
import Foundation
import JournalSupport
import NATSJournal
import RedisJournal
import Testing

private let openssl = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}

/// Access to brokers: names, options, users, passwords and certificates.
@Suite(.serialized)
struct AccessTests {
    // MARK: Names and options, checked before contacting a broker

    @Test func invalidNamesAreRejectedWithTypedErrors() throws {
        let nats = try NATSConnection(NATSOptions(servers: ["nats://127.0.0.1:1"]))
        let redis = try RedisConnection(RedisOptions(host: "127.0.0.1", port: 1))
        let names = ["", "a.b", "a b", "*", "é", "a/b", String(repeating: "n", count: 65)]
        for name in names {
            let one = #expect(throws: JournalSetupError.self) { _ = try nats.log(named: name) }
            #expect(one?.code == .name)
            let two = #expect(throws: JournalSetupError.self) { _ = try redis.log(named: name) }
            #expect(two?.code == .name)
        }
        for name in ["a", "A-b_9", String(repeating: "n", count: 64)] {
            _ = try nats.log(named: name)
            _ = try redis.log(named: name)
        }
    }

    @Test func invalidOptionsAreRejectedWithTypedErrors() {
        let changes: [(inout NATSOptions) -> Void] = [
            { $0.servers = [] }, { $0.namespace = "a_b" }, { $0.readAhead = 0 },
            { $0.credentialsFile = "/no/such/file" },
            { $0.security = NATSOptions.Security(certificateFile: "/no/such/file") },
            { $0.security = NATSOptions.Security(authorityFile: "/no/such/file") },
        ]
        for change in changes {
            var options = NATSOptions()
            change(&options)
            #expect(throws: JournalSetupError.self) { _ = try NATSConnection(options) }
        }
        let others: [(inout RedisOptions) -> Void] = [
            { $0.host = "" }, { $0.port = 0 }, { $0.namespace = "{" }, { $0.user = "ann" },
            { $0.database = -1 }, { $0.readerLimit = 0 }, { $0.byteLimit = 0 },
        ]
        for change in others {
            var options = RedisOptions()
            change(&options)
            #expect(throws: JournalSetupError.self) { _ = try RedisConnection(options) }
        }
    }

    // MARK: Users

    @Test func natsRequiresTheRightUserOrToken() async throws {
        let broker = try BrokerProcess(.nats, arguments: ["--user", "ann", "--pass", "secret"])
        defer { broker.end() }
        var options = options(for: broker)
        await expectNoAccess(options)
        options.user = NATSOptions.User(name: "ann", password: "wrong")
        await expectNoAccess(options)
        options.user = NATSOptions.User(name: "ann", password: "secret")
        try await expectAccess(options)

        let other = try BrokerProcess(.nats, arguments: ["--auth", "token"])
        defer { other.end() }
        options = self.options(for: other)
        options.token = "token"
        try await expectAccess(options)
    }

    @Test func redisRequiresTheRightPassword() async throws {
        let broker = try BrokerProcess(.redis, arguments: ["--requirepass", "secret"])
        defer { broker.end() }
        var options = RedisOptions(port: broker.port)
        options.reconnectWait = .milliseconds(50)
        options.answerTimeout = .seconds(2)
        let withoutPassword = AwaitedLog(try RedisConnection(options).log(named: "board"))
        #expect(await failure { try await withoutPassword.create() }?.code == .unavailable)
        options.password = "wrong"
        let wrong = AwaitedLog(try RedisConnection(options).log(named: "board"))
        #expect(await failure { try await wrong.create() }?.code == .unavailable)
        options.password = "secret"
        options.database = 3
        let right = AwaitedLog(try RedisConnection(options).log(named: "board"))
        try await right.create()
        try await right.fill(1)
        #expect(try await right.read(from: 2, wait: .milliseconds(20)).last == 1)
        // Each database has its own collections.
        options.database = 0
        let elsewhere = AwaitedLog(try RedisConnection(options).log(named: "board"))
        #expect(await failure { try await elsewhere.fill(1) }?.code == .missing)
    }

    // MARK: TLS

    @Test(.enabled(if: openssl != nil, "needs openssl to make a certificate"))
    func tlsConnectionsTrustOnlyTheConfiguredAuthority() async throws {
        let own = try Certificate()
        defer { own.remove() }
        let arguments = ["--tls", "--tlscert", own.file, "--tlskey", own.keyFile]
        let broker = try BrokerProcess(.nats, arguments: arguments)
        defer { broker.end() }
        var options = options(for: broker)
        options.security = NATSOptions.Security(authorityFile: own.file)
        try await expectAccess(options)
        // The system's authorities do not trust this certificate.
        options.security = NATSOptions.Security()
        await expectNoAccess(options)
        options.security?.verifiesServer = false
        try await expectAccess(options)
    }

    @Test(.enabled(if: openssl != nil, "needs openssl to make certificates"))
    func serversCanRequireClientCertificates() async throws {
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
        var options = options(for: broker)
        options.security = NATSOptions.Security(authorityFile: server.file)
        await expectNoAccess(options)
        options.security?.certificateFile = server.file
        options.security?.keyFile = server.keyFile
        await expectNoAccess(options)
        options.security?.certificateFile = client.file
        options.security?.keyFile = client.keyFile
        try await expectAccess(options)
    }

    private func options(for broker: BrokerProcess) -> NATSOptions {
        var options = NATSOptions(servers: ["nats://127.0.0.1:\(broker.port)"])
        options.reconnectWait = .milliseconds(50)
        options.answerTimeout = .seconds(2)
        return options
    }

    private func expectAccess(_ options: NATSOptions) async throws {
        let name = "board-\(UInt32.random(in: .min ... .max))"
        let log = AwaitedLog(try NATSConnection(options).log(named: name))
        try await log.create()
        try await log.fill(2)
        #expect(try await log.read(from: 1).records.count == 2)
    }

    private func expectNoAccess(_ options: NATSOptions) async {
        let error = await failure {
            try await AwaitedLog(NATSConnection(options).log(named: "board")).create()
        }
        #expect(error?.code == .unavailable)
    }
}

/// A self-signed certificate for this machine, valid for one day.
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
