import PipelineTestSupport
import SimulatedView

/// A bench's data source that also returns contexts, for two of three sections, and records the
/// calls.
final class ContextSource: CollectionViewDataSource {
    final class Number: SectionContext {
        let number: Int

        init(_ number: Int) { self.number = number }
    }

    let rows: RowSource
    var calls: [String] = []
    private var lastNumber = 0

    init(_ rows: RowSource) { self.rows = rows }

    func numberOfSections(in view: SimulatedCollectionView) -> Int {
        calls.append("sections")
        return rows.numberOfSections(in: view)
    }

    func collectionView(_ view: SimulatedCollectionView, numberOfItemsInSection section: Int) -> Int
    {
        calls.append("items \(section)")
        return rows.collectionView(view, numberOfItemsInSection: section)
    }

    func collectionView(
        _ view: SimulatedCollectionView,
        cellForItemAt path: ItemPath
    ) throws -> CollectionViewCell { try rows.collectionView(view, cellForItemAt: path) }

    func collectionView(_ view: SimulatedCollectionView, contextForSection section: Int)
        -> (any SectionContext)?
    {
        calls.append("context \(section)")
        lastNumber += 1
        return lastNumber.isMultiple(of: 3) ? nil : Number(lastNumber)
    }
}

/// Everything that an application can do with an adapter, in any order, compared with an array of
/// arrays.
final class AdapterWalk {
    private struct Stop: Error {}

