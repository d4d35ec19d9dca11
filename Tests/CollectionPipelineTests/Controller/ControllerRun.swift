import CollectionElements
import CollectionPipeline
import PipelineTestSupport

/// A controller with random calls, and its model. All events of the view, the data source, the
/// facilitator, the observer, completions and callbacks arrive here and are compared.
///
/// Everything except `results` belongs to the main lane.
final class ControllerRun: @unchecked Sendable {
    typealias Model = ControllerModel
    typealias Controller = DataController<TextDataSource>

    struct Rejection {
        let code: UpdateError.Code
        var fault: HierarchyUpdateError.Code?
        var path: ItemPath?
        var section: Int?
        var operation: HierarchyChangeSet.Operation?
        var counts: (before: Int, after: Int)?
        var newShape: HierarchyShape?
        var underlying: TestFailure?
        /// The beginning of the message; `nil` if it is not checked.
        var message: String?
        var mayDiverge = false
    }

    enum Expectation {
        case accept(Model.Draft)
        case reject(Rejection)
    }

    /// The caller's record of a submission.
    struct Operation {
        var isAnimated = true
        var expectation: Expectation?
        var isCancelled = false
        var hasEntered = false
        var hasEnded = false
        /// Whether the caller is on another lane, so that the closure runs in a turn of its own.
        var isAsynchronous = false
        /// The generation that a record was made against.
        var generation: Int?
        /// The error with which it was rejected.
        var error: UpdateError?
        var id: Int?
    }

    let model = ControllerModel()
    var random: SeededGenerator
    let stage: Stage
    let simulation: Simulation?
    let limit: Int
    let policy: PipelineConfiguration.BacklogPolicy
    let reloadsAfterRejection: Bool
    private(set) var controller: Controller?
    private var view: ModelledView?
    private let nodes: NodeBook
    let calls = Journal<DataSourceCall>()

    var operations: [Int: Operation] = [:]
    var nextKey = 1
    var nextToken = 0
    var updates: [ViewUpdate] = []
    var unfinished: [ViewUpdate] = []
    var tasks: [(key: Int, task: Task<Void, Never>)] = []
    var isBatchOpen = false
    var closesWithoutDraining = false
    /// The submission of the batch that stays open across turns.
    var openKey = 0
    private var callDepth = 0
    /// The last value passed to `updatesInFlightDidChange(_:)`.
    fileprivate var isInFlight = false {
        didSet {
            model.expect(isInFlight != oldValue, "the view is notified twice of \(isInFlight)")
        }
    }
    private var seen: Set<Int> = []
    private var contexts: [Int: Int?] = [:]
    private var handedOverWaiters: [(name: Int, generation: Int)] = []
    private var completedWaiters: [Int] = []
    /// The result of each task.
    let results = Lock<[Int: String]>([:])
    /// Whether there was a wait for the hand-over, so that change sets are no longer held.
    var isHastened = false
    /// The rare situations that occurred in the run.
    private(set) var situations: Set<String> = []

    init(
        _ stage: Stage,
        _ simulation: Simulation?,
        _ drawn: SeededGenerator,
        sections: [TextDataSource.Section]
    ) {
        var random = drawn
        (self.stage, self.simulation) = (stage, simulation)
        limit = 1 + random.next(below: 5)
        // Only without concurrency is it known whether change sets wait to be merged or are in
        // flight.
        let isMerging = random.chance(0.3) && simulation != nil
        policy = isMerging ? .coalesce : random.chance(0.3) ? .reject : .suspend
        reloadsAfterRejection = random.chance(0.25)
        nodes = NodeBook(stage)
        self.random = random
        (model.mayHideNumbers, model.merges) = (reloadsAfterRejection, isMerging)
        var configuration = PipelineConfiguration.unwatched
        configuration.backlogLimit = limit
        configuration.backlogPolicy = policy
        configuration.rejectionPolicy = reloadsAfterRejection ? .reload : .report
        view = random.chance(0.9) ? ModelledView() : nil
        let watch = Watch(lane: stage.lane)
        controller = stage.makeController(
            TextDataSource(sections, nodes: nodes, calls: calls),
            view: view,
            configuration: configuration,
            facilitators: [watch],
            observer: watch
        )
        watch.run = self
        view?.run = self
        model.atView = { [unowned self] in
            Set((updates + unfinished).map(\.submission.rawValue))
        }
    }

