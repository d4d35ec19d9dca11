import CollectionElements
import CollectionPipeline
import PipelineTesting

/// Compares every shown map with the model at the time of its latch. Main lane.
package final class SnapshotChecker {
    private let model: ReferenceModel
    private var lastGeneration = 0
    /// Returns the text scale that nodes last received; `nil` if it is unknown.
    package var textScale: () -> Double? = { nil }
    /// Whether every shown element must have been prepared; false if a layout decides.
    package var expectsPrepared = true

    package init(model: ReferenceModel) { self.model = model }

    private func report(_ message: String) { model.nodes.report(message) }

    package func check(_ update: ViewUpdate) {
        let map = update.newMap
        if map.generation <= lastGeneration {
            report("generation \(map.generation) was shown after \(lastGeneration)")
        }
        lastGeneration = map.generation
        let expected = model.expected(at: map.generation)
        guard map.shape.itemCounts == expected.map(\.items.count) else {
            return report(
                "generation \(map.generation) has \(map.shape), expected"
                    + " \(expected.map(\.items.count))"
            )
        }
        checkEdits(update)
        checkItems(map, expected)
        for (index, section) in expected.enumerated()
        where (map.context(forSection: index) as? ModelContext)?.id != section.id {
            report("section \(index) of generation \(map.generation) has a wrong context")
        }
    }

    private func checkItems(_ map: ElementMap, _ expected: [ReferenceModel.Section]) {
        for item in map.items {
            let value = expected[item.path.section].items[item.path.item]
            let shown = item.content.model as? ModelItem
            if !model.mayShow(shown, for: value, at: map.generation) {
                report("item \(item.path) of generation \(map.generation) is not \(value)")
            }
            switch item.content.state {
            // The layout of a later map may be measuring the item.
            case .pending where !expectsPrepared, .allocating where !expectsPrepared: break
            case .pending, .allocating: report("item \(item.path) is shown but was not prepared")
            case .measured, .skipped, .failed: break
            }
            if let node = item.element.nodeIfAllocated as? WatchedNode, let scale = textScale(),
                node.textScale != scale
            {
                report("item \(item.path) is shown with traits that have changed since")
            }
        }
    }

    /// Checks that applying the edits to the old identities gives the new ones.
    private func checkEdits(_ update: ViewUpdate) {
        guard !update.changeSet.isReloadData else { return }
        let old = identities(update.oldMap)
        let new = identities(update.newMap)
        guard old.map(\.count) == update.changeSet.oldShape.itemCounts else {
            return report("update \(update.submission) does not start from its old map")
        }
        var inserted: Set<ItemPath> = []
        let applied = update.changeSet.applyUnchecked(to: old) { path in
            inserted.insert(path)
            return new[path.section][path.item]
        }
        if applied != new { report("the edits of \(update.submission) lead elsewhere") }
        let known = Set(old.joined())
        for path in inserted where known.contains(new[path.section][path.item]) {
            report("item \(path) of \(update.submission) is not new")
        }
    }

    private func identities(_ map: ElementMap) -> [[ObjectIdentifier]] {
        var result = Array(repeating: [ObjectIdentifier](), count: map.numberOfSections)
        for item in map.items { result[item.path.section].append(ObjectIdentifier(item.element)) }
        return result
    }
}

extension FaultyView {
    /// Creates the view of a run: it wraps no view, has the fates of the run's nodes, and passes
    /// every update to a checker.
    package convenience init(_ nodes: WatchedNodes, _ checker: SnapshotChecker) {
        self.init(fates: nodes.fates)
        willShow = checker.check
        report = { nodes.report($0, breaking: $1) }
    }
}

/// Checks that the events of every submission occur in the order of the steps, each at most once.
///
/// A value: it receives one event after the other and returns the violation.
struct EventOrder {
    /// The events in the order of the steps.
    static let life: [PipelineEvent.Kind] = [
        .suspended, .resumed, .recordingStarted, .recordingFinished, .layoutContextRequested,
        .accepted, .rejected, .disagreed, .measuringStarted, .elementFailed, .layoutFailed,
        .measuringFinished, .handingOverStarted, .handedOver, .deployingStarted, .viewGone,
        .viewRefused, .deployed, .completed,
    ]

    /// The event that must precede each event.
    private static let conditions: [PipelineEvent.Kind: PipelineEvent.Kind] = [
        .resumed: .suspended, .recordingFinished: .recordingStarted, .measuringStarted: .accepted,
        .elementFailed: .measuringStarted, .layoutFailed: .measuringStarted,
        .measuringFinished: .measuringStarted, .handingOverStarted: .measuringFinished,
        .handedOver: .handingOverStarted, .deployingStarted: .handedOver,
        .viewGone: .deployingStarted, .viewRefused: .deployingStarted,
        .deployed: .deployingStarted,
    ]

    /// Events that may follow the end if a close has cancelled a set that workers are processing.
    private static let late: Set<PipelineEvent.Kind> = [
        .measuringStarted, .elementFailed, .layoutFailed, .measuringFinished,
    ]

    /// The events of each submission so far.
    private var eventsBySubmission: [SubmissionID: [PipelineEvent.Kind]] = [:]

    /// The submissions that were accepted and have not completed.
    var uncompleted: [SubmissionID] {
        eventsBySubmission.filter { $0.value.contains(.accepted) && !$0.value.contains(.completed) }
            .keys.sorted()
    }

    /// The waits of submissions at rest, according to their events.
    var waits: Set<PipelineWait> {
        var waits: Set<PipelineWait> = []
        for kinds in eventsBySubmission.values where !kinds.contains(.completed) {
            switch kinds.last {
            case .suspended: waits.insert(.backlogCapacity)
            case .handedOver: waits.insert(.deploying)
            case .deployed: waits.insert(.finishing)
            default: break
            }
        }
        return waits
    }

    /// Adds an event.
    ///
    /// - Parameter mayBeCancelled: Whether a close or the end of the controller may have cancelled
    ///   the submission.
    /// - Returns: The violation, or `nil`.
    mutating func add(_ event: PipelineEvent, mayBeCancelled: Bool) -> String? {
        guard let id = event.submission, let rank = Self.rank(event.kind) else { return nil }
        let before = eventsBySubmission[id] ?? []
        eventsBySubmission[id] = before + [event.kind]
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
