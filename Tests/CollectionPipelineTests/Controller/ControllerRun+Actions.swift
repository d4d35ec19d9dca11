import CollectionElements
import CollectionPipeline
import PipelineTestSupport

// The actions of a run: all public calls, valid or not.

extension ControllerRun {
    enum Fault: CaseIterable {
        case withdraws, withdrawsLate, throwsLate, throwsWithin, forgetsItem, forgetsSection
        case deletesBeyond, insertsBeyond, countsBelowZero, changesMeanwhile, submitsMeanwhile
    }

    func act() {
        switch random.next(below: 26) {
        case 0..<6: isBatchOpen ? join() : submitBatch()
        case 6: isBatchOpen ? join() : submitEdit()
        case 7: isBatchOpen ? endBatch() : beginBatch()
        case 8, 9: isBatchOpen ? endBatch() : submitOther()
        case 10..<13: enqueue()
        case 13, 14: startTask()
        case 15: cancelTask()
        case 16:
            random.chance(0.5) ? whenHandedOver() : whenCompleted()
            if !isBatchOpen, random.chance(0.5) { submitBatch() }
        case 17: isBatchOpen ? () : endUnopened()
        case 18: wait()
        case 19 where !unfinished.isEmpty:
            finish(unfinished.remove(at: random.next(below: unfinished.count)))
        case 20 where random.chance(0.4):
            drop(random.chance(0.1) ? 2 : random.next(below: 2))
        default:
            guard !updates.isEmpty else { break }
            deploy(finishing: random.chance(0.6), refusing: random.chance(0.12))
        }
    }

    // MARK: Batches

    /// Draws the changes of a batch, applies them to the model and records them; runs in the
    /// closure of the batch.
    func record(
        _ key: Int,
        _ source: TextDataSource,
        _ changes: inout BatchRecorder
    ) throws {
        enter(key)
        source.falseItemCounts = [:]
        let fault = random.chance(0.3) ? Fault.allCases.randomElement(using: &random) : nil
        if fault == .withdraws {
            // In a nested batch it counts as any other error.
            let isWithin = key == openKey
            let code: UpdateError.Code = isWithin ? .updatesThrew : .withdrawn
            let reason = TestFailure("no")
            expect(key, Rejection(code: code, underlying: reason, mayDiverge: isWithin))
            throw Withdrawal(reason)
        }
        var drafting = drafting
        switch random.next(below: 10) {
        case _ where !model.hasLoaded: drafting.reload()
        case 0: drafting.reload()
        case 1: drafting.nothing()
        default: drafting.edit()
        }
        nextToken = drafting.nextToken
        var draft = drafting.draft
        if model.hasLoaded {
            recordInLevels(key, draft.operations, &changes)
        } else if random.chance(0.5) {
            // Edits before the first load are dropped.
            changes.insertSections([7])
            changes.deleteItems(at: [ItemPath(3, 3)])
            draft.isLoadInsteadOfEdits = true
        }
        if !model.hasLoaded { draft.kind = .reload(.automatic) }
        if model.divergence != nil, random.chance(0.4) {
            changes.declareContentCurrent()
            draft.declaresContentCurrent = true
        }
        source.sections = draft.new.texts
        expect(key, draft)
        source.onCall = { [unowned self] _ in expectUnpublished() }
        if let fault { try make(fault, key, draft, source, &changes) }
        calls.removeAll()
    }

    private func expect(_ key: Int, _ draft: Model.Draft) {
        operations[key]?.expectation = .accept(draft)
    }

    private func expect(_ key: Int, _ rejection: Rejection) {
        operations[key]?.expectation = .reject(rejection)
    }

    /// Records some operations in nested batches with their own completions.
    private func recordInLevels(
        _ key: Int,
        _ operations: [HierarchyChangeSet.Operation],
        _ changes: inout BatchRecorder
    ) {
        guard let list = controller?.assumeIsolated() else { return }
        for operation in operations {
            switch random.next(below: 8) {
            case 0:
                let name = name(key)
                _ = try? list.performBatchUpdates(
                    animated: random.chance(0.5),
                    callerContext: -1,
                    { $1.record(operation) },
                    completion: completion(key, name)
                )
            case 1:
                try? list.beginUpdates()
                try? list.submit(operation)
                let name = name(key)
                _ = try? list.endUpdates(completion: completion(key, name))
            case 2: try? list.submit(operation)
            default: changes.record(operation)
            }
        }
    }

    /// Returns a name for the next completion of a submission, in the expected order.
    private func name(_ key: Int) -> String {
        let name = "\(key).\(model.completions[key]?.count ?? 0)"
        model.completions[key, default: []].append(name)
        return name
    }