    // MARK: Calling

    /// Makes a call on the main lane, during which no callback may run, and compares its result or
    /// error with the reported one.
    func call(
        _ key: Int,
        _ name: String,
        joins: Bool = false,
        _ body: (Controller.Isolated) throws(UpdateError) -> SubmissionID?
    ) {
        guard let list = controller?.assumeIsolated() else { return }
        model.note("\(key): \(name)")
        callDepth += 1
        defer { callDepth -= 1 }
        do throws(UpdateError) {
            let id = try body(list)
            guard !joins else { return }
            let operation = operations[key]
            model.expect(operation?.error == nil && operation?.id != nil, "\(name) returned")
            if let id { model.expectEqual(id.rawValue, operation?.id, "what \(name) returned") }
        } catch {
            let reported = operations[key]?.error
            model.expectEqual(
                "\(error)",
                reported.map { "\($0)" } ?? "nothing",
                "what \(name) threw"
            )
        }
        endLies()
    }

    /// Makes the data source return correct values again.
    private func endLies() {
        guard let source = controller?.assumeIsolated().dataSource else { return }
        (source.falseSectionCount, source.falseItemCounts, source.onCall) = (nil, [:], nil)
    }

    /// Registers a new submission and returns its key.
    func begin(_ operation: Operation = Operation()) -> Int {
        let key = nextKey
        nextKey += 1
        operations[key] = operation
        return key
    }

    func completion(_ key: Int, _ name: String) -> UpdateCompletion {
        { [self] result in
            expectTurn("a completion of \(key)")
            model.expectEqual(result.callerContext as? Int, key, "the context of \(key)")
            if case .rejected(let error) = result.outcome {
                let reported = operations[key]?.error
                model.expectEqual(
                    "\(error)",
                    reported.map { "\($0)" } ?? "",
                    "what \(key) was reported"
                )
            }
            var text = result.text
            if case .refusedByView(let error) = result.outcome {
                text = "refused(\(error.code.rawValue) \(error.submission?.description ?? "-"))"
            }
            let generation = result.generation.map { " in \($0)" } ?? ""
            model.completionRan(name, "\(result.submission) \(text)\(generation)")
        }
    }

    /// Checks that a callback runs on the main lane, and not within a call.
    private func expectTurn(_ name: String) {
        model.expect(callDepth == 0 && stage.lane.isCurrent, "\(name) ran inline or elsewhere")
    }

    /// Checks the start of a submission's closure.
    func enter(_ key: Int) {
        model.expect(stage.lane.isCurrent, "the closure of \(key) ran elsewhere")
        guard var operation = operations[key] else { return model.fault("\(key) is unknown") }
        model.expect(!operation.hasEntered, "the closure of \(key) runs twice")
        model.expect(!operation.isCancelled, "\(key) was cancelled, but starts")
        if operation.isAsynchronous {
            model.expect(!isBatchOpen, "\(key) starts while a batch is open")
            model.expect(
                !model.waiting.contains(key) && (operation.id != nil || model.waiting.isEmpty),
                "\(key) starts before \(model.waiting)"
            )
            model.expect(hasRoom, "\(key) starts although the backlog is full")
        }
        operation.hasEntered = true
        operations[key] = operation
    }

    /// Whether the backlog accepts another change set.
    var hasRoom: Bool { model.merges || model.backlog < limit }

    /// Checks that nothing is accepted or published while the data source is read.
    func expectUnpublished() {
        model.expectEqual(controller?.pendingMap.generation, model.generation, "what is published")
        model.expectEqual(controller?.visibleMap.generation, model.visibleGeneration, "visible")
    }

    // MARK: Waiting

