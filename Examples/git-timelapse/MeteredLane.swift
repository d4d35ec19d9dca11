import Dispatch
import SimulatedView

/// The emulated main lane with a stopwatch: how long its work took in all, and at most.
final class MeteredLane: Lane {
    private let lane = EmulatedMainLane(label: "git-timelapse.main")
    private let times = Guarded(Times())

    struct Times: Sendable {
        var totalNanoseconds: UInt64 = 0
        var longestNanoseconds: UInt64 = 0
    }

    /// What was measured so far.
    var measured: Times { times.value }

    var label: String { lane.label }

    var isCurrent: Bool { lane.isCurrent }

    func enqueue(_ work: @escaping @Sendable () -> Void) {
        lane.enqueue { [times] in
            let start = DispatchTime.now().uptimeNanoseconds
            work()
            let duration = DispatchTime.now().uptimeNanoseconds - start
            times.update { times in
                times.totalNanoseconds += duration
                times.longestNanoseconds = max(times.longestNanoseconds, duration)
            }
        }
    }
}