    private func make(
        _ fault: Fault,
        _ key: Int,
        _ draft: Model.Draft,
        _ source: TextDataSource,
        _ changes: inout BatchRecorder
    ) throws {
        var rejection = Rejection(code: .updatesThrew, mayDiverge: true)
        let failure = TestFailure("failed \(key)")
        switch fault {
        case .withdraws: break
        case .withdrawsLate:
            changes.reloadSections([])
            rejection.underlying = failure
            expect(key, rejection)
            throw Withdrawal(failure)
        case .throwsLate:
            rejection.underlying = failure
            expect(key, rejection)
            throw failure
        case .throwsWithin:
            rejection.underlying = failure
            expect(key, rejection)
            let name = name(key)
            _ = try? controller?.assumeIsolated().performBatchUpdates(
                { _, _ in throw Withdrawal(failure) },
                completion: completion(key, name)
            )
            throw TestFailure("the second")
        case .countsBelowZero where !draft.new.isEmpty:
            let section = draft.new.count - 1
            source.falseItemCounts = [section: -3]
            rejection = Rejection(code: .invalidUpdate, fault: .negativeItemCount, mayDiverge: true)
            rejection.section = section
            expect(key, rejection)
        case .changesMeanwhile: changeMeanwhile(key, draft, source)
        case .submitsMeanwhile: submitMeanwhile(key, source)
        case .forgetsItem, .forgetsSection, .deletesBeyond, .insertsBeyond, .countsBelowZero:
            guard model.hasLoaded, draft.kind == .edits else { return }
            misrecord(fault, key, draft, source, &changes)
        }
    }

    /// Records a change that does not match the counts. Old and new indexes differ if sections were
    /// inserted or deleted.
    private func misrecord(
        _ fault: Fault,
        _ key: Int,
        _ draft: Model.Draft,
        _ source: TextDataSource,
        _ changes: inout BatchRecorder
    ) {
        var rejection = Rejection(code: .invalidUpdate, mayDiverge: true)
        let kept = draft.new.indices.last { new in
            draft.old.contains { $0.id == draft.new[new].id }
        }
        guard let new = kept,
            let old = draft.old.firstIndex(where: { $0.id == draft.new[new].id })
        else { return }
        switch fault {
        case .forgetsItem:
            source.sections[new].items.append("forgotten")
            rejection.fault = .itemCount
            rejection.section = new
            rejection.counts = (draft.old[old].items.count, source.sections[new].items.count)
        case .forgetsSection:
            source.sections.append(["forgotten"])
            rejection.fault = .sectionCount
            rejection.counts = (draft.old.count, draft.new.count + 1)
        case .deletesBeyond:
            let path = ItemPath(old, draft.old[old].items.count + 1)
            let operation = HierarchyChangeSet.Operation.deleteItems([path], .fade)
            changes.record(operation)
            rejection.fault = .deleteItemRange
            (rejection.path, rejection.section, rejection.operation) = (path, old, operation)
        default:
            let path = ItemPath(new, draft.new[new].items.count + 1)
            let operation = HierarchyChangeSet.Operation.insertItems([path], .top)
            changes.record(operation)
            rejection.fault = .insertItemRange
            (rejection.path, rejection.section, rejection.operation) = (path, new, operation)
        }
        rejection.newShape = HierarchyShape(source.sections.map(\.items.count))
        expect(key, rejection)
    }

    /// Makes the data source change a count while its content is read.
    private func changeMeanwhile(_ key: Int, _ draft: Model.Draft, _ source: TextDataSource) {
        // Counts are read again after the last content call if there was any.
        let questions = draft.questions ?? []
        guard let end = questions.lastIndex(of: .numberOfSections), end > 0,
            let moment = questions[..<end].filter({ !$0.isCount }).randomElement(using: &random)
        else { return }
        let sections = questions[(end + 1)...].compactMap { call -> Int? in
            if case .numberOfItems(let section) = call { section } else { nil }
        }
        let section = random.chance(0.2) ? nil : sections.randomElement(using: &random)
        var rejection = Rejection(code: .dataSourceChangedDuringRead, mayDiverge: true)
        let before =
            section.map {
                "Section \($0) of the data source had \(draft.new[$0].items.count) items"
            }
            ?? "The data source had \(draft.new.count) sections"
        rejection.message = "\(before), and 77 after their content was read"
        expect(key, rejection)
        source.onCall = { [unowned source] call in
            guard call == moment else { return }
            if let section {
                source.falseItemCounts[section] = 77
            } else {
                source.falseSectionCount = 77
            }
        }
    }