    func whenHandedOver() {
        let name = nextKey
        nextKey += 1
        if !handedOverWaiters.isEmpty { situations.insert("several waiters") }
        isHastened = true
        handedOverWaiters.append((name, model.generation))
        controller?.whenReached(.deliveredToView) { [self] in
            expectTurn("a callback")
            let first = handedOverWaiters.isEmpty ? nil : handedOverWaiters.removeFirst()
            model.expectEqual(first?.name, name, "the first waiter for the hand-over")
            let isThere = model.isHandedOver(through: first?.generation ?? 0) || model.isClosing
            model.expect(
                isThere,
                "\(name) continues before the hand-over of \(first?.generation ?? 0)"
            )
        }
    }

    func whenCompleted() {
        let name = nextKey
        nextKey += 1
        completedWaiters.append(name)
        controller?.whenReached(.completed) { [self] in
            expectTurn("a callback")
            let first = completedWaiters.first
            model.expect(first == name, "\(name) is called before \(completedWaiters)")
            completedWaiters.removeAll { $0 == name }
            model.expect(model.isComplete, "\(name) continues before all is complete")
        }
    }

    /// Whether nothing more happens without another action.
    var isQuiet: Bool {
        let waiting = Set(updates.map(\.newMap.generation))
        let isMissing =
            !model.isHandedOver(through: model.generation)
            || model.nextToDeploy.map { !waiting.contains($0) } == true
        let isOnTheWay = operations.values.contains { operation in
            operation.isAsynchronous && !operation.hasEntered && !operation.hasEnded
                && operation.error == nil && (operation.isCancelled || operation.id == nil)
        }
        let awaitsReload =
            reloadsAfterRejection && model.divergence != nil && !isBatchOpen && !model.isClosing
        return !isMissing && !model.hasFinished && !isOnTheWay && !awaitsReload
            && model.rejected.isEmpty && (isBatchOpen || model.waiting.isEmpty || !hasRoom)
    }

    /// Checks that no caller still waits after all work has ended.
    func checkWaiters() {
        guard simulation != nil, let list = controller?.assumeIsolated() else { return }
        model.expect(handedOverWaiters.isEmpty, "\(handedOverWaiters) wait")
        model.expect(completedWaiters.isEmpty || !list.isSynchronized, "\(completedWaiters) wait")
    }

    // MARK: Events

    fileprivate func observe(_ event: PipelineEvent) {
        let (id, key) = (event.submission?.rawValue, event.callerContext as? Int)
        if let id, seen.insert(id).inserted { model.claim(event.submission, event.kind.rawValue) }
        if event.kind == .accepted, let id { contexts[id] = .some(key) }
        if event.kind == .handedOver || event.kind == .deployed, let id {
            model.expectEqual(key, contexts[id] ?? nil, "the context of \(event.kind) #\(id)")
        }
        switch event.kind {
        case .suspended: suspended(event, key)
        case .resumed: resumed(key)
        case .accepted: accepted(event, id ?? 0, key)
        case .rejected: rejected(event, id ?? 0, key)
        case .deployed: deployed(event)
        case .completed:
            let isCancelled = key.flatMap { operations[$0] }.map {
                $0.isCancelled && !$0.hasEntered
            }
            let isRejected = key.flatMap { operations[$0]?.error } != nil
            model.completed(id ?? 0, cancelled: isCancelled == true && !isRejected ? key : nil)
            if let key { operations[key]?.hasEnded = true }
        case .closing:
            model.isClosing = true
            if closesWithoutDraining { model.cancelAccepted() }
        case .closed: model.closed()
        default: break
        }
    }

    private func suspended(_ event: PipelineEvent, _ key: Int?) {
        let isRoom = event.wait == .backlogCapacity
        if isRoom { situations.insert("suspended") }
        if isBatchOpen {
            model.expect(!isRoom, "\(key ?? 0) waits for capacity while a batch is open")
        }
        if isRoom {
            let waits = policy == .suspend && (!model.waiting.isEmpty || !hasRoom)
            model.expect(waits, "the backlog has capacity")
        }
        guard let key else { return }
        model.expect(operations[key]?.hasEntered == false, "\(key) waits, but has started")
        model.waiting.append(key)
        operations[key]?.id = event.submission?.rawValue
    }

