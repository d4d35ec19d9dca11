import CollectionElements
import CollectionPipeline

// What the wrapped view does with its updates, and what is wrong with it.

extension FaultyView {
    /// What is known of the wrapped view. Main lane.
    struct WrappedState {
        /// What it shows; nil before its first reload, and from a refusal of its own to the next reload.
        var shownMap: ElementMap?
        var mistakes: [ViewMistake] = []
    }

    /// More are of no use to anybody: the first is the one to mend.
    private static let mostMistakes = 64

    /// What the wrapped view has done wrong, oldest first: the first 64.
    public var mistakes: [ViewMistake] { wrappedState.mistakes }

    func note(_ mistake: ViewMistake) {
        if mistakes.count < Self.mostMistakes { wrappedState.mistakes.append(mistake) }
    }

    /// The wrapped view deploys an update.
    ///
    /// - Returns: whether it was to show it.
    func deployWrapped(_ update: ViewUpdate, _ apply: () throws -> Void) -> Bool {
        checkShown()
        let fits =
            update.changeSet.isReloadData
            || update.oldMap.generation == wrappedState.shownMap?.generation
        return show(update, fits: fits) {
            wrappedState.shownMap = nil
            try apply()
            wrappedState.shownMap = update.newMap
            guard let difference = difference(update.newMap) else { return }
            note(ViewMistake(.wrongContent, "after update \(update.submission) \(difference)"))
            // What follows from it is not told.
            wrappedState.shownMap = nil
        }
    }

    /// Between two updates the wrapped view goes on showing what it has shown.
    func checkShown() {
        guard let map = wrappedState.shownMap, let difference = difference(map) else { return }
        wrappedState.shownMap = nil
        note(ViewMistake(.changedOutsideDeploy, "between two updates \(difference)"))
    }

    /// At rest the wrapped view has no update that it does not let go of.
    func checkAtRest() {
        checkShown()
        for (id, state) in relay?.held ?? [] {
            switch state {
            case _ where isClosed:
                note(ViewMistake(.keptAfterClose, "update \(id) is kept after the close"))
            case .waiting:
                note(ViewMistake(.neverDeployed, "at rest update \(id) waits in the view"))
            case .deployed:
                note(ViewMistake(.neverFinished, "at rest update \(id) is deployed, not finished"))
            case .replaced:
                note(ViewMistake(.keptReplaced, "update \(id) is kept, which need not be shown"))
            }
        }
    }
}

/// What the updates that a wrapped view gets are told to: it has those that they stand for.
///
/// They keep it, and it does not keep the faulty view: a view that never lets go of an update is no cycle.
final class UpdateRelay: ViewUpdateDestination {
    let lane: any Lane
    /// Used on the main lane only.
    private weak let view: FaultyView?
    /// By generation; an update may be dropped on any thread.
    private let entries = Lock<[Int: Entry]>([:])

    private struct Entry {
        let update: ViewUpdate
        var state = State.waiting
    }

    enum State {
        case waiting
        case deployed
        /// The wrapped view was told that it need not show it, or has refused it.
        case replaced
    }

    init(lane: any Lane, view: FaultyView) {
        self.lane = lane
        self.view = view
    }

    /// What the wrapped view gets in place of an update.
    func standIn(for update: ViewUpdate) -> ViewUpdate {
        entries.withLock { $0[update.newMap.generation] = Entry(update: update) }
        return ViewUpdate(standingFor: update, destination: self)
    }

    /// What the wrapped view has, in the order in which it came.
    var held: [(id: SubmissionID, state: State)] {
        entries.withLock { $0 }.sorted { $0.key < $1.key }
            .map { ($0.value.update.submission, $0.value.state) }
    }

    func deploy(_ update: ViewUpdate, _ apply: (ViewUpdate) throws -> Void) -> Bool {
        let generation = update.newMap.generation
        guard let view, let original = entries.withLock({ $0[generation]?.update }) else {
            return false
        }
        if let first = held.first(where: { $0.state == .waiting }), first.id != update.submission {
            misused(update, "must be deployed after \(first.id), which came first")
            set(.replaced, generation)
            return false
        }
        var isApplied = false
        let isShown = view.deployWrapped(original) {
            try apply(update)
            isApplied = true
        }
        set(isApplied ? .deployed : .replaced, generation)
        return isShown
    }

    private func set(_ state: State, _ generation: Int) {
        entries.withLock { $0[generation]?.state = state }
    }

    func finish(_ generation: Int) {
        // What need not be shown is just dropped.
        guard let entry = remove(generation), entry.state == .deployed else { return }
        view?.finish(entry.update)
    }

    func viewDropped(_ generation: Int) { _ = remove(generation) }

    /// What is removed is released outside the lock: its end reaches the pipeline.
    private func remove(_ generation: Int) -> Entry? {
        entries.withLock { $0.removeValue(forKey: generation) }
    }

    func misused(_ update: ViewUpdate, _ problem: String) {
        view?.note(ViewMistake(.wrongCall, "update \(update.submission) \(problem)"))
    }
}
