import CollectionPublishing
import CollectionReplication
import Dispatch
import JournalSupport

/// A member that leads, with its list.
final class BenchLeader: Sendable {
    let member: BenchMember
    let source: BenchSource

    init(_ member: BenchMember, rows: Int) throws {
        self.member = member
        source = try BenchSource(rows: rows)
        member.replica.lead { _ in }
        let replica = member.replica
        try BenchMember.wait("a leader") { replica.status.isLeading }
        replica.publish(from: source.hub)
        _ = try shownVersion(of: source.generation)
    }

    /// The version at which members show what the controller has come to; waits until its own readers are shown it.
    func shownVersion(of generation: Int) throws -> Int {
        let found = Guarded<Int?>(nil)
        let done = DispatchSemaphore(value: 0)
        member.replica.whenShown(source: generation) { version in
            found.withLock { $0 = version?.number }
            done.signal()
        }
        done.wait()
        guard let version = found.withLock({ $0 }) else { throw BenchFailure("it does not lead") }
        return version
    }
}