    private func resumed(_ key: Int?) {
        guard let key else { return }
        let leaves = operations[key]?.isCancelled == true || model.isClosing
        if !leaves {
            model.expectEqual(model.waiting.first, key, "the first to start")
            let mayCome = !isBatchOpen && (policy == .reject || hasRoom)
            model.expect(mayCome, "\(key) starts but must not")
        }
        model.waiting.removeAll { $0 == key }
    }

    private func accepted(_ event: PipelineEvent, _ id: Int, _ key: Int?) {
        guard let controller, let source = controller.assumeIsolated().dataSource as TextDataSource?
        else { return }
        guard let key else {
            if model.fate.isAnswering {
                model.recover(id)
            } else {
                model.expect(
                    reloadsAfterRejection && model.divergence != nil,
                    "#\(id) was accepted without a submission"
                )
                var drafting = drafting
                drafting.reload(source.sections, record: false)
                accept(drafting.draft, nextToken: drafting.nextToken, id: id, key: nil, true)
            }
            return check(event)
        }
        guard case .accept(let draft) = operations[key]?.expectation else {
            return model.fault("\(key) was accepted")
        }
        let isWrong = operations[key].map { $0.isCancelled && !$0.hasEntered } == true
        model.expect(!isWrong, "\(key) was cancelled, but is accepted")
        operations[key]?.id = id
        operations[key]?.hasEntered = true
        source.onCall = nil
        accept(draft, nextToken: nextToken, id: id, key: key, operations[key]?.isAnimated ?? true)
        if let questions = draft.questions {
            let reconfigured = Set(draft.update?.reconfigurations.map(\.newPath) ?? [])
            let madeCalls = calls.values.filter { call in
                if case .nodeProvider(let path) = call {
                    !reconfigured.contains(path)
                } else {
                    true
                }
            }
            model.expectEqual(madeCalls, questions, "the data source calls of \(key)")
        }
        check(event)
    }

    private func accept(
        _ draft: Model.Draft,
        nextToken: Int,
        id: Int,
        key: Int?,
        _ isAnimated: Bool
    ) {
        self.nextToken = max(self.nextToken, nextToken)
        model.accept(draft, id: id, key: key, isAnimated: isAnimated)
        controller?.assumeIsolated().dataSource.generation = model.generation + 1
    }

    private func check(_ event: PipelineEvent) {
        controller?.assumeIsolated().dataSource.generation = model.generation + 1
        let divergence = event.divergence.map { "\($0)" }
        model.expectEqual(divergence, model.divergence, "the divergence in \(event.kind.rawValue)")
        guard event.kind == .accepted, let entry = model.entries.last,
            let fate = model.fate.entries.last
        else { return }
        if !model.merges {
            model.expectEqual(event.backlog, model.backlog, "the backlog of #\(entry.id)")
        } else if !isHastened, model.fate.entries.allSatisfy({ $0.standIn == nil }) {
            // The last change set collects later ones.
            model.expect(event.backlog ?? 0 <= limit + 1, "a backlog of \(event.backlog ?? 0)")
        }
        if fate.outcome == "deployedByReload" { situations.insert("reload in place") }
        if fate.outcome == "deployed", entry.key != nil {
            model.expectEqual(event.editCount, entry.draft.editCount, "the edits of #\(entry.id)")
        }
        if let map = controller?.pendingMap { model.check(map, model.generation, "pendingMap") }
    }

