import CollectionElements
import CollectionPipeline
import CollectionPublishing
import CollectionTables
import PipelineTesting

/// A derived list of a simulated run with its model, its observers, readers and views, and the
/// checks of all of them, whatever the types of the list are.
protocol WatchedList: AnyObject, Sendable {
    var origin: ListOrigin { get }
    var version: Int { get }
    /// The hub that shows the list, if there is one.
    var hub: SimulatedHub? { get }

    func begin()
    func check(_ turn: TableTurn, _ tables: ModelTables)
    func derive(_ operators: [TestOperator])
    func observe(edits: [TableEdit])
    func stopObserving(_ random: inout SeededGenerator)
    func read(on lane: any Lane)
    func stopReading()
    func look()
    func show(on lane: any Lane, for reader: any Lane)
    func checkAtRest()
    /// Ends all readers and closes the view.
    func close()
    func checkClosed()
}

/// Something that a list depends on.
enum TableSource: Hashable {
    case rows, kinds, filter, order, group
    case window(Int)
}

/// The way in which a list is derived. As a visitor, it adds the list to the run.
struct ListOrigin: ListVisitor {
    unowned let run: SimulatedTables
    var operators: [TestOperator]
    /// The number of the list of all rows at the beginning of the chain.
    let root: Int
    /// The windows in the chain, each with its own number.
    var windows: [(number: Int, move: TestStore.MovesWindow)] = []
    /// Evaluates the model of the list from which this one is derived.
    var evaluateBase: (@Sendable (ModelTables) -> Void)?

    var sources: Set<TableSource> {
        let sources = operators.map { kind -> TableSource in
            switch kind {
            case .joined: .kinds
            case .filterByParameter: .filter
            case .sortedByParameter: .order
            case .sectionedByParameter: .group
            default: .rows
            }
        }
        return Set([.rows] + sources + windows.map { .window($0.number) })
    }

    func visit<Key, Header>(
        _ list: DerivedList<Key, TestRow, Header>,
        _ model: @escaping Model<Key, Header>
    ) {
        let moves = run.store.windows.withLock { windows in
            defer { windows = [] }
            return windows
        }
        var origin = self
        origin.windows += moves.map { (run.makeNumber(), $0) }
        run.add(TypedList(origin, list, model))
    }
}

