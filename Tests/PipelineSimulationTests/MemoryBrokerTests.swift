import PipelineTestSupport
import PipelineTesting
import Testing

@testable import CollectionReplication

/// The broker in memory that tests of replicated lists use: correct without faults, and faulty as
/// requested.
@Suite("A broker in memory", .endsHangs) struct MemoryBrokerTests {
    private final class Scene {
        let simulation: Simulation
        let broker: MemoryBroker
        let logs: [MemoryLog]

        /// - Parameter fault: A fault that happens wherever it can, with records of another
        ///   collection to append.
        init(seed: UInt64 = 1, _ fault: BrokerFault? = nil, remembered: Int = 3) {
            simulation = Simulation(seed: seed)
            var configuration = MemoryBrokerConfiguration()
            configuration.rememberedAppends = remembered
            configuration.logByteLimit = 6
            configuration.recordByteLimit = 4
            broker = MemoryBroker(
                environment: simulation.environment,
                configuration: configuration,
                faults: fault.map { fault in
                    BrokerFaults(seed: seed, foreignRecords: [[77]]) { $0 == fault }
                }
            )
            logs = ["first", "second"].map { [broker] in broker.makeLog(label: $0) }
        }

        /// Makes a request, runs everything that follows, and returns the response; `nil` for none.
        func request<Value: Sendable>(
            _ call: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
        ) -> String? {
            let answers = Journal<String>()
            call { result in
                switch result {
                case .success(let value): answers.append("\(value)")
                case .failure(let error): answers.append(error.code.rawValue)
                }
            }
            simulation.run()
            return answers.count > 1 ? "answered \(answers.count) times" : answers.values.first
        }

        func append(_ bytes: [UInt8], after position: UInt64, log: Int = 0) -> String? {
            request { logs[log].append(bytes, id: "\(bytes)", after: position, $0) }
        }

        func read(from position: UInt64 = 1) -> String? {
            let limit = LogReadLimit(records: 2, bytes: 3)
            return request { logs[1].read(from: position, limit: limit, wait: .zero, $0) }
        }
    }

    /// A simple model of a log with its snapshots and registers.
    private struct Model {
        var records: [[UInt8]] = []
        var purged = 0
        var attempts: [String] = []
        var positions: [String: Int] = [:]
        var chunks: [String: [UInt8]] = [:]
        var head: LogRegisterValue?
        var settings: UInt64 = 0
        var last: Int { purged + records.count }

        mutating func append(_ bytes: [UInt8], _ id: String, after position: Int) -> String {
            if bytes.count > 4 { return "rejected" }
            if let earlier = positions["\(id) \(position)"] { return "\(earlier)" }
            if position != last { return "conflict" }
            records.append(bytes)
            while records.joined().count > 6, records.count > 1 { purge(purged + 1) }
            attempts.append("\(id) \(position)")
            positions["\(id) \(position)"] = last
            if attempts.count > 3 { positions[attempts.removeFirst()] = nil }
            return "\(last)"
        }

        mutating func purge(_ position: Int) {
            let count = min(max(0, position - purged), records.count)
            records.removeFirst(count)
            purged += count
        }

        func read(from position: Int) -> LogBatch {
            // Without records, the batch starts at the requested position.
            let start = position > last || records.isEmpty ? position : max(position, purged + 1)
            var batch = LogBatch(
                start: UInt64(start),
                records: [],
                first: UInt64(purged + 1),
                last: UInt64(last)
            )
            for record in records.dropFirst(max(0, start - purged - 1)) {
                batch.records.append(record)
                if batch.records.count == 2 || batch.records.joined().count >= 3 { break }
            }
            return batch
        }
    }

    @Test func withoutFaultsTheBrokerFollowsTheModel() {
        var faults: [String] = []
        for seed: UInt64 in 0..<60 where faults.isEmpty {
            var random = SeededGenerator(seed: seed)
            let scene = Scene(seed: seed)
            var model = Model()
            if scene.read() != "missing" { faults.append("a log exists before it is created") }
            _ = scene.request { scene.logs[0].create($0) }
            for number in 0..<60 {
                let (log, place) = (scene.logs[number % 2], random.next(below: 5) - 2)
                let position = max(0, model.last + place)
                let bytes = Array(repeating: UInt8(random.next(below: 6)), count: 1 + number % 5)
                let name = ["a", "b", "c"][number % 3]
                let (found, expected): (String?, String)
                switch random.next(below: 8) {
                case 0, 1, 2:
                    let after = random.isTrue(oneIn: 3) ? position : model.last
                    found = scene.append(bytes, after: UInt64(after), log: number % 2)
                    expected = model.append(bytes, "\(bytes)", after: after)
                case 3:
                    found = scene.read(from: UInt64(max(1, position)))
                    expected = "\(model.read(from: max(1, position)))"
                case 4:
                    found = scene.request { log.purge(through: UInt64(position), $0) }
                    model.purge(position)
                    expected = "()"
                case 5:
                    found = scene.request { log.put(bytes, at: number % 2, of: name, $0) }
                    expected = bytes.count > 4 ? "rejected" : "()"
                    if bytes.count <= 4 { model.chunks["\(name) \(number % 2)"] = bytes }
                case 6:
                    let isCleared = random.isTrue(oneIn: 4)
                    if isCleared { _ = scene.request { log.removeSnapshots(before: name, $0) } }
                    if isCleared { model.chunks = model.chunks.filter { $0.key >= name } }
                    found = scene.request { log.chunk(at: number % 2, of: name, $0) }
                    expected = "\(model.chunks["\(name) \(number % 2)"] as Any)"
                default:
                    let revision = random.isTrue(oneIn: 3) ? 99 : model.head?.revision
                    found = scene.request { log.set(bytes, in: .head, expecting: revision, $0) }
                    let fits = revision == model.head?.revision
                    if fits {
                        model.settings += 1
                        model.head = LogRegisterValue(bytes: bytes, revision: model.settings)
                    }
                    expected = fits ? "\(model.settings)" : "conflict"
                }
                if found != expected {
                    faults.append(
                        "seed \(seed), \(number): expected \(expected), found \(found as Any)"
                    )
                }
            }
            let head = scene.request { scene.logs[0].read(.head, $0) }
            if head != "\(model.head as Any)" { faults.append("seed \(seed): head \(head as Any)") }
            if scene.broker.contents?.log != model.records { faults.append("seed \(seed): log") }
        }
        #expect(faults == [])
    }

