import CollectionPipeline
import CollectionTables
import PipelineTesting

/// A call that changes tables or parameters, with what the model knows of it.
final class TableTurn: @unchecked Sendable {  // one thread
    /// The number of the call.
    let number: Int
    /// Whether the call came after the close.
    let isLate: Bool
    var hasRun = false
    var hasThrown = false
    var completions = 0
    var changed: Set<TableSource> = []
    /// Whether operators edit their state, instead of making it again.
    var isSmall = false
    /// The tables after the turn.
    var tables: ModelTables?
    /// The first version that contains the turn.
    var version: Int?

    init(_ number: Int, isLate: Bool) { (self.number, self.isLate) = (number, isLate) }
}

/// One run of two tables of one store in a simulation: clients submit transactions, change
/// parameters, and create, observe, show and drop lists. After every turn of the store, the run
/// compares each list with what its operators give for a plain model of the tables.
package final class SimulatedTables: HubStage, @unchecked Sendable {  // one thread
    let plan: RunPlan
    let simulation: Simulation
    let store: TestStore
    private let lane: any Lane
    private let main: any Lane
    private(set) var tables = ModelTables()
    private(set) var version = 0
    private var turns: [TableTurn] = []
    private var lastTurn = -1
    /// The transaction that has changed tables, but is not checked yet.
    private var unchecked: TableTurn?
    private var lists: [any WatchedList] = []
    /// The lists that were added, but have no first state yet. Their bases may be dropped before,
    /// but the models of windows follow every version.
    private var coming: [any WatchedList] = []
    /// The lists that were dropped while they were shown.
    private var closing: [any WatchedList] = []
    private let roots = LifeCount()
    private var parameters: ParameterProbe?
    /// The windows whose last move is not made yet.
    private var movingWindows: Set<Int> = []
    private var isClosing = false
    private var isTransacting = false
    /// Whether a parameter may have changed without a check of the lists.
    private var isChangingParameter = false
    /// Whether a call is in progress; no completion may run within it.
    private var isCalling = false
    /// Checks at rest.
    var ending: [() -> Void] = []
    private var violations: [GuaranteeViolation] = []
    private var marks: [String: Int] = [:]
    private var numbers = 0
    private var digest: UInt64 = 0xCBF2_9CE4_8422_2325

    private static let listLimit = 6

    private init(_ plan: RunPlan, keepsTrace: Bool) {
        self.plan = plan
        simulation = Simulation(
            seed: plan.seed,
            strategy: plan.strategy,
            workerCount: plan.workerCount,
            faultRates: Dictionary(plan.faults.map { ($0.point, $0.rate) }) { first, _ in first },
            onlyFault: plan.onlyFault
        )
        if keepsTrace { simulation.keepTrace() }
        lane = simulation.makeLane(label: "store")
        main = simulation.makeLane(label: "main")
        store = TestStore(lane: lane, sharesParameter: false)
    }

    /// Runs a plan to its end; see ``RunPlan/init(tablesSeed:)``.
    package static func run(_ plan: RunPlan, keepsTrace: Bool = false) -> RunResult {
        SimulatedTables(plan, keepsTrace: keepsTrace).result()
    }

    func note(_ guarantee: String, _ message: String) {
        simulation.annotate("broken: \(guarantee): \(message)")
        violations.append(GuaranteeViolation(guarantee: guarantee, message: message))
    }

    func mark(_ name: String) { marks[name, default: 0] += 1 }

    func meet(_ situation: Situation) { mark(situation.mark) }

    func makeNumber() -> Int {
        numbers += 1
        return numbers
    }

    /// Adds an observed state to the digest of the run.
    func add(_ version: Int, _ rows: some Sequence<TestRow>) {
        func add(_ number: Int) {
            digest = (digest ^ UInt64(truncatingIfNeeded: number)) &* 0x0000_0100_0000_01B3
        }
        add(version)
        for row in rows { add(row.id << 16 + row.size << 8 + row.kind) }
    }

    // MARK: Running

    private func result() -> RunResult {
        parameters = ParameterProbe(of: store) { [unowned self] in note("Operator Law", $0) }
        simulation.run(atMost: SimulatedRun.stepLimit)
        version = 1
        for (number, actions) in plan.clients.enumerated() {
            let client = simulation.makeLane(label: "client \(number)")
            for action in actions { client.enqueue { [self] in perform(action, on: client) } }
        }
        simulation.run(atMost: SimulatedRun.stepLimit)
        onStore {}
        simulation.run(atMost: SimulatedRun.stepLimit)
        if simulation.fault == nil { checkAtRest() }
        if simulation.fault == nil { tearDown() }
        if let fault = simulation.fault { note("Simulation", "\(fault)") }
        if simulation.pauses > 0 { marks["step paused"] = simulation.pauses }
        return RunResult(of: simulation, plan, violations, marks: marks, digest: digest)
    }

    private func checkAtRest() {
        for turn in turns where turn.completions != 1 {
            note("Exactly One Completion", "call \(turn.number) has \(turn.completions)")
        }
        for check in ending { check() }
        for list in lists { list.checkAtRest() }
        let expected = Set((lists + closing).map(\.origin.root)).count
        if roots.numberAlive != expected {
            note("Lifetimes", "\(roots.numberAlive) lists are there, not \(expected)")
        }
    }

    private func tearDown() {
        for list in lists { list.close() }
        simulation.run(atMost: SimulatedRun.stepLimit)
        for list in lists + closing { list.checkClosed() }
        for check in ending { check() }
        (lists, closing, ending, parameters) = ([], [], [], nil)
        simulation.run(atMost: SimulatedRun.stepLimit)
        if roots.numberAlive > 0 { note("Lifetimes", "\(roots.numberAlive) lists are leaked") }
    }

    /// Runs work on the lane of the store, after everything that was submitted before.
    func onStore(_ work: @escaping @Sendable () -> Void) {
        lane.enqueue { [self] in
            settle()
            work()
        }
    }

    // MARK: Actions

    private func perform(_ action: RunPlan.Action, on client: any Lane) {
        switch action {
        case .edit(let seed): perform(TableAction(seed: seed), seed, on: client)
        case .close: close(on: client)
        default: break
        }
    }

    private func perform(_ action: TableAction, _ seed: UInt64, on client: any Lane) {
        simulation.annotate("\(action)")
        var random = SeededGenerator(seed: seed)
        let list = lists.isEmpty ? nil : lists[random.next(below: lists.count)]
        switch action {
        case .transact: submit(edits(&random))
        case .await: submit(edits(&random), awaitedOn: client)
        case .fail:
            var edits = edits(&random)
            edits.insert(.fail, at: random.next(below: edits.count + 1))
            submit(edits, awaitedOn: random.isTrue(oneIn: 2) ? client : nil)
        case .setParameter: setParameter(&random)
        case .moveWindow:
            let windows = lists.flatMap(\.origin.windows)
            // Of two moves at the same time, only the second would be made.
            guard let (number, move) = windows.randomElement(using: &random),
                movingWindows.insert(number).inserted
            else { break }
            let seed = random.next()
            mark("window moved")
            change(.window(number)) {
                let moveModel = move(seed)
                return { [self] _ in
                    movingWindows.remove(number)
                    moveModel()
                    return true
                }
            }
        case .create: create(&random)
        case .derive: list?.derive(operators(&random))
        case .drop: if !lists.isEmpty { drop(at: random.next(below: lists.count)) }
        case .observe: list?.observe(edits: random.isTrue(oneIn: 3) ? edits(&random) : [])
        case .stopObserving: list?.stopObserving(&random)
        case .read: list?.read(on: client)
        case .stopReading: list?.stopReading()
        case .look:
            // The task of an awaited transaction checks the lists later, as does a later turn after
            // the change of a parameter.
            guard unchecked == nil, !isChangingParameter else { break }
            if isTransacting { mark("list read during a transaction") }
            for list in lists { list.look() }
        case .show:
            if lists.count(where: { $0.hub != nil }) < 2 { list?.show(on: main, for: client) }
        case .moveReaders:
            // One call does little.
            for list in lists { for turn: UInt64 in 0..<3 { list.hub?.act(seed &+ turn) } }
        case .returnReader: for list in lists { list.hub?.reconnect(seed) }
        }
    }

    private func edits(_ random: inout SeededGenerator) -> [TableEdit] {
        TableEdit.edits(&random, rows: 2 + plan.items)
    }

    private func operators(_ random: inout SeededGenerator) -> [TestOperator] {
        (0..<(1 + random.next(below: 3))).map { _ in
            TestOperator.allCases[random.next(below: TestOperator.allCases.count)]
        }
    }

    private func create(_ random: inout SeededGenerator) {
        let operators = operators(&random)
        // The closure is there as long as the nodes of the list.
        let life = roots.makeToken()
        let root = store.rows.rows.filter { _ in withExtendedLifetime(life) { true } }
        let origin = ListOrigin(run: self, operators: operators, root: makeNumber())
        store.visit(operators, of: root, origin)
    }

    /// Adds a list that was created or derived.
    func add(_ list: any WatchedList) {
        if lists.count == Self.listLimit { drop(at: 0) }
        for kind in list.origin.operators { mark("list \(kind)") }
        coming.append(list)
        onStore { [self] in
            coming.removeAll { $0 === list }
            // After the close, nothing says which version a parameter has made.
            if isClosing { version = max(version, list.version) }
            list.begin()
            lists.append(list)
        }
    }

    private func drop(at index: Int) {
        let list = lists.remove(at: index)
        if list.hub != nil { closing.append(list) }
        list.close()
        mark("list dropped")
    }

    private func close(on client: any Lane) {
        mark("closed")
        Task(executorPreference: LaneTaskExecutor(client)) { [self] in
            let earlier = turns.filter { !$0.isLate }
            isClosing = true
            await store.store.close()
            if earlier.contains(where: { !$0.hasRun }) {
                note("Exactly One Completion", "the close ended before an earlier transaction")
            }
        }
    }

    // MARK: Turns

    private func makeTurn() -> TableTurn {
        let turn = TableTurn(turns.count, isLate: isClosing)
        turns.append(turn)
        return turn
    }

    /// Submits a transaction. Any lane.
    ///
    /// - Parameter client: The lane of a task that awaits the transaction; `nil` for a completion.
    func submit(_ edits: [TableEdit], awaitedOn client: (any Lane)? = nil) {
        guard let client else {
            let turn = makeTurn()
            isCalling = true
            store.store.submit { [self] in
                try run(edits, of: turn, $0)
            } completion: { [self] in
                ended(turn, $0)
            }
            isCalling = false
            return
        }
        Task(executorPreference: LaneTaskExecutor(client)) { [self] in
            let turn = makeTurn()
            do throws(TableError) {
                let version = try await store.store.transaction { [self] in
                    try run(edits, of: turn, $0)
                }
                ended(turn, .success(version))
            } catch {
                ended(turn, .failure(error))
            }
        }
    }

    /// Begins a turn, on the lane of the store.
    private func begin(_ turn: TableTurn) {
        settle()
        if turn.hasRun { note("Exactly One Completion", "call \(turn.number) runs again") }
        if turn.number <= lastTurn {
            note("Ordered Commits", "call \(turn.number) runs after \(lastTurn)")
        }
        (turn.hasRun, lastTurn) = (true, turn.number)
    }

    private func run(
        _ edits: [TableEdit],
        of turn: TableTurn,
        _ transaction: borrowing StoreTransaction
    ) throws {
        begin(turn)
        if turn.isLate { note("Quiet After Close", "call \(turn.number) runs") }
        var rows = StagedModel(tables.rows)
        var kinds = StagedModel(tables.kinds)
        // An error rolls everything back, unless a later line says otherwise.
        (turn.hasThrown, isTransacting) = (true, true)
        defer { isTransacting = false }
        for edit in edits {
            simulation.pause()
            switch edit {
            case .upsert(let row):
                transaction.upsert(row, in: store.rows)
                rows.set(row.id, row)
            case .remove(let id):
                transaction.remove(id, from: store.rows)
                rows.set(id, nil)
            case .removeAll(let size):
                try transaction.removeAll(from: store.rows) { try $0.checked.size == size }
                for row in rows.rows where row.size == size { rows.set(row.id, nil) }
            case .upsertKind(let kind):
                transaction.upsert(kind, in: store.kinds)
                kinds.set(kind.id, kind)
            case .removeKind(let id):
                transaction.remove(id, from: store.kinds)
                kinds.set(id, nil)
            case .read(let id):
                if transaction.row(id, in: store.rows) != rows.row(id) {
                    note("Whole Or Nothing", "a transaction does not see its own edits")
                }
            case .fail: throw Refusal()
            }
        }
        var tables = tables
        if rows.rows != tables.rows { turn.changed.insert(.rows) }
        if kinds.rows != tables.kinds { turn.changed.insert(.kinds) }
        (tables.rows, tables.kinds) = (rows.rows, kinds.rows)
        (turn.hasThrown, turn.isSmall, turn.tables) = (false, edits.count <= 32, tables)
        unchecked = turn
    }

    /// Checks every list after the transaction that ran last.
    private func settle() {
        guard let turn = unchecked, let tables = turn.tables else { return }
        unchecked = nil
        self.tables = tables
        if !turn.changed.isEmpty { version += 1 }
        mark(turn.changed.isEmpty ? "transaction without effect" : "transaction committed")
        if turn.changed.count > 1 { mark("transaction of both tables") }
        if !turn.isSmall { mark("transaction of many rows") }
        check(turn)
    }

    private func check(_ turn: TableTurn) {
        turn.version = version
        for list in lists { list.check(turn, tables) }
        for list in coming { list.origin.evaluateBase?(tables) }
    }

    /// Checks the result of a transaction.
    private func ended(_ turn: TableTurn, _ result: Result<Int, TableError>) {
        if unchecked === turn { settle() }
        complete(turn)
        switch result {
        case .success(let version):
            if version != turn.version {
                let expected = turn.version.map { "\($0)" } ?? "an error"
                note("Versions Ascend", "call \(turn.number) gives \(version), not \(expected)")
            }
        case .failure(let error):
            let code: TableError.Code? =
                turn.isLate ? .closed : turn.hasThrown ? .transactionThrew : nil
            mark(turn.isLate ? "transaction after the close" : "transaction threw")
            if error.code != code { note("Whole Or Nothing", "call \(turn.number): \(error)") }
        }
    }

    private func complete(_ turn: TableTurn) {
        turn.completions += 1
        if isCalling { note("Exactly One Completion", "call \(turn.number) completes inline") }
    }

    private func setParameter(_ random: inout SeededGenerator) {
        let value = random.next(below: 3)
        let (source, path, parameter) =
            [
                (TableSource.filter, \TestParameters<Int>.filter, store.parameters.filter),
                (.order, \.order, store.parameters.order),
                (.group, \.group, store.parameters.group),
            ][random.next(below: 3)]
        mark("parameter \(source)")
        guard let parameters else { return }
        parameters.newest[keyPath: path] = value
        change(source) {
            parameter.set(value)
            return { tables in
                let value = parameters.applied[keyPath: path]
                if tables.parameters[keyPath: path] == value { return false }
                tables.parameters[keyPath: path] = value
                return true
            }
        }
    }

    /// Changes a parameter.
    ///
    /// - Parameter call: Changes the parameter, and returns a closure that changes the model and
    ///   returns whether the value is another.
    private func change(
        _ source: TableSource,
        _ call: () -> @Sendable (inout ModelTables) -> Bool
    ) {
        let turn = makeTurn()
        onStore { [self] in
            begin(turn)
            isChangingParameter = true
        }
        isCalling = true
        let changeModel = call()
        // An empty transaction gives the version, until the store is closed.
        store.store.submit({ _ in }) { [self] result in
            complete(turn)
            isChangingParameter = false
            if changeModel(&tables) { turn.changed = [source] }
            switch result {
            case .success(let newest):
                let most = turn.changed.isEmpty ? version : version + 1
                if !(version...most).contains(newest) || turn.isLate {
                    note("Versions Ascend", "\(version), then \(newest) after a parameter")
                }
                version = newest
            case .failure(let error):
                if !turn.isLate { note("Quiet After Close", "\(error)") }
                version = lists.reduce(version) { max($0, $1.version) }
                mark("parameter after the close")
            }
            check(turn)
        }
        isCalling = false
    }
}

