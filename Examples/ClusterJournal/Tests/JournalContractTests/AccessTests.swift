import BrokerProcesses
import CollectionReplication
import NATSJournal
import RedisJournal
import Testing

@Suite(.serialized)
struct AccessTests {
    @Test func userAndTokenOpenNATSAndNothingElseDoes() async throws {
        let broker = try BrokerProcess(.nats, arguments: ["--user", "ann", "--pass", "secret"])
        var options = NATSOptions(servers: ["nats://127.0.0.1:\(broker.port)"])
        options.reconnectWait = .milliseconds(50)
        options.answerTimeout = .seconds(2)
        let stranger = AwaitedLog(try NATSConnection(options).log(named: "board"))
        let strange = await failure { try await stranger.create() }
        #expect(strange?.code == .unavailable, "\(String(describing: strange))")
        options.user = NATSOptions.User(name: "ann", password: "wrong")
        let wrong = AwaitedLog(try NATSConnection(options).log(named: "board"))
        #expect(await failure { try await wrong.create() }?.code == .unavailable)
        options.user = NATSOptions.User(name: "ann", password: "secret")
        let right = AwaitedLog(try NATSConnection(options).log(named: "board"))
        try await right.create()
        try await right.fill(1)
        broker.end()

        let other = try BrokerProcess(.nats, arguments: ["--auth", "token"])
        var withToken = NATSOptions(servers: ["nats://127.0.0.1:\(other.port)"])
        withToken.token = "token"
        let log = AwaitedLog(try NATSConnection(withToken).log(named: "board"))
        try await log.create()
        other.end()
    }

    @Test func aPasswordOpensRedisAndNothingElseDoes() async throws {
        let broker = try BrokerProcess(.redis, arguments: ["--requirepass", "secret"])
        var options = RedisOptions(port: broker.port)
        options.reconnectWait = .milliseconds(50)
        options.answerTimeout = .seconds(2)
        let stranger = AwaitedLog(try RedisConnection(options).log(named: "board"))
        #expect(await failure { try await stranger.create() }?.code == .unavailable)
        options.password = "wrong"
        let wrong = AwaitedLog(try RedisConnection(options).log(named: "board"))
        #expect(await failure { try await wrong.create() }?.code == .unavailable)
        options.password = "secret"
        options.database = 3
        let right = AwaitedLog(try RedisConnection(options).log(named: "board"))
        try await right.create()
        try await right.fill(1)
        #expect(try await right.read(from: 2, wait: .milliseconds(20)).last == 1)
        // The same collection in another database is another one.
        options.database = 0
        let elsewhere = AwaitedLog(try RedisConnection(options).log(named: "board"))
        #expect(await failure { try await elsewhere.fill(1) }?.code == .missing)
        broker.end()
    }
}
