import CollectionPipeline

/// Whether the events of every submission come in the order of the steps, each at most once.
///
/// A value: it is told of one event after the other, and says what is wrong with it.
struct EventOrder {
    /// In the order of the steps.
    static let life: [PipelineEvent.Kind] = [
        .suspended, .resumed, .recordingStarted, .recordingFinished, .layoutContextAsked,
        .accepted, .rejected, .disagreed, .measuringStarted, .elementFailed, .layoutFailed,
        .measuringFinished, .handingOverStarted, .handedOver, .deployingStarted, .viewRefused,
        .deployed, .completed,
    ]

    /// What must have come before.
    private static let conditions: [PipelineEvent.Kind: PipelineEvent.Kind] = [
        .resumed: .suspended, .recordingFinished: .recordingStarted, .measuringStarted: .accepted,
        .elementFailed: .measuringStarted, .layoutFailed: .measuringStarted,
        .measuringFinished: .measuringStarted, .handingOverStarted: .measuringFinished,
        .handedOver: .handingOverStarted, .deployingStarted: .handedOver,
        .viewRefused: .deployingStarted, .deployed: .deployingStarted,
    ]

    /// What may come after the end, where a close has cancelled a set that workers have.
    private static let late: Set<PipelineEvent.Kind> = [
        .measuringStarted, .elementFailed, .layoutFailed, .measuringFinished,
    ]

    /// By submission: its events so far.
    private var seen: [SubmissionID: [PipelineEvent.Kind]] = [:]

    /// What was accepted and has not completed.
    var uncompleted: [SubmissionID] {
        seen.filter { $0.value.contains(.accepted) && !$0.value.contains(.completed) }.keys.sorted()
    }

    /// What submissions wait for at rest, as far as their events say.
    var waits: Set<PipelineWait> {
        var waits: Set<PipelineWait> = []
        for kinds in seen.values where !kinds.contains(.completed) {
            switch kinds.last {
            case .suspended: waits.insert(.room)
            case .handedOver: waits.insert(.deploying)
            case .deployed: waits.insert(.finishing)
            default: break
            }
        }
        return waits
    }

    /// Takes an event in.
    ///
    /// - Parameter mayBeCancelled: whether a close, or the end of the controller, may have cancelled it.
    /// - Returns: what is wrong with it.
    mutating func take(_ event: PipelineEvent, mayBeCancelled: Bool) -> String? {
        guard let id = event.submission, let rank = Self.rank(event.kind) else { return nil }
        let before = seen[id] ?? []
        seen[id] = before + [event.kind]
        let name = "\(event.kind.rawValue) of \(id)"
        if before.contains(event.kind), event.kind != .elementFailed { return "\(name) came twice" }
        if let condition = Self.conditions[event.kind], !before.contains(condition) {
            return "\(name) came without \(condition.rawValue)"
        }
        if event.kind == .rejected, before.contains(.accepted) {
            return "\(name) came after it was accepted"
        }
        let isLate = mayBeCancelled && Self.late.contains(event.kind)
        let later = before.last { Self.rank($0) ?? 0 > rank && !(isLate && $0 == .completed) }
        return later.map { "\(name) came after \($0.rawValue)" }
    }

    private static func rank(_ kind: PipelineEvent.Kind) -> Int? { life.firstIndex(of: kind) }
}
