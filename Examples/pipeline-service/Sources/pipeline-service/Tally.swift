import CollectionPipeline
import Synchronization

/// What became of what was submitted; told from any thread.
final class Tally: Sendable {
    struct Counts: Equatable {
        var submitted = 0
        var deployed = 0
        var rejected = 0
        var cancelled = 0

        /// Whether everything has ended.
        var isComplete: Bool { deployed + rejected + cancelled == submitted }
    }

    private let state = Mutex(Counts())

    var counts: Counts { state.withLock { $0 } }

    func submitted() { state.withLock { $0.submitted += 1 } }

    func ended(_ outcome: UpdateOutcome) {
        state.withLock { counts in
            switch outcome {
            case .deployed, .deployedByReload, .superseded: counts.deployed += 1
            case .cancelled: counts.cancelled += 1
            case .rejected, .refused: counts.rejected += 1
            @unknown default: counts.rejected += 1
            }
        }
    }
}

extension Tally: CustomStringConvertible {
    var description: String {
        let counts = counts
        return "\(counts.submitted) submitted: \(counts.deployed) deployed,"
            + " \(counts.rejected) rejected, \(counts.cancelled) cancelled"
    }
}
