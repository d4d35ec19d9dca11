import JournalSupport
import NATSJournal
import RedisJournal
import Testing

struct NameTests {
    // Needs no broker: names are checked before one is asked.
    @Test func namesThatNoBrokerCouldHoldAreTypedErrors() throws {
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

    @Test func optionsThatCannotBeTakenAreTypedErrors() {
        var options = NATSOptions(servers: [])
        #expect(throws: JournalSetupError.self) { _ = try NATSConnection(options) }
        options = NATSOptions()
        options.namespace = "a_b"
        #expect(throws: JournalSetupError.self) { _ = try NATSConnection(options) }
        options = NATSOptions()
        options.credentialsFile = "/no/such/file"
        #expect(throws: JournalSetupError.self) { _ = try NATSConnection(options) }
        options = NATSOptions()
        options.security = NATSOptions.Security(certificateFile: "/no/such/file")
        #expect(throws: JournalSetupError.self) { _ = try NATSConnection(options) }
        options = NATSOptions()
        options.security = NATSOptions.Security(authorityFile: "/no/such/file")
        #expect(throws: JournalSetupError.self) { _ = try NATSConnection(options) }
        options = NATSOptions()
        options.readAhead = 0
        #expect(throws: JournalSetupError.self) { _ = try NATSConnection(options) }
        var redis = RedisOptions(host: "")
        #expect(throws: JournalSetupError.self) { _ = try RedisConnection(redis) }
        redis = RedisOptions()
        redis.namespace = "{"
        #expect(throws: JournalSetupError.self) { _ = try RedisConnection(redis) }
    }
}