    /// Both submissions are rejected: the one made during a data source call, and the one that
    /// reads the data source.
    private func submitMeanwhile(_ key: Int, _ source: TextDataSource) {
        expect(key, Rejection(code: .dataSourceChangedDuringRead, mayDiverge: true))
        let inner = begin()
        expect(inner, Rejection(code: .reentrantSubmission))
        let name = name(inner)
        source.onCall = { [self, unowned source] _ in
            source.onCall = nil
            call(inner, "a reload from a question") { list throws(UpdateError) in
                try list.reloadData(callerContext: inner, completion: completion(inner, name))
            }
        }
    }

    func submitBatch() {
        let key = begin(Operation(isAnimated: random.chance(0.5)))
        let isAnimated = operations[key]?.isAnimated ?? true
        call(key, "a batch") { list throws(UpdateError) in
            try list.performBatchUpdates(
                animated: isAnimated,
                callerContext: key,
                { try record(key, $0, &$1) },
                // Runs after the completions of nested batches.
                completion: completion(key, "last of \(key)")
            )
        }
        model.completions[key, default: []].append("last of \(key)")
    }

    /// Submits a single operation after a change of the model; a full backlog does not reject it.
    private func submitEdit() {
        guard model.hasLoaded, let source = controller?.assumeIsolated().dataSource else { return }
        let key = begin()
        var drafting = drafting
        for _ in 0..<20 where drafting.draft.operations.count != 1 {
            drafting = self.drafting
            drafting.edit()
        }
        let draft = drafting.draft
        if draft.operations.count == 1 {
            nextToken = drafting.nextToken
            source.sections = draft.new.texts
            operations[key]?.expectation = .accept(draft)
            calls.removeAll()
            call(key, "one edit") { list throws(UpdateError) in
                try list.withCallerContext(key).submit(draft.operations[0])
                return nil
            }
        } else {
            reload(key, source)
        }
    }

    private func reload(_ key: Int, _ source: TextDataSource) {
        let isAnimated = random.chance(0.5)
        var drafting = drafting
        drafting.reload()
        nextToken = drafting.nextToken
        source.sections = drafting.draft.new.texts
        operations[key]?.isAnimated = isAnimated
        operations[key]?.expectation = .accept(drafting.draft)
        guard case .reload(let option) = drafting.draft.kind else { return }
        calls.removeAll()
        let name = name(key)
        call(key, "reloadData") { list throws(UpdateError) in
            try list.reloadData(
                animated: isAnimated,
                animation: option,
                callerContext: key,
                completion: completion(key, name)
            )
        }
    }

    private func submitOther() {
        let key = begin()
        let name = name(key)
        let isClear = random.chance(0.15)
        var drafting = drafting
        let paths = model.paths(model.generation, in: 0).map(\.0).filter { _ in random.chance(0.3) }
        let isUnknown = random.chance(0.15)
        let requested = isUnknown ? paths + [ItemPath(model.accepted.count, 0)] : paths
        var draft = drafting.draft
        calls.removeAll()
        if isClear {
            (draft.kind, draft.new, draft.questions) = (.clear, [], [])
        } else if model.hasLoaded {
            draft.kind = .relayout(paths)
        } else {
            drafting.reload(controller?.assumeIsolated().dataSource.sections ?? [], record: false)
            nextToken = drafting.nextToken
            draft = drafting.draft
        }
        expect(key, draft)
        if !isClear, model.hasLoaded { expectTrouble(key, isUnknown) }
        call(key, isClear ? "clear" : "relayoutItems") { list throws(UpdateError) in
            if isClear {
                return try list.clear(callerContext: key, completion: completion(key, name))
            }
            return try list.relayoutItems(
                at: requested.shuffled(using: &random),
                callerContext: key,
                completion: completion(key, name)
            )
        }
    }

    /// Expects a rejection if counts differ or a path does not exist.
    private func expectTrouble(_ key: Int, _ isUnknown: Bool) {
        if model.countsDiffer {
            expect(key, Rejection(code: .diverged))
        } else if isUnknown {
            expect(key, Rejection(code: .unknownElement))
        }
    }

    // MARK: A batch over several turns

    private func beginBatch() {
        guard let list = controller?.assumeIsolated() else { return }
        let hasRoom = hasRoom
        do throws(UpdateError) {
            try list.beginUpdates()
            model.expect(hasRoom, "a batch begins although the backlog is full")
            isBatchOpen = true
            openKey = begin()
            join()
        } catch {
            model.claim(error.submission, "beginUpdates()")
            model.expectEqual(error.code, .backlogFull, "why no batch begins")
            model.expect(!hasRoom, "a batch may begin")
        }
    }

