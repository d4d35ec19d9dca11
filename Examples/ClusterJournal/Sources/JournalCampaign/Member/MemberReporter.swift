import CollectionReplication
import Glibc
import JournalSupport

/// Writes what a member tells, a line each, and counts what is observed of it.
final class MemberReporter: ReplicationObserver {
    private let state = Guarded(State())

    private struct State {
        var epoch: UInt64 = 0
    }

    /// The epoch of the last leadership; on the member's lane.
    var epoch: UInt64 { state.withLock { $0.epoch } }

    func tell(_ report: MemberReport) {
        state.withLock { _ in
            // The time is taken under the lock, so that lines have the order of their times.
            let line = Array("\(TimedReport(MonotonicClock.now, report))\n".utf8)
            var start = 0
            while start < line.count {
                let count = line[start...].withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
                // Nobody reads any more.
                if count < 0, errno != EINTR { _exit(0) }
                start += max(0, count)
            }
        }
    }

    func observe(_ event: ReplicationEvent) {
        switch event {
        case .leading(let epoch): state.withLock { $0.epoch = epoch }
        case .recovering(let reason): tell(.event("recovering \(reason.rawValue)"))
        case .passedOver(let reason): tell(.event("passed over \(reason.rawValue)"))
        case .failed(let error): tell(.event("failed \(error.code.rawValue)"))
        case .snapshotTaken: tell(.event(CampaignLedger.snapshotTaken))
        case .journalFailed(let message):
            // What was written last when it was killed is torn, which is as it should be.
            let isTorn = message.hasPrefix("the last ")
            tell(.event(isTorn ? "journal torn" : "journal failed"))
        case .unpublishable(let message): tell(.misfit("unpublishable: \(message)"))
        case .following, .current, .resigned: break
        @unknown default: break
        }
    }
}

/// The machine's own clock, the same for all processes.
package enum MonotonicClock {
    /// In nanoseconds.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