    private func rejected(_ event: PipelineEvent, _ id: Int, _ key: Int?) {
        guard let key, let error = event.error as? UpdateError, var operation = operations[key]
        else {
            return model.fault("#\(id) was rejected: \(event)")
        }
        operation.error = error
        operation.id = id
        operations[key] = operation
        endLies()
        var rejection = Rejection(code: error.code)
        switch (operation.expectation, error.code) {
        case (.reject(let expected)?, _): rejection = expected
        case (nil, .stale):
            model.expect(operation.generation != model.generation, "\(key) is not stale")
        case (nil, .backlogFull):
            model.expect(!hasRoom, "\(key) was rejected although the backlog has capacity")
        case (_, .closed): model.expect(model.isClosing, "\(key) was rejected as closed")
        default: model.fault("\(key) was rejected: \(error)")
        }
        if error.code == .closed { isBatchOpen = false }
        let outcome = error.hierarchyError?.code.rawValue ?? error.code.rawValue
        model.reject(id, key: key, "rejected(\(outcome))", mayDiverge: rejection.mayDiverge)
        check(error, rejection, id, key)
        check(event)
    }

    private func check(_ error: UpdateError, _ expected: Rejection, _ id: Int, _ key: Int) {
        let found = error.hierarchyError
        model.expectEqual(error.code, expected.code, "the code of \(key)")
        model.expectEqual(error.submission?.rawValue, id, "the number in the error of \(key)")
        let divergence = error.divergence.map { "\($0)" }
        model.expectEqual(divergence, model.divergence, "the divergence of \(key)")
        model.expectEqual(error.underlyingError as? TestFailure, expected.underlying, "the reason")
        if let message = expected.message {
            model.expect(error.message.hasPrefix(message), "\(error.message), not \(message)")
        }
        guard let fault = expected.fault else {
            return model.expect(found == nil, "\(key) has a fault: \(found?.message ?? "")")
        }
        model.expectEqual(found?.code, fault, "the fault of \(key)")
        model.expectEqual(found?.path, expected.path, "the path of \(key)")
        model.expectEqual(found?.section, expected.section, "the section of \(key)")
        model.expectEqual(found?.operation, expected.operation, "the operation of \(key)")
        model.expectEqual(found?.oldShape, model.accepted.shape, "the shape before \(key)")
        if let shape = expected.newShape {
            model.expectEqual(found?.newShape, shape, "the shape after \(key)")
        }
        if let counts = expected.counts {
            model.expectEqual(found?.arithmetic?.before, counts.before, "before \(key)")
            model.expectEqual(found?.arithmetic?.after, counts.after, "after \(key)")
        }
        model.expectEqual(found?.dataSourceName, "TextDataSource", "the data source of \(key)")
        model.expect(error.hint?.isEmpty == false, "\(key) has no hint")
    }

    // MARK: View

    fileprivate func willDeploy(_ update: ViewUpdate) {
        // A released controller ends in a later turn.
        if let visible = controller?.visibleMap.generation {
            model.expectEqual(
                visible,
                model.visibleGeneration,
                "visible when a facilitator is notified"
            )
            model.expect(
                visible < update.newMap.generation,
                "the update of a facilitator is already visible"
            )
        }
        // Without a view, only facilitators are notified.
        if view == nil { handedOver(update) }
    }

    fileprivate func perform(_ update: ViewUpdate) {
        handedOver(update)
        updates.append(update)
    }

    private func handedOver(_ update: ViewUpdate) {
        let generation = update.newMap.generation
        guard let parts = model.handOver(generation), let entry = parts.last else {
            return model.fault("the view gets \(update.submission) out of order")
        }
        let name = "the update \(update.submission)"
        model.expect(stage.lane.isCurrent, "\(name) arrived off the main lane")
        model.expectEqual(update.submission.rawValue, entry.id, "the number of \(name)")
        let isAnimated = parts.contains(where: \.isAnimated)
        model.expectEqual(update.isAnimated, isAnimated, "whether \(name) is animated")
        model.check(update.newMap, generation, "the new map of \(name)")
        let (changes, isLoad) = (update.changeSet, model.fate.entries[generation - 1].isLoad)
        model.expectEqual(changes.newShape, update.newMap.shape, "the new shape of \(name)")
        model.expectEqual(changes.oldShape, update.oldMap.shape, "the old shape of \(name)")
        model.expectEqual(changes.isReloadData, isLoad, "a reload: \(name)")
        if entry.key != nil {
            model.check(update.oldMap, parts[0].generation - 1, "the old map of \(name)")
        }
        let draft = entry.draft
        if isLoad {
            guard parts.count == 1, entry.key != nil, case .reload(let option) = draft.kind,
                model.fate.entries[generation - 1].outcome == "deployed"
            else { return }
            let edits = changes.sectionRemovals + changes.sectionInsertions
            return model.expect(edits.allSatisfy { $0.animation == option }, "options of \(name)")
        }
        model.expectEqual(update.remeasured, model.remeasured(by: parts), "measured by \(name)")
        if parts.count > 1 { situations.insert("merged") }
        let updates = parts.compactMap(\.draft.update)
        guard updates.count == parts.count,
            let update = updates.count == 1
                ? updates[0] : try? ValidatedChangeSet(composing: updates)
        else { return model.fault("the parts of \(name) do not compose") }
        model.expectEqual(Array(changes.edits), Array(update.edits), "the edits of \(name)")
        model.expectEqual(changes.reconfigurations, update.reconfigurations, "updated by \(name)")
        model.expectEqual(changes.supplementaryReloads, update.supplementaryReloads, "of \(name)")
    }

