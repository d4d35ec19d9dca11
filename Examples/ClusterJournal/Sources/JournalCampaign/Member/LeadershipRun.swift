import CollectionPipeline
import CollectionPublishing
import CollectionReplication
import JournalSupport

/// One leadership of a member: makes numbered edits as long as it lasts, and tells of each that is acknowledged.
final class LeadershipRun: Sendable {
    let term: CampaignTerm
    private let replica: ReplicatedHub
    private let reporter: MemberReporter
    private let gate: EditingGate
    private let pause: Duration
    private let state = Guarded(State())

    private struct State {
        var isEnded = false
        var task: Task<Void, Never>?
        /// Edits that were submitted and not acknowledged.
        var underway = 0
    }

    /// How many edits may be under way.
    private static let limit = 64

    init(
        _ term: CampaignTerm,
        _ replica: ReplicatedHub,
        _ reporter: MemberReporter,
        _ gate: EditingGate,
        pause: Duration
    ) {
        self.term = term
        self.replica = replica
        self.reporter = reporter
        self.gate = gate
        self.pause = pause
    }

    func start(from contents: EditedContents) {
        let task = Task { [self] in
            do {
                try await run(from: contents)
            } catch {
                if !isEnded { reporter.tell(.misfit("an edit was rejected: \(error)")) }
            }
        }
        state.withLock { $0.task = task }
    }

    private var isEnded: Bool { state.withLock { $0.isEnded } }

    private func run(from contents: EditedContents) async throws {
        let hub = UpdateHub()
        let list = EditedList(contents, seed: UInt64(term.nonce))
        let controller = DataController(dataSource: list, view: hub)
        try await controller.reloadData()
        state.withLock { state in
            // It only hands over; under the lock, so that it comes before whatever follows on an end that is told after.
            if !state.isEnded { replica.publish(from: hub) }
        }
        var number = 0
        while !isEnded {
            try? await Task.sleep(for: pause)
            let mayEdit = state.withLock { $0.underway < Self.limit && !$0.isEnded }
            guard mayEdit, gate.isOpen else { continue }
            number += 1
            let mark = EditMark(term, number)
            let submitted = MonotonicClock.now
            state.withLock { $0.underway += 1 }
            let result = try await controller.performBatchUpdates { list, changes in
                list.edit(mark, &changes)
            }
            guard let generation = result.generation else { continue }
            replica.whenShown(source: generation) { [weak self] version in
                self?.shown(mark, submitted, version)
            }
        }
        await controller.close(draining: false)
    }

    /// On the member's lane.
    private func shown(_ mark: EditMark, _ submitted: UInt64, _ version: PublishedVersion?) {
        // A later source of this member has numbers of its own.
        let isOwn = state.withLock { state in
            state.underway -= 1
            return !state.isEnded
        }
        if isOwn, version != nil { reporter.tell(.acknowledged(mark, submitted: submitted)) }
    }

    /// On the member's lane, before anything of a later one.
    func end() { state.withLock { $0.isEnded = true } }
}

/// Whether who leads makes edits: none while it is looked whether all are equal.
final class EditingGate: Sendable {
    private let state = Guarded(true)

    var isOpen: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
