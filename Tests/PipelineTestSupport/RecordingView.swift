import CollectionElements
import CollectionPipeline

/// A minimal view that deploys immediately, on demand, or never, and records the updates it
/// receives.
///
/// All mutable state belongs to the main lane; any thread may read the journals.
package final class RecordingView: CollectionView, @unchecked Sendable {
    package enum Mode: Hashable, Sendable {
        /// Deploys and finishes every update inside `perform`.
        case atOnce
        /// Keeps updates until ``deployNext(finishing:)``.
        case onDemand
        case dropping
    }

    package struct Record: Sendable {
        package let submission: SubmissionID
        package let changeSet: ValidatedChangeSet
        package let isAnimated: Bool
        package let oldMap: ElementMap
        package let newMap: ElementMap
        package let remeasured: [ElementPlace]
        package let layout: (any Sendable)?
    }

    package var mode: Mode
    package var elementSizeRange: SizeRange
    package var firstVisiblePath: ItemPath?
    /// Called for every update while it is deployed; what it throws rejects the update.
    package var onApply: (ViewUpdate) throws -> Void = { _ in }

    package let received = Journal<Record>()
    package let deployed = Journal<SubmissionID>()
    /// The values that the controller passed to `updatesInFlightDidChange(_:)`.
    package let inFlight = Journal<Bool>()

    /// Updates that are not deployed yet, in order.
    package private(set) var waiting: [ViewUpdate] = []
    /// Updates that are deployed but not finished, in order.
    package private(set) var unfinished: [ViewUpdate] = []
    private var lane: (any Lane)?

    package init(_ mode: Mode = .atOnce, elementSizeRange: SizeRange = .width(10)) {
        self.mode = mode
        self.elementSizeRange = elementSizeRange
    }

    package func attach(to lane: any Lane) { self.lane = lane }

    package func updatesInFlightDidChange(_ areInFlight: Bool) {
        lane?.requireCurrent("RecordingView.updatesInFlightDidChange(_:)")
        inFlight.append(areInFlight)
    }

    package func perform(_ update: ViewUpdate) {
        lane?.requireCurrent("RecordingView.perform(_:)")
        // Before the record: a test that saw the record may read `waiting` from another thread.
        if mode == .onDemand { waiting.append(update) }
        received.append(
            Record(
                submission: update.submission,
                changeSet: update.changeSet,
                isAnimated: update.isAnimated,
                oldMap: update.oldMap,
                newMap: update.newMap,
                remeasured: update.remeasured,
                layout: update.layout
            )
        )
        if mode == .atOnce, deploy(update) { update.finish() }
    }

    /// Deploys the first waiting update; returns whether the pipeline still wanted it.
    @discardableResult
    package func deployNext(finishing: Bool = true) -> Bool {
        let update = waiting.removeFirst()
        guard deploy(update) else { return false }
        if finishing { update.finish() } else { unfinished.append(update) }
        return true
    }

    /// Finishes the first update that was deployed and not finished.
    package func finishNext() { unfinished.removeFirst().finish() }

    /// Deploys all waiting updates now, and every later update immediately.
    package func catchUp() {
        mode = .atOnce
        while !waiting.isEmpty { deployNext() }
        while !unfinished.isEmpty { finishNext() }
    }

    package func dropAll() {
        waiting = []
        unfinished = []
    }

    package func dropLast() { waiting.removeLast() }

    private func deploy(_ update: ViewUpdate) -> Bool {
        update.deploy { update in
            try onApply(update)
            deployed.append(update.submission)
        }
    }
}