final class TypedList<Key: Hashable & Sendable, Header: Equatable & Sendable>:
    WatchedList, @unchecked Sendable  // one thread
{
    typealias State = DerivedState<Key, TestRow, Header>

    /// The states that an observer has received since the last check.
    private final class Observer: @unchecked Sendable {  // one thread
        var received: [State] = []
        /// Whether the observer has received its first state.
        var hasBegun = false
        var hasEnded = false
        /// The edits of a transaction that the observer submits when the list changes.
        var edits: [TableEdit]
        init(_ edits: [TableEdit]) { self.edits = edits }
    }

    /// A task that reads the states of the list.
    private final class Reader: @unchecked Sendable {  // one thread
        var last = State()
        var count = 0
        var task: Task<Void, Never>?
        var hasEnded = false
    }

    /// A view of the list: a hub with readers.
    private struct Shown {
        let controller: DataController<SnapshotDataSource<State>>
        let view: FaultyView
        let hub: SimulatedHub
        let reader: Reader
    }

    let origin: ListOrigin
    private unowned let run: SimulatedTables
    private let sources: Set<TableSource>
    private let list: DerivedList<Key, TestRow, Header>
    private let model: Model<Key, Header>
    /// The state after the last turn.
    private var last = State()
    private var hasFailed = false
    private var observers: [(observer: Observer, observation: ListObservation)] = []
    private var readers: [Reader] = []
    private var shown: Shown?
    private var isClosing = false

    init(
        _ origin: ListOrigin,
        _ list: DerivedList<Key, TestRow, Header>,
        _ model: @escaping Model<Key, Header>
    ) {
        (self.origin, self.list, self.model) = (origin, list, model)
        (run, sources) = (origin.run, origin.sources)
    }

    var version: Int { list.state.version }
    var hub: SimulatedHub? { shown?.hub }

    private func note(_ guarantee: String, _ message: String) {
        let chain = origin.operators.map(\.rawValue).joined(separator: ", ")
        run.note(guarantee, "list of (\(chain)): \(message)")
    }

    // MARK: Turns

    /// Checks the first state of the list.
    func begin() {
        let turn = TableTurn(-1, isLate: false)
        turn.changed = sources
        check(turn, run.tables)
        if hasFailed { run.mark("list failed from the start") }
    }

    /// Compares the list with its model after a turn, and what its observers have received.
    func check(_ turn: TableTurn, _ tables: ModelTables) {
        let state = list.state
        run.add(state.version, state.rows.joined())
        var expected = State.model(of: last)
        var fails = false
        do { expected = try model(tables) } catch { fails = true }
        // A list that fails keeps its last good state.
        for fault in state.faults(after: last, expected) { note("Equals Recomputation", fault) }
        if fails != (list.failure?.underlyingError is Refusal) {
            note("Failures Are Visible", "the failure is \(list.failure?.message ?? "none")")
        }
        if fails, !hasFailed { run.mark("list failed") }
        if !fails, hasFailed { run.mark("list recovered") }
        let isSame = state.hasSameContents(as: last)
        let isReached = !sources.isDisjoint(with: turn.changed)
        // Operators that only choose and sort rows find exactly what changed.
        let isExact =
            turn.isSmall && !fails && !hasFailed
            && Self.exact.isSuperset(of: origin.operators)
        let least = isSame && fails == hasFailed ? 0 : 1
        let most = isReached && !isExact ? 1 : least
        if isReached, most == 0 { run.mark("change hidden by operators") }
        if turn.number >= 0 { checkObservers(state, least...most) }
        let isExpected =
            if most == 0 || isSame && fails {
                state.version == last.version
            } else if isSame {
                (last.version...run.version).contains(state.version)
            } else if turn.number < 0 {
                state.version <= run.version
            } else {
                state.version > last.version && (turn.isLate || state.version == run.version)
            }
        if !isExpected {
            note("Versions Ascend", "\(last.version), then \(state.version) at \(run.version)")
        }
        (last, hasFailed) = (state, fails)
    }

    private static var exact: Set<TestOperator> {
        [.filter, .filterByParameter, .sorted, .sortedByParameter]
    }

    private func checkObservers(_ state: State, _ range: ClosedRange<Int>) {
        for (observer, _) in observers {
            if !range.contains(observer.received.count) {
                note("One Update A Version", "\(observer.received.count), not \(range)")
            }
            for received in observer.received where !received.isSame(as: state) {
                note("Equals Recomputation", "an observer received another state")
            }
            observer.received = []
        }
    }

    // MARK: Lists

    func derive(_ operators: [TestOperator]) {
        var origin = origin
        origin.operators += operators
        origin.evaluateBase = { [model] tables in _ = try? model(tables) }
        run.store.extend(list, model, operators[...], origin)
    }

    /// Compares the list with the state after the last turn. Any lane.
    func look() {
        if !list.state.isSame(as: last) {
            note("Consistent Snapshot", "the list shows a transaction that has not ended")
        }
    }

    // MARK: Observers and readers

    func observe(edits: [TableEdit]) {
        let observer = Observer(edits)
        let observation = list.observe { [unowned run] state in
            if observer.hasEnded { run.note("One Update A Version", "an observer has ended") }
            observer.received.append(state)
            guard observer.hasBegun, !observer.edits.isEmpty else { return }
            run.mark("transaction submitted by an observer")
            run.submit(observer.edits)
            observer.edits = []
        }
        run.onStore { [self] in
            if observer.received.count != 1 || !observer.received[0].isSame(as: list.state) {
                note("One Update A Version", "an observer did not receive the current state")
            }
            (observer.received, observer.hasBegun) = ([], true)
            observers.append((observer, observation))
            run.mark("observer came")
        }
    }

    func stopObserving(_ random: inout SeededGenerator) {
        if observers.isEmpty { return }
        let (observer, observation) = observers.remove(at: random.next(below: observers.count))
        if random.isTrue(oneIn: 2) { observation.cancel() }
        run.onStore { observer.hasEnded = true }
        run.mark("observer left")
    }

    func read(on lane: any Lane) {
        let reader = Reader()
        readers.append(reader)
        start(reader, on: lane) { _ in }
        run.mark("reader came")
    }

    private func start(
        _ reader: Reader,
        on lane: any Lane,
        _ receive: @escaping @Sendable (State) async -> Void
    ) {
        let states = list.states
        reader.task = Task(executorPreference: LaneTaskExecutor(lane)) { [unowned run] in
            for await state in states {
                if reader.count > 0, state.version > reader.last.version + 1 {
                    run.mark("reader skipped versions")
                }
                for fault in state.faults(after: reader.last, State.model(of: state)) {
                    run.note("Equals Recomputation", "a reader: \(fault)")
                }
                if state.version < reader.last.version {
                    run.note("Versions Ascend", "a reader received \(state.version) too late")
                }
                reader.last = state
                reader.count += 1
                await receive(state)
            }
            reader.hasEnded = true
        }
    }

    func stopReading() {
        guard let reader = readers.popLast() else { return }
        reader.task?.cancel()
        run.ending.append { [unowned run] in
            if !reader.hasEnded { run.note("Lifetimes", "a cancelled reader has not ended") }
        }
        run.mark("reader left")
    }

    // MARK: Views

    func show(on lane: any Lane, for client: any Lane) {
        if shown != nil { return }
        let hub = SimulatedHub(run)
        let view = FaultyView(wrapping: hub.hub, fates: run.simulation)
        let controller = DataController(
            states: State.self,
            view: view,
            lane: lane,
            environment: run.simulation.environment,
            makeNode: { [unowned hub] in hub.makeNode($0.text) }
        )
        view.visibleGeneration = { [weak controller] in controller?.visibleMap.generation ?? -1 }
        view.willShow = { [unowned hub] in hub.shown($0) }
        view.report = { [unowned run] in run.note($1, "the hub is a view that errs: \($0)") }
        let reader = Reader()
        start(reader, on: client) { [self, unowned run] state in
            do throws(UpdateError) {
                let outcome = try await controller.apply(state).outcome.name
                run.mark("state \(outcome)")
            } catch {
                let isExpected = error.code == .cancelled || error.code == .closed && isClosing
                if !isExpected { run.note("Whole Or Nothing", "a state was rejected: \(error)") }
            }
        }
        shown = Shown(controller: controller, view: view, hub: hub, reader: reader)
        run.mark("list shown")
    }

    // MARK: The end

    func checkAtRest() {
        look()
        for reader in readers + (shown.map { [$0.reader] } ?? [])
        where !reader.last.isSame(as: list.state) {
            note("Converges", "a reader has version \(reader.last.version) at rest")
        }
        guard let shown else { return }
        let state = shown.hub.hub.snapshot.state
        let payloads = (0..<state.numberOfSections).map { section in
            state.items(inSection: section).map { $0.payload.map { $0.bytes } ?? [] }
        }
        let texts = list.state.rows.map { $0.map { Array("\($0.text) ".utf8) } }
        let isShown =
            payloads.count == texts.count
            && zip(payloads, texts).allSatisfy { payloads, texts in
                payloads.count == texts.count
                    && zip(payloads, texts).allSatisfy { $0.starts(with: $1) }
            }
        if !isShown { note("Converges", "the hub does not show the last state") }
        shown.hub.checkAtRest()
    }

    func close() {
        observers = []
        while !readers.isEmpty { stopReading() }
        guard let shown else { return }
        isClosing = true
        shown.reader.task?.cancel()
        shown.controller.close(draining: true, timeout: nil) {}
    }

    func checkClosed() {
        shown?.hub.checkClosed()
        for mistake in shown?.view.mistakes ?? [] { note("Converges", "\(mistake)") }
        shown = nil
    }
}