    func deploy(finishing: Bool, refusing: Bool) {
        let update = updates.removeFirst()
        let generation = update.newMap.generation
        model.note("deploys \(update.submission), refusing \(refusing)")
        let isWanted = model.mayDeploy(generation)
        var isApplied = false
        let answer = update.deploy { update in
            isApplied = true
            model.show(generation)
            if let map = controller?.visibleMap { model.check(map, generation, "visibleMap") }
            guard refusing else { return model.deployed(generation) }
            let isMerged = model.fate.parts(of: update.submission.rawValue).count > 1
            situations.insert(isMerged ? "refused with others" : "refused alone")
            model.refuse(generation)
            throw TestFailure("refused")
        }
        model.answered()
        if !isWanted { situations.insert(model.fate.isCancelled ? "cancelled" : "replaced") }
        model.expectEqual(answer, isWanted, "whether \(update.submission) was wanted")
        model.expectEqual(isApplied, isWanted, "whether \(update.submission) was applied")
        guard answer else { return }
        if finishing { finish(update) } else { unfinished.append(update) }
    }

    func finish(_ update: ViewUpdate) {
        // A second call has no effect.
        for _ in 0...random.next(below: 2) { update.finish() }
    }

    /// Drops a waiting update (0), a deployed one (1), or all of them and the view (2).
    func drop(_ what: Int) {
        model.note("drops \(what)")
        if what == 0, !updates.isEmpty {
            situations.insert("dropped before its turn")
            updates.remove(at: random.next(below: updates.count))
        }
        if what == 1, !unfinished.isEmpty {
            unfinished.remove(at: random.next(below: unfinished.count))
        }
        guard what == 2 else { return }
        (unfinished, updates, view) = ([], [], nil)
    }

    /// Records a deployment without the view, which has dropped the update.
    private func deployed(_ event: PipelineEvent) {
        guard let index = event.submission.flatMap({ model.fate.index($0.rawValue) }),
            !model.fate.entries[index].isShown
        else { return }
        let generation = index + 1
        let isKept = updates.map(\.newMap.generation).contains { other in
            other <= generation && model.mayDeploy(other)
        }
        model.expect(
            !isKept && model.mayDeploy(generation),
            "\(generation) was deployed, but not by the view"
        )
        model.show(generation)
        model.deployed(generation)
    }

    // MARK: Observable state

    var drafting: Drafting<SeededGenerator> {
        Drafting(
            model.accepted,
            generation: model.generation + 1,
            nextSectionID: model.nextSectionID,
            nextToken: nextToken,
            SeededGenerator(seed: random.next())
        )
    }

