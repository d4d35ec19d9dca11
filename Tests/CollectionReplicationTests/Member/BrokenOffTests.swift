import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionReplication

/// Long operations continue at the part that failed. With frequent late responses, an operation that restarted from the
/// beginning would never end.
@Suite("Interrupted operations", .endsHangs)
struct BrokenOffTests {
    private let stage = ReplicaStage()

    /// Records the requests on a connection and makes some of them fail, once or always.
    private final class FailingRequests: Sendable {
        private struct State {
            var counts: [LogRequest: Int] = [:]
            var isOn = true
        }

        private let state = Lock(State())
        private let tries: @Sendable (LogRequest) -> Int

        /// - Parameter tries: returns how often a request fails.
        init(_ tries: @escaping @Sendable (LogRequest) -> Int) { self.tries = tries }

        /// Returns how often each request was made while recording was on.
        func counts(_ isCounted: (LogRequest) -> Bool) -> [Int] {
            state.withLock { $0.counts.filter { isCounted($0.key) }.map(\.value) }
        }

        func turn(on isOn: Bool) { state.withLock { $0.isOn = isOn } }

        func wrap(_ log: MemoryLog) -> any ReplicatedLog {
            TwistedLog(log) { [self] request, log, answer in
                let fails = state.withLock { state in
                    guard state.isOn else { return false }
                    state.counts[request, default: 0] += 1
                    return state.counts[request, default: 0] <= tries(request)
                }
                guard fails else { return log.ask(request, answer) }
                answer(.failed(LogError(.unavailable, "not now")))
            }
        }
    }

    private static func isRead(_ request: LogRequest) -> Bool {
        if case .read(_, _, .zero) = request { true } else { false }
    }

    private static func isChunk(_ request: LogRequest) -> Bool {
        if case .chunk = request { true } else { false }
    }

    private static func isPut(_ request: LogRequest) -> Bool {
        if case .put = request { true } else { false }
    }

    /// A configuration that makes all operations long.
    private var steps: ReplicationConfiguration {
        var configuration = ReplicationConfiguration()
        configuration.readLimit.records = 1
        configuration.chunkByteCount = 20
        configuration.snapshotInterval = .max
        return configuration
    }

    private func leader(journal: MemoryJournalStorage? = nil) -> StagedMember {
        let first = stage.add("first", journal: journal) { $0 = steps }
        first.campaign()
        stage.run()
        first.publish(12)
        stage.run()
        return first
    }

    @Test func snapshotLoadingResumesAtTheFailedPart() {
        let first = leader()
        let parts = FailingRequests { Self.isChunk($0) ? 1 : 0 }
        let late = stage.add("late", configured: steps, over: parts.wrap)
        stage.run(.seconds(30))
        let counts = parts.counts(Self.isChunk)
        #expect(counts.count > 3)
        #expect(counts.allSatisfy { $0 == 2 }, "\(counts)")
        #expect(late.version == first.version)
        stage.checkConverged(leader: "first")
    }

    @Test func logReadingResumesAtTheFailedPart() {
        let journal = MemoryJournalStorage()
        let first = leader(journal: journal)
        let version = first.version
        stage.forget("first")
        first.log.cutOff(.both)
        let parts = FailingRequests { Self.isRead($0) ? 1 : 0 }
        let again = stage.add("again", configured: steps, journal: journal, over: parts.wrap)
        stage.run(.seconds(30))
        // The end of the log is read repeatedly.
        let counts = parts.counts(Self.isRead).sorted().dropLast()
        #expect(counts.count > 10)
        #expect(counts.allSatisfy { $0 == 2 }, "\(counts)")
        #expect(again.replica.status.isCurrent, "\(again.events)")
        #expect(again.replica.status.position?.version == version.number)
    }

    /// Records of strangers are skipped one by one, and a retry continues with the next one.
    @Test func skippingStrangersRecordsResumesAtTheFailedOne() {
        let first = leader()
        let parts = FailingRequests { request in
            if case .read = request { 1 } else if case .register(.head) = request { 1 } else { 0 }
        }
        parts.turn(on: false)
        let second = stage.add("second", configured: steps, over: parts.wrap)
        stage.run()
        let count = UInt64(stage.broker.contents?.log.count ?? 0)
        for number in 0..<20 { stage.broker.appendFromStranger([1, 2, 3, UInt8(number)]) }
        parts.turn(on: true)
        first.publish(2)
        stage.run(.seconds(30))
        let counts = parts.counts { request in
            guard case .read(let place, _, _) = request else { return false }
            return (count + 2...count + 20).contains(place)
        }
        #expect(counts.count >= 19)
        #expect(counts.allSatisfy { $0 <= 4 }, "\(counts)")
        #expect(second.version == first.version)
        stage.checkConverged(leader: "first")
    }

    /// A member that rebuilds a damaged head first reads the whole log.
    @Test func snapshotWritingResumesAtTheFailedPart() {
        let first = leader()
        let parts = FailingRequests { Self.isRead($0) || Self.isPut($0) ? 1 : 0 }
        parts.turn(on: false)
        let second = stage.add("second", configured: steps, over: parts.wrap)
        stage.run()
        let version = first.version
        #expect(second.version == version)
        first.log.cutOff(.both)
        stage.forget("first")
        stage.overwrite(.head, with: [1, 2, 3])
        parts.turn(on: true)
        second.campaign()
        for _ in 0..<60 where !second.replica.status.isLeading { stage.run(.seconds(1)) }
        let (reads, puts) = (parts.counts(Self.isRead), parts.counts(Self.isPut))
        #expect(reads.count > 10)
        #expect(reads.allSatisfy { $0 <= 3 }, "\(reads)")
        #expect(puts.count > 3)
        #expect(puts.allSatisfy { $0 == 2 }, "\(puts)")
        #expect(second.version.number >= version.number)
        stage.run()
        stage.checkConverged(leader: "second")
    }

    /// A part that always fails is abandoned, since a newer snapshot may exist by then.
    @Test func permanentlyFailingPartsAreAbandoned() {
        let first = stage.add("first") {
            $0 = steps
            $0.snapshotInterval = 4
        }
        first.campaign()
        stage.run()
        first.publish(3)
        stage.run()
        let broken = stage.head?.snapshot.name
        let parts = FailingRequests { request in
            if case .chunk(2, broken) = request { .max } else { 0 }
        }
        let late = stage.add("late", configured: steps, over: parts.wrap)
        stage.run()
        #expect(late.version != first.version)
        for _ in 0..<12 {
            first.publish(4)
            stage.run(.seconds(1))
        }
        stage.run(.seconds(30))
        #expect(stage.head?.snapshot.name != broken)
        stage.checkConverged(leader: "first")
    }
}
