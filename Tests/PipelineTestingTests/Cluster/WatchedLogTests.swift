import CollectionReplication
import PipelineTestSupport
import Testing

@testable import PipelineTesting

@Suite("A log that is watched", .endsHangs)
struct WatchedLogTests {
    private let simulation: Simulation
    private let broker: MemoryBroker
    private let log: WatchedLog
    private let notes = Journal<String>()

    init() {
        simulation = Simulation(seed: 1, strategy: .inOrder)
        broker = MemoryBroker(environment: simulation.environment)
        log = WatchedLog(broker.makeLog(label: "member")) { [notes] record in
            notes.append("record \(record)")
        } noteChange: { [notes] in
            notes.append("change")
        } noteLease: { [notes] in
            notes.append("lease")
            return { notes.append("lease was set") }
        }
        _ = ask { log.create($0) }
    }

    /// The answer to a call.
    private func ask<Value: Sendable>(
        _ call: (@escaping @Sendable (Result<Value, LogError>) -> Void) -> Void
    ) -> Result<Value, LogError>? {
        let answers = Journal<Result<Value, LogError>>()
        call { answers.append($0) }
        simulation.run()
        #expect(answers.count == 1)
        return answers.values.first
    }

    @Test func recordsAreNotedBeforeTheyAreAppended() {
        log.append([1, 2], id: "1", after: 0) { [notes] _ in notes.append("answer") }
        #expect(notes.values == ["record [1, 2]"])
        simulation.run()
        #expect(notes.values == ["record [1, 2]", "answer"])
        #expect(broker.contents?.log == [[1, 2]])
        // What cannot be appended was meant to be.
        _ = ask { log.append([3], id: "2", after: 9, $0) }
        #expect(notes.values.last == "record [3]")
        #expect(broker.contents?.log == [[1, 2]])
    }

    @Test func whatIsRemovedIsNoted() {
        for number in 1...2 as ClosedRange<UInt64> {
            _ = ask { log.append([UInt8(number)], id: "\(number)", after: number - 1, $0) }
        }
        for name in ["a", "b"] { _ = ask { log.put([7], at: 0, of: name, $0) } }
        notes.removeAll()
        _ = ask { log.purge(through: 1, $0) }
        #expect(notes.values == ["change"])
        #expect(broker.contents?.log == [[2]])
        _ = ask { log.removeSnapshots(before: "b", $0) }
        #expect(notes.values == ["change", "change"])
        #expect(broker.contents?.snapshotNames == ["b"])
    }

    @Test func aHeadThatIsSetIsNoted() {
        _ = ask { log.set([1], in: .head, expecting: nil, $0) }
        #expect(notes.values == ["change"])
        #expect((try? ask { log.read(.head, $0) }?.get())??.bytes == [1])
        #expect(notes.values == ["change"])
    }

    @Test func aLeaseIsNotedWhenItIsAskedForAndOnceMoreWhenItIsSet() {
        log.set([1], in: .lease, expecting: nil) { [notes] _ in notes.append("answer") }
        #expect(notes.values == ["lease"])
        simulation.run()
        #expect(notes.values == ["lease", "lease was set", "answer"])
        notes.removeAll()
        // Another has it.
        _ = ask { log.set([2], in: .lease, expecting: 99, $0) }
        #expect(notes.values == ["lease"])
        #expect((try? ask { log.read(.lease, $0) }?.get())??.bytes == [1])
    }

    @Test func whoOnlyReadsOrPutsBesideIsNotNoted() {
        _ = ask { log.create($0) }
        _ = ask { log.read(from: 1, limit: .all, wait: .zero, $0) }
        _ = ask { log.put([7, 8], at: 1, of: "a", $0) }
        #expect(ask { log.chunk(at: 1, of: "a", $0) } == .success([7, 8]))
        #expect(ask { log.chunk(at: 0, of: "a", $0) } == .success(nil))
        _ = ask { log.read(.head, $0) }
        _ = ask { log.read(.lease, $0) }
        #expect(notes.values == [])
    }
}