/// Records the values of parameters that take effect, which must be the newest. For each parameter,
/// it has a list of one row, whose closure receives them.
private final class ParameterProbe: @unchecked Sendable {  // one thread
    /// The values that were set last.
    var newest = TestParameters(0)
    private(set) var applied = TestParameters(0)
    private var lists: [DerivedList<Int, TestRow, WholeList>] = []
    private let note: (String) -> Void

    init(of store: TestStore, note: @escaping (String) -> Void) {
        self.note = note
        let table = LiveTable(of: TestRow.self, in: store.store)
        store.store.submit { $0.upsert(TestRow(id: 0, size: 0, kind: 0), in: table) }
        let parameters: [(LiveParameter<Int>, WritableKeyPath<TestParameters<Int>, Int>)] = [
            (store.parameters.filter, \.filter), (store.parameters.order, \.order),
            (store.parameters.group, \.group),
        ]
        for (parameter, path) in parameters {
            // A simulation has one thread.
            nonisolated(unsafe) let path = path
            lists.append(
                table.rows.filter(parameter) { [weak self] _, value in
                    self?.take(value, path)
                    return true
                }
            )
        }
    }

    private func take(_ value: Int, _ path: WritableKeyPath<TestParameters<Int>, Int>) {
        applied[keyPath: path] = value
        if value != newest[keyPath: path] {
            note("a parameter became \(value), although \(newest[keyPath: path]) was set last")
        }
    }
}