    /// Compares the controller's observable state with the model.
    func check() {
        guard let controller else { return }
        let list = controller.assumeIsolated()
        model.check(controller.pendingMap, model.generation, "pendingMap")
        model.check(controller.visibleMap, model.visibleGeneration, "visibleMap")
        model.expectEqual(controller.divergence.map { "\($0)" }, model.divergence, "divergence")
        model.expectEqual(list.backlog > 0, model.backlog > 0, "whether there is a backlog")
        if !model.merges { model.expectEqual(list.backlog, model.backlog, "backlog") }
        model.expectEqual(list.isClosed, model.isClosed, "isClosed")
        if !model.isHandedOver(through: model.generation) {
            model.expect(list.isProcessingUpdates, "the controller reports no processing")
        }
        if list.isProcessingUpdates {
            model.expect(model.backlog > 0, "the controller reports processing")
        }
        // The end of a cancelled submission is reported in its own turn.
        let isLeaving = operations.values.contains { $0.isCancelled && !$0.hasEnded }
        if !reloadsAfterRejection, !isLeaving {
            model.expectEqual(list.isSynchronized, model.isComplete, "isSynchronized")
            let isInFlight =
                isBatchOpen || !model.waiting.isEmpty || model.backlog > 0 || model.isClosing
            if view != nil { model.expectEqual(self.isInFlight, isInFlight, "updates in flight") }
        }
        let (pending, visible) = (model.generation, model.visibleGeneration)
        for (path, other) in model.paths(pending, in: visible) {
            model.expectEqual(controller.viewPath(for: path), other, "the view's \(path)")
        }
        for (path, other) in model.paths(visible, in: pending) {
            model.expectEqual(controller.dataSourcePath(for: path), other, "the source's \(path)")
        }
        let onView = (0..<model.accepted.count).map(controller.viewSection)
        model.expectEqual(
            onView,
            model.sectionIndexes(pending, in: visible),
            "sections of the view"
        )
        let inSource = model.sectionIndexes(visible, in: pending)
        let found = inSource.indices.map(controller.dataSourceSection)
        model.expectEqual(found, inSource, "sections of the source")
        model.expectEqual(controller.viewPath(for: ItemPath(pending + 9, -1)), nil, "no path")
        model.expectEqual(controller.dataSourceSection(for: .min), nil, "no section")
    }

    func checkEnd() {
        model.expect(model.isComplete, "\(model.left) and \(model.waiting) are left")
        let waiters = (handedOverWaiters.map(\.name), completedWaiters)
        model.expect(waiters.0.isEmpty && waiters.1.isEmpty, "\(waiters) still wait")
        let places = nodes.made.values.map(\.place) + nodes.measurements.values.map(\.place)
        model.expect(places.allSatisfy { $0 == .worker }, "nodes were made or measured elsewhere")
        for (key, result) in results.withLock({ $0 }) {
            guard let operation = operations[key] else { continue }
            let id = result.split(separator: " ").first.map(String.init) ?? ""
            let end = Int(id.dropFirst()).flatMap { model.ends[$0] }
            let expected = end.map { end in
                operation.error.map { "\(id) threw \($0.code.rawValue)" }
                    ?? (end == "cancelled"
                        ? "\(id) threw \(operation.hasEntered ? "closed" : "cancelled")"
                        : end.hasPrefix("refused") ? "\(id) threw viewRefused" : "\(id) \(end)")
            }
            model.expectEqual(result, expected, "the result of task \(key)")
        }
    }

    func releaseController() { controller = nil }
}

/// A view that deploys updates only on request of its run.
private final class ModelledView: CollectionView, @unchecked Sendable {  // main-lane confined
    weak var run: ControllerRun?

    func attach(to lane: any Lane) {}
    var elementSizeRange: SizeRange { .width(10) }
    var firstVisiblePath: ItemPath? { nil }
    func perform(_ update: ViewUpdate) { run?.perform(update) }
    func updatesInFlightDidChange(_ areInFlight: Bool) { run?.isInFlight = areInFlight }
}

/// Forwards the events on the main lane to a run.
private final class Watch: PipelineObserver, UpdateFacilitator, @unchecked Sendable {
    // Set once, before the first event.
    weak var run: ControllerRun?
    private let lane: any Lane

    init(lane: any Lane) { self.lane = lane }

    func observe(_ event: PipelineEvent) {
        if lane.isCurrent { run?.observe(event) }
    }

    func willDeploy(_ update: ViewUpdate) { run?.willDeploy(update) }
}