    /// Adds a batch inside the open one.
    private func join() {
        let name = name(openKey)
        call(openKey, "a batch within a batch", joins: true) { list throws(UpdateError) in
            try list.performBatchUpdates(
                animated: random.chance(0.5),
                callerContext: openKey,
                completion: completion(openKey, name)
            )
        }
    }

    func endBatch() {
        let key = openKey
        let isAnimated = random.chance(0.5)
        operations[key]?.isAnimated = isAnimated
        isBatchOpen = false
        call(key, "the end of a batch") { list throws(UpdateError) in
            // The end also throws this error.
            _ = try? list.performBatchUpdates { try record(key, $0, &$1) }
            return try list.endUpdates(
                animated: isAnimated,
                callerContext: key,
                completion: completion(key, "last of \(key)")
            )
        }
        model.completions[key, default: []].append("last of \(key)")
    }

    private func endUnopened() {
        let key = begin()
        let name = name(key)
        expect(key, Rejection(code: .unbalancedEnd))
        call(key, "an end without a beginning") { list throws(UpdateError) in
            try list.endUpdates(callerContext: key, completion: completion(key, name))
        }
    }

    private func wait() {
        model.note("waits")
        isHastened = true
        let generation = model.generation
        controller?.waitUntilReached(.deliveredToView)
        model.expect(model.isHandedOver(through: generation), "a wait ended early")
    }

    // MARK: From anywhere

    private func enqueue() {
        let key = begin(Operation(isAnimated: random.chance(0.5), isAsynchronous: true))
        let name = "last of \(key)"
        model.note("\(key): enqueues")
        controller?.enqueueBatchUpdates(
            animated: operations[key]?.isAnimated ?? true,
            callerContext: key,
            { [self] source, changes in
                defer { model.completions[key, default: []].append(name) }
                try record(key, source, &changes)
            },
            completion: { [self] result in
                // If the closure has not run, there are no nested batches.
                if operations[key]?.hasEntered == false { model.completions[key] = [name] }
                completion(key, name)(result)
            }
        )
    }

    typealias Work = @Sendable (Controller) async throws(UpdateError) -> UpdateResult

    private func startTask() {
        let key = begin(Operation(isAnimated: random.chance(0.5), isAsynchronous: true))
        let isAnimated = operations[key]?.isAnimated ?? true
        model.note("\(key): a task")
        switch random.next(below: 3) {
        case 0 where model.hasLoaded: submitRecord(key, isAnimated)
        case 1 where model.hasLoaded && !model.accepted.isEmpty: submitUpdate(key, isAnimated)
        default:
            run(key) { [self] controller throws(UpdateError) in
                try await controller.performBatchUpdates(animated: isAnimated, callerContext: key) {
                    try self.record(key, $0, &$1)
                }
            }
        }
    }

    private func run(_ key: Int, _ work: @escaping Work) {
        guard let controller else { return }
        let body: @Sendable () async -> Void = { [self] in
            let text: String
            do throws(UpdateError) {
                let result = try await work(controller)
                text = "\(result.submission) \(result.text)"
            } catch {
                let id = error.submission.map { "\($0)" } ?? "nothing"
                text = "\(id) threw \(error.code.rawValue)"
            }
            results.withLock { $0[key] = text }
        }
        let task =
            simulation.map { simulation in
                let client = LaneTaskExecutor(simulation.makeLane(label: "client \(key)"))
                return Task(executorPreference: client) { await body() }
            } ?? Task { await body() }
        tasks.append((key, task))
    }

    /// Submits a record against the newest map, which may be outdated when the record is processed.
    private func submitRecord(_ key: Int, _ isAnimated: Bool) {
        var drafting = drafting
        drafting.edit()
        let draft = drafting.draft
        nextToken = drafting.nextToken
        operations[key]?.generation = model.generation
        guard let map = controller?.pendingMap else { return }
        let record = HierarchyChangeSet(draft.operations)
        run(key) { [self] controller throws(UpdateError) in
            try await controller.submit(
                record,
                recordedAgainst: map,
                animated: isAnimated,
                callerContext: key
            ) { source in
                self.enter(key)
                self.model.expectEqual(
                    self.operations[key]?.generation,
                    self.model.generation,
                    "that against which \(key) was recorded"
                )
                source.sections = draft.new.texts
                source.falseItemCounts = [:]
                self.expect(key, draft)
                self.calls.removeAll()
            }
        }
    }

