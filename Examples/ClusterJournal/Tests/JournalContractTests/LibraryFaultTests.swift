import BrokerProcesses
import CollectionReplication
import Dispatch
import Glibc
import Synchronization
import Testing

/// How often a write signalled that nobody reads any more.
private let brokenPipes = Atomic(0)

/// Faults of servers and client libraries that `journal-campaign` has met, and that adapters go round.
@Suite(.serialized)
struct LibraryFaultTests {
    /// A server of NATS 2.9 ends if it is asked for a message of a stream that is being made.
    @Test(arguments: BrokerKind.allCases)
    func aBrokerLivesOnWhereSomeReadWhatOthersAreMaking(_ kind: BrokerKind) async throws {
        let setting = try Setting(kind)
        let connections = try (0..<4).map { _ in
            try setting.connect(answerTimeout: .milliseconds(500))
        }
        for round in 0..<6 {
            let logs = try connections.map { AwaitedLog(try $0.log("board-\(round)")) }
            try await withThrowingTaskGroup { group in
                for (index, log) in logs.enumerated() {
                    if index < 2 { group.addTask { try await log.create() } }
                    group.addTask {
                        for _ in 0..<8 {
                            for register in LogRegister.allCases {
                                _ = try? await log.read(register)
                            }
                            if index == 0 { _ = try? await log.read(from: 1, wait: .zero) }
                        }
                    }
                }
                try await group.waitForAll()
            }
            try #require(try setting.broker.isRunning)
        }
    }

    @Test func aStreamOfNATSWithoutDirectReadingIsReadAllTheSame() async throws {
        let setting = try Setting(.nats)
        try BrokerOperator(try setting.broker).makePlainKeptStream()
        let log = try await setting.log()
        #expect(try await log.read(.lease) == nil)
        let revision = try await log.set([1, 2], in: .lease, expecting: nil)
        #expect(
            try await log.read(.lease) == LogRegisterValue(bytes: [1, 2], revision: revision)
        )
        try await log.put([3], at: 0, of: "s")
        #expect(try await log.chunk(at: 0, of: "s") == [3])
        #expect(try await log.chunk(at: 1, of: "s") == nil)
    }

    @Test func aConnectionToRedisThatIsFoundClosedSignalsNothing() async throws {
        let setting = try Setting(.redis)
        let log = try await setting.log()
        let before = signal(SIGPIPE) { _ in brokenPipes.add(1, ordering: .relaxed) }
        defer { signal(SIGPIPE, before) }
        // Nothing is read or written while an answer is held up, so that it is a write that finds out.
        let held = DispatchSemaphore(value: 0)
        let (answers, count) = (Answers<UInt64>(), 20_000)
        log.log.read(.lease) { _ in held.wait() }
        try await Task.sleep(for: .milliseconds(50))
        try setting.broker.kill()
        let sending = Task.detached {
            for number in 0..<UInt64(count) {
                log.log.set([1], in: .lease, expecting: nil) { answers.add(number, $0) }
            }
        }
        // What is sent first is written before anybody looks for what comes, and what follows finds it closed.
        try await Task.sleep(for: .milliseconds(2))
        held.signal()
        await sending.value
        try await answers.wait(for: count)
        #expect(answers.failures.count == count)
        #expect(brokenPipes.load(ordering: .relaxed) == 0)
    }
}