extension TestRow {
    fileprivate var text: String { "\(id) \(size) \(kind)" }
}

extension DerivedState where Row == TestRow {
    /// Returns the sections of a state as a model.
    package static func model(of state: Self) -> [ModelSection<Key, Header>] {
        zip(state.sections, zip(state.keys, state.rows)).map { header, contents in
            let rows = zip(contents.0, contents.1).map { ModelRow(key: $0, row: $1, place: []) }
            return ModelSection(header: header, isDeclared: false, rows: rows)
        }
    }

    fileprivate func hasSameContents(as other: Self) -> Bool {
        sections == other.sections && keys == other.keys && rows == other.rows
    }

    fileprivate func isSame(as other: Self) -> Bool {
        version == other.version && hasSameContents(as: other)
    }

    /// Returns the differences between a state and its model, and between the state and what
    /// its update makes of the previous one.
    package func faults(after old: Self, _ model: [ModelSection<Key, Header>]) -> [String] {
        let new = self
        var faults: [String] = []
        if new.sections != model.map(\.header) {
            faults.append("headers \(new.sections), not \(model.map(\.header))")
        }
        if new.keys != model.map({ $0.rows.map(\.key) }) {
            faults.append("keys \(new.keys), not \(model.map { $0.rows.map(\.key) })")
        }
        if new.rows != model.map({ $0.rows.map(\.row) }) {
            faults.append("rows \(new.rows), not \(model.map { $0.rows.map(\.row) })")
        }
        do {
            let update = try new.changes(from: old, options: DifferenceOptions()) { false }
            var shown = try update.apply(to: old.keys) { new.key(at: $0)! }
            if shown != new.keys { faults.append("the update makes \(shown) of \(old.keys)") }
            // Rows that remain are neither removed nor inserted, and those with other contents
            // are updated in place.
            shown = old.keys
            let oldKeys = Set(old.keys.joined())
            let newKeys = Set(new.keys.joined())
            for edit in update.itemInsertions where edit.role != .move {
                if oldKeys.contains(new.key(at: edit.path)!) {
                    faults.append("reinserted \(edit)")
                }
            }
            for edit in update.itemRemovals where edit.role != .move {
                if newKeys.contains(old.key(at: edit.path)!) {
                    faults.append("removed \(edit)")
                }
            }
            var contents: [Key: TestRow] = [:]
            for (key, row) in zip(old.keys.joined(), old.rows.joined()) { contents[key] = row }
            var changed: Set<Key> = []
            for (key, row) in zip(new.keys.joined(), new.rows.joined()) {
                if let old = contents[key], old != row { changed.insert(key) }
            }
            let marked = update.reconfigurations.map { new.key(at: $0.newPath)! }
            if Set(marked) != changed || marked.count != changed.count {
                faults.append("updates \(marked) in place, not \(changed)")
            }
        } catch {
            faults.append("\(error)")
        }
        return faults
    }
}