    /// Submits an update against the newest map; it is rebased over changes made before it is
    /// processed.
    private func submitUpdate(_ key: Int, _ isAnimated: Bool) {
        let section = random.next(below: model.accepted.count)
        let old = model.accepted[section]
        let kind = old.items.isEmpty ? 0 : random.next(below: 3)
        let item = old.items.isEmpty ? 0 : random.next(below: old.items.count)
        let option = Model.options.randomElement(using: &random) ?? .fade
        let path = ItemPath(section, item)
        var changes = HierarchyChangeSet()
        var counts = model.accepted.map(\.items.count)
        switch kind {
        case 0:
            changes.insertItems(at: [path], animation: option)
            counts[section] += 1
        case 1:
            changes.deleteItems(at: [path], animation: option)
            counts[section] -= 1
        default: changes.reconfigureItems(at: [path], animation: option)
        }
        nextToken += 1
        let newItem = Model.Item(token: nextToken, text: "u\(nextToken)")
        let token = old.items.isEmpty ? 0 : old.items[item].token
        guard let map = controller?.pendingMap,
            let update = try? changes.validated(
                from: model.accepted.shape,
                to: HierarchyShape(counts)
            )
        else { return model.fault("an update of one edit is invalid") }
        run(key) { [self] controller throws(UpdateError) in
            try await controller.submit(
                update,
                recordedAgainst: map,
                whenStale: .rebase(),
                animated: isAnimated,
                callerContext: key
            ) { source, rebased in
                self.enter(key)
                self.calls.removeAll()
                source.falseItemCounts = [:]
                var drafting = self.drafting
                guard self.model.hasLoaded else {
                    drafting.reload(source.sections, record: false)
                    self.nextToken = drafting.nextToken
                    return self.expect(key, drafting.draft)
                }
                drafting.nothing()
                var draft = drafting.draft
                draft.questions = nil
                switch kind {
                case 0: draft.insert(newItem, into: old.id, rebased.update.itemInsertions, option)
                case 1: draft.delete(token, option)
                default: draft.reconfigure(token, newItem.text, option)
                }
                let isLeft = draft.new != draft.old
                self.model.expectEqual(rebased.dropped.isEmpty, isLeft, "what \(key) dropped")
                let found = rebased.update
                self.model.expectEqual(
                    Array(found.edits),
                    draft.update.map { Array($0.edits) },
                    "rebased \(key)"
                )
                self.model.expectEqual(
                    found.reconfigurations,
                    draft.update?.reconfigurations,
                    "rebased \(key)"
                )
                draft.update = found
                source.sections = draft.new.texts
                self.expect(key, draft)
            }
        }
    }

    /// Cancels a task, which has an effect only until its closure has run.
    private func cancelTask() {
        guard !tasks.isEmpty else { return }
        let (key, task) = tasks[random.next(below: tasks.count)]
        model.note("cancels \(key)")
        if let operation = operations[key], !operation.hasEntered, operation.error == nil,
            !operation.hasEnded
        {
            operations[key]?.isCancelled = true
            model.mayHideNumbers = true
        }
        task.cancel()
    }
}

// The effects of one edit on a state.
extension ControllerModel.Draft {
    private func path(of token: Int) -> ItemPath? {
        for (section, content) in new.enumerated() {
            if let item = content.items.firstIndex(where: { $0.token == token }) {
                return ItemPath(section, item)
            }
        }
        return nil
    }

    private mutating func make(
        _ operation: HierarchyChangeSet.Operation,
        _ change: (inout [ControllerModel.Section]) -> Void
    ) {
        change(&new)
        update = try? HierarchyChangeSet([operation]).validated(from: old.shape, to: new.shape)
    }

    mutating func insert(
        _ item: ControllerModel.Item,
        into id: Int,
        _ insertions: [ItemEdit],
        _ option: AnimationOption
    ) {
        guard let section = new.firstIndex(where: { $0.id == id }) else { return }
        let place =
            insertions.first.map { min(max(0, $0.path.item), new[section].items.count) } ?? 0
        make(.insertItems([ItemPath(section, place)], option)) {
            $0[section].items.insert(item, at: place)
        }
    }

    mutating func delete(_ token: Int, _ option: AnimationOption) {
        guard let path = path(of: token) else { return }
        make(.deleteItems([path], option)) { $0[path.section].items.remove(at: path.item) }
    }

    mutating func reconfigure(_ token: Int, _ text: String, _ option: AnimationOption) {
        guard let path = path(of: token) else { return }
        make(.reconfigureItems([path], option)) { $0[path.section].items[path.item].text = text }
    }
}