    private let bench: Bench<RowLayout>
    private let source: ContextSource
    private let profile: ValidationProfile
    private var random: SeededGenerator
    private var lastNumber = 0
    // MARK: The model
    private var shown: [[String]] = []
    private var contexts: [Int?] = []
    private var lastContext = 0
    private var hasSource = true
    /// Whether the view must read everything again.
    private var isPending = true
    private var calls: [String] = []
    /// The completions that a later turn will call, those that should have run, and those that ran.
    private var (due, expected, found): ([String], [String], [String]) = ([], [], [])
    private var (applied, reloaded) = (0, 0)
    private var faults: [String] = []
    private(set) var story: [String] = []
    private(set) var verdicts: Set<HierarchyUpdateError.Code> = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        profile = seed % 3 == 0 ? .strict : .standard
        bench = try Bench([], RowLayout(), size: Size(width: 100, height: 60), profile: profile)
        source = ContextSource(bench.source)
        bench.adapter.dataSource = source
        bench.source.sections = [4, 0, 7, 2].map { count in (0..<count).map { _ in newText() } }
    }

    private func newText() -> String {
        lastNumber += 1
        return "\(lastNumber)"
    }

    private var shape: HierarchyShape { HierarchyShape(shown.map(\.count)) }

    // MARK: Steps

    /// - Returns: A difference from the model after one step.
    func step() throws -> String? {
        let kind = random.next(below: 12)
        story.append("\(kind)")
        switch kind {
        case 0...4: try batch()
        case 5, 6: try single()
        case 7:
            bench.adapter.reloadData()
            isPending = true
        case 8: try reconfigure()
        case 9 where random.isTrue(oneIn: 3):
            hasSource.toggle()
            bench.adapter.dataSource = hasSource ? source : nil
            isPending = true
        case 10: bench.view.scroll(by: Double(random.next(below: 200) - 100))
        default: break
        }
        // Scrolling by a distance updates the view.
        if kind == 10 { loadIfPending() }
        compare("after \(kind)")
        if random.isTrue(oneIn: 2) {
            loadIfPending()
            bench.settle()
            (expected, due) = (expected + due, [])
            compare("in later turns")
            faults += bench.mistakes
        }
        return faults.first
    }

    private func compare(_ moment: String) {
        let view = bench.view
        let counts = (0..<view.numberOfSections).map(view.numberOfItems)
        let numbers = counts.indices.map {
            (view.context(forSection: $0) as? ContextSource.Number)?.number
        }
        let events = (bench.log("applied").count, bench.log("reloaded").count)
        if counts != shown.map(\.count) {
            faults.append("\(moment): expected \(shown.map(\.count)), found \(counts)")
        }
        if numbers != contexts {
            faults.append("\(moment): expected contexts \(contexts), found \(numbers)")
        }
        if source.calls != calls {
            faults.append("\(moment): expected calls \(calls), found \(source.calls)")
        }
        if found != expected {
            faults.append("\(moment): expected completions \(expected), found \(found)")
        }
        if events != (applied, reloaded) { faults.append("\(moment): events \(events)") }
        (source.calls, calls, found, expected) = ([], [], [], [])
        (applied, reloaded) = (0, 0)
        bench.view.clearEventLog()
    }

    private func loadIfPending() {
        if isPending { load() }
    }

    /// The view reads everything again.
    private func load() {
        (isPending, reloaded) = (false, reloaded + 1)
        shown = hasSource ? bench.source.sections : []
        if hasSource { requestCounts() }
        contexts = shown.indices.map(requestContext)
    }

    private func requestCounts() {
        calls.append("sections")
        calls += bench.source.sections.indices.map { "items \($0)" }
    }

    private func requestContext(_ section: Int) -> Int? {
        calls.append("context \(section)")
        lastContext += 1
        return lastContext.isMultiple(of: 3) ? nil : lastContext
    }

    // MARK: Batches

    /// A batch, with others within it, which may be invalid, throw an error, or reload everything.
    private func batch() throws {
        loadIfPending()
        let drawn = RandomUpdate(from: shape, &random, rate: random.isTrue(oneIn: 3) ? 0.4 : 0.1)
        let valid = try drawn.changes.validated(from: shape, to: drawn.newShape)
        var after = valid.models(after: shown, makeText: newText)
        var operations = drawn.changes.operations
        switch random.next(below: 8) {
        case 0 where !operations.isEmpty:
            operations.remove(at: random.next(below: operations.count))
        case 1:
            let path = ItemPath(random.next(below: 6) - 1, random.next(below: 12) - 1)
            var wrong = HierarchyChangeSet()
            wrong.deleteItems(at: [path])
            wrong.insertItems(at: [path])
            wrong.reloadItems(at: [path])
            wrong.moveItem(at: path, to: ItemPath(0, 0))
            wrong.moveSection(path.section, toSection: 1)
            operations.append(wrong.operations[random.next(below: 5)])
        case 2 where !after.isEmpty: after[random.next(below: after.count)].append(newText())
        default: break
        }
        // Without the removed edits the change set can still be valid.
        var record = HierarchyChangeSet()
        for operation in operations { record.record(operation) }
        let newShape = HierarchyShape(after.map(\.count))
        if let accepted = try? record.validated(from: shape, to: newShape) {
            after = accepted.models(after: shown, makeText: newText)
        }
        let (throwing, isReload) = (random.next(below: 20), random.isTrue(oneIn: 10))
        let cut = random.next(below: operations.count + 1)
        let (outer, inner) = (Array(operations[..<cut]), Array(operations[cut...]))
        let isAnimated = random.isTrue(oneIn: 2)
        var error: (any Error)?
        do {
            try bench.adapter.performBatchUpdates(animated: isAnimated) { [self] changes in
                bench.source.sections = after
                for operation in outer { changes.record(operation) }
                if throwing == 1 { throw Stop() }
                do {
                    try nested(inner, throwing: throwing)
                } catch {
                    if throwing != 3 { throw error }
                }
                if isReload { bench.adapter.reloadData() }
            } completion: { [self] in
                found.append("outer \($0)")
            }
        } catch let caught {
            error = caught
        }
        let hasThrown = (1...3).contains(throwing)
        if hasThrown != (error is Stop) { faults.append("threw \(error as Any)") }
        var isRejected = hasThrown
        if !hasThrown { isRejected = !accepts(inner + outer, after, isReload: isReload, error) }
        if isRejected { bench.source.sections = hasSource ? shown : bench.source.sections }
        let names = throwing == 1 ? ["outer"] : ["outer", "inner", "innermost"]
        due += names.map { "\($0) \(!isRejected)" }
    }

    /// Two batches within one another; the second submits one edit after the other.
    private func nested(_ operations: [HierarchyChangeSet.Operation], throwing: Int) throws {
        try bench.adapter.performBatchUpdates(animated: false) { [self] changes in
            try bench.adapter.performBatchUpdates { [self] _ in
                for operation in operations { try bench.adapter.submit(operation) }
                if throwing > 1, throwing < 4 { throw Stop() }
            } completion: { [self] in
                found.append("innermost \($0)")
            }
        } completion: { [self] in
            found.append("inner \($0)")
        }
    }

    /// - Returns: Whether the view accepts the recorded edits.
    private func accepts(
        _ operations: [HierarchyChangeSet.Operation],
        _ after: [[String]],
        isReload: Bool,
        _ error: (any Error)?
    ) -> Bool {
        if isReload || isPending {
            load()
            if let error { faults.append("a reload threw \(error)") }
            return true
        }
        var record = HierarchyChangeSet()
        for operation in operations { record.record(operation) }
        let after = hasSource ? after : []
        if hasSource { requestCounts() }
        let found = error as? HierarchyUpdateError
        do {
            let newShape = HierarchyShape(after.map(\.count))
            let valid = try record.validated(from: shape, to: newShape, profile: profile)
            if let error { faults.append("unexpected rejection: \(error)") }
            let inserted = Set(valid.sectionInsertions.filter { $0.role != .move }.map(\.section))
            contexts = after.indices.map { section in
                guard !inserted.contains(section), let old = valid.oldSection(for: section) else {
                    return requestContext(section)
                }
                return contexts[old]
            }
            (shown, applied) = (after, applied + 1)
            return true
        } catch let verdict {
            let isNamed = found?.dataSourceName == (hasSource ? "ContextSource" : nil)
            if found?.code != verdict.code || found?.message.contains(verdict.message) != true
                || !isNamed
            {
                faults.append("expected \(verdict), found \(error as Any)")
            }
            verdicts.insert(verdict.code)
            return false
        }
    }

    /// An edit without a batch after a change of the model; sometimes the edit does not match the
    /// change.
    private func single() throws {
        guard hasSource else { return }
        let old = HierarchyShape(bench.source.sections.map(\.count))
        var drawn = RandomUpdate(from: old, &random, rate: 0.1)
        while drawn.changes.operations.count != 1 {
            drawn = RandomUpdate(from: old, &random, rate: 0.02)
        }
        let edit = drawn.changes
        let valid = try edit.validated(from: old, to: drawn.newShape)
        var after = valid.models(after: bench.source.sections, makeText: newText)
        let isAnother = (try? edit.validated(from: shape, to: shape)) == nil
        if isAnother, random.isTrue(oneIn: 6) { after = bench.source.sections }
        bench.source.sections = after
        let operations = edit.operations
        var error: (any Error)?
        do { try bench.adapter.submit(operations[0]) } catch let caught { error = caught }
        if !accepts(operations, after, isReload: false, error) { bench.source.sections = shown }
    }

    /// New texts for items, visible or not.
    private func reconfigure() throws {
        guard hasSource, !isPending else { return }
        let paths = shown.indices.flatMap { section in
            shown[section].indices.map { ItemPath(section, $0) }
        }.filter { _ in random.isTrue(oneIn: 3) }
        for path in paths {
            shown[path.section][path.item] += "'"
            bench.source.sections[path.section][path.item] += "'"
        }
        try bench.adapter.reconfigureItems(at: paths)
    }
}