    @Test func waitingReadsAreAnsweredOnceAndCutOffMembersReachNothing() {
        let scene = Scene()
        _ = scene.request { scene.logs[0].create($0) }
        let answers = Journal<Int>()
        for (log, position) in [(0, 1), (1, 1), (1, 2)] as [(Int, UInt64)] {
            let limit = LogReadLimit(records: 9, bytes: 9)
            scene.logs[log].read(from: position, limit: limit, wait: .seconds(9)) { result in
                answers.append((try? result.get())?.records.count ?? -1)
            }
        }
        for _ in 0..<3 { scene.simulation.step() }
        scene.broker.appendFromStranger([1])
        scene.simulation.run()
        // After the next position there is nothing to wait for.
        #expect(answers.values.sorted() == [0, 1, 1])
        scene.logs[0].cutOff(.requests)
        #expect(scene.append([2], after: 1) == nil && scene.broker.contents?.log == [[1]])
        scene.logs[0].reconnect()
        scene.logs[0].cutOff(.answers)
        #expect(scene.append([2], after: 1) == nil && scene.broker.contents?.log == [[1], [2]])
        let older = scene.broker.contents
        scene.broker.endFaults()
        #expect(scene.append([3], after: 2) == "3" && scene.append([3], after: 2) == "3")
        scene.broker.forgetAppends()
        #expect(scene.append([3], after: 2) == "conflict")
        scene.broker.stop()
        #expect(scene.read() == "unavailable")
        scene.broker.start()
        scene.broker.restore(older)
        #expect(scene.broker.contents?.log == [[1], [2]])
        scene.broker.restore(nil)
        #expect(scene.read() == "missing")
        scene.logs[0].close()
        #expect(scene.append([4], after: 0) == nil)
    }

    /// The effect of each fault if it always happens: the responses to an append and a read, and
    /// the log.
    @Test func eachFaultHasItsEffect() {
        typealias Seen = (append: Set<String?>, log: Set<[[UInt8]]?>)
        var seen: [BrokerFault: Seen] = [:]
        for fault in BrokerFault.allCases {
            for seed: UInt64 in 0..<40 {
                let scene = Scene(seed: seed, fault, remembered: 0)
                scene.broker.restore(BrokerContents())
                for byte: UInt8 in 1...2 { scene.broker.appendFromStranger([byte]) }
                let answer = scene.append([9], after: fault == .expectationIsIgnored ? 0 : 2)
                seen[fault, default: ([], [])].append.insert(answer)
                seen[fault, default: ([], [])].log.insert(scene.broker.contents?.log)
                scene.broker.endFaults()
                _ = scene.request { scene.logs[0].create($0) }
                let last = UInt64(scene.broker.contents?.log.isEmpty == false ? 1 : 0)
                if scene.read(from: 1 + last) == nil { seen[fault]?.append.insert("not healed") }
            }
        }
        let (before, after): ([[UInt8]], [[UInt8]]) = ([[1], [2]], [[1], [2], [9]])
        func append(_ fault: BrokerFault) -> Set<String?> { seen[fault]?.append ?? [] }
        func log(_ fault: BrokerFault) -> Set<[[UInt8]]?> { seen[fault]?.log ?? [] }
        #expect(append(.requestIsLost) == [nil, "unanswered"] && log(.requestIsLost) == [before])
        #expect(append(.answerIsLost) == [nil, "unanswered"] && log(.answerIsLost) == [after])
        for fault: BrokerFault in [.requestIsDelayed, .answerIsDelayed, .appendsAreForgotten] {
            #expect(append(fault) == ["3"] && log(fault) == [after], "\(fault)")
        }
        // Either attempt is answered; if the broker remembers nothing, the second is a conflict.
        #expect(append(.requestComesTwice) == ["3", "conflict"])
        #expect(log(.memberIsCutOff) == [before, after])
        #expect(append(.brokerIsDown) == ["unavailable"] && log(.brokerIsDown) == [before])
        #expect(append(.logIsDeleted) == ["missing"] && log(.logIsDeleted) == [nil])
        #expect(log(.recordsArePurged).isSuperset(of: [[[9]], [[2], [9]]]))
        #expect(append(.strangerAppends) == ["conflict"])
        #expect(log(.strangerAppends).contains([[1], [2], [77]]))
        #expect(append(.expectationIsIgnored) == ["3"] && log(.expectationIsIgnored) == [after])
        #expect(append(.storeIsRolledBack) == ["3"], "there is no older copy yet")
        #expect(append(.chunkIsLost) == ["3"], "there is no snapshot")
    }
}
