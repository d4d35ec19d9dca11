import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline

/// Undoing and redoing through a controller, while others go on.
@Suite("Undo and redo", .endsHangs)
struct UndoHistoryTests {
    private typealias List = ModelList<String>
    private typealias History = UndoHistory<List>

    /// An item of the model: what it is called, what it shows, and a number that a new element changes.
    private struct Item: Equatable {
        let name: String
        var value: Int
        var number: Int
        var text: String { "\(name)=\(value)" }
    }

    private enum Edit {
        case insert(number: Int, section: Int, Item)
        case delete(number: Int, section: Int, Item)
        case update(number: Int, from: Int, to: Int)
    }

    /// What a user may take back: each step has the edits that do so, and the reloads that came before it.
    private struct User {
        let history: History
        var undo: [(edits: [Edit], epoch: Int)] = []
        var redo: [(edits: [Edit], epoch: Int)] = []
        /// Under which number an element came back that the user's own steps speak of.
        var names: [Int: Int] = [:]

        func resolve(_ number: Int) -> Int { names[number].map(resolve) ?? number }
    }

    private static let limit = 6

    /// Two users, each with a history, and somebody without one.
    private struct Run {
        var sections: [[Item]] = [[], []]
        var users: [User]
        var updatedBy: [String: Int] = [:]
        var next = 0
        var epoch = 0

        /// Does one edit; nil where others have left nothing to do for it.
        mutating func apply(_ edit: Edit, of user: Int) -> Edit? {
            switch edit {
            case .insert(let old, let section, var item):
                next += 1
                item.number = next
                sections[section].append(item)
                users[user].names[old] = next
                return .delete(number: next, section: section, item)
            case .delete(let number, let section, _):
                let number = users[user].resolve(number)
                guard let place = sections[section].firstIndex(where: { $0.number == number })
                else { return nil }
                let item = sections[section].remove(at: place)
                return .insert(number: number, section: section, item)
            case .update(let number, let from, let to):
                let number = users[user].resolve(number)
                for section in sections.indices {
                    guard let place = sections[section].firstIndex(where: { $0.number == number })
                    else { continue }
                    sections[section][place].value = from
                    return .update(number: number, from: to, to: from)
                }
                return nil
            }
        }

        /// Takes the newest step that has something left; false where there is none.
        mutating func take(_ user: Int, isUndo: Bool) -> Bool {
            let saved = self
            var stack = isUndo ? users[user].undo : users[user].redo
            while let step = stack.popLast() {
                guard step.epoch == epoch else { break }
                let inverse = step.edits.reversed().compactMap { apply($0, of: user) }
                guard !inverse.isEmpty else { continue }
                if isUndo {
                    users[user].undo = stack
                    users[user].redo.append((inverse, epoch))
                } else {
                    users[user].redo = stack
                    users[user].undo.append((inverse, epoch))
                }
                return true
            }
            self = saved
            return false
        }

        var texts: [Set<String>] { sections.map { Set($0.map(\.text)) } }
    }

    /// Every user's steps, against items that know who they are: what others did stays, whatever is taken back.
    @Test(arguments: Substrate.allCases)
    func whatIsTakenBackIsOnesOwn(_ substrate: Substrate) async throws {
        for seed in 1...UInt64(substrate == .dispatch ? Effort.number(200, usually: 15) : 2) {
            let fault = try await fault(substrate, seed)
            #expect(fault == nil, "seed \(seed): \(fault ?? "")")
        }
    }

    private func fault(_ substrate: Substrate, _ seed: UInt64) async throws -> String? {
        var random = SeededGenerator(seed: seed)
        let controller = substrate.makeStage(seed: seed, workerCount: 2).makeController(
            List([[], []])
        )
        try await controller.reloadData()
        let histories = (0..<2).map { _ in History(of: controller, limit: Self.limit) }
        var run = Run(users: histories.map { User(history: $0) })
        var log: [String] = []
        for _ in 0..<40 {
            let user = random.next(below: 3)
            let before = controller.visibleMap
            switch random.next(below: 10) {
            case 0..<3 where user < 2, 3..<5 where user < 2:
                let isUndo = random.chance(0.6)
                log.append("\(user) \(isUndo ? "undoes" : "redoes")")
                let isDone = run.take(user, isUndo: isUndo)
                let code = await take(histories[user], isUndo: isUndo)
                let due: UpdateError.Code? = isDone ? nil : .nothingToUndo
                if code != due {
                    return "\(log): \(code?.rawValue ?? "-")"
                }
            case 5 where random.chance(0.2):
                log.append("reload")
                run.epoch += 1
                try await controller.reloadData()
            case 6 where user < 2:
                log.append("\(user) withdraws")
                _ = try? await histories[user].performBatchUpdates { _, _ in
                    throw Withdrawal(TestFailure())
                }
            default:
                let edits = (0..<(1 + random.next(below: 2))).map { _ in random.next() }
                log.append("\(user) edits \(edits.count)")
                try await edit(edits, user, &run, controller)
            }
            let found = controller.visibleMap.texts
            let model = await controller.withDataSource { $0.sections }
            let counts = histories.map { [$0.undoCount, $0.redoCount] }
            let expected = run.users.map { [$0.undo.count, $0.redo.count] }
            guard found.map({ Set($0) }) == run.texts, found == model, counts == expected else {
                return "\(log): \(found), not \(run.texts); \(counts), not \(expected)"
            }
            let kept = before.texts.joined().filter(found.joined().contains)
            guard kept == found.joined().filter(kept.contains) else { return "\(log): \(found)" }
        }
        await controller.close()
        return nil
    }

    private func take(_ history: History, isUndo: Bool) async -> UpdateError.Code? {
        do throws(UpdateError) {
            if isUndo {
                try await history.undo { try $1.apply(to: &$0.sections) }
            } else {
                try await history.redo { try $1.apply(to: &$0.sections) }
            }
            return nil
        } catch { return error.code }
    }

    /// One edit, or a group of two.
    private func edit(
        _ seeds: [UInt64],
        _ user: Int,
        _ run: inout Run,
        _ controller: DataController<List>
    ) async throws {
        var inverses: [Edit] = []
        var updates: [@Sendable (List, inout BatchRecorder) -> Void] = []
        for seed in seeds {
            var random = SeededGenerator(seed: seed)
            let section = random.next(below: 2)
            let items = run.sections[section]
            let texts = controller.pendingMap.texts
            let shown =
                updates.isEmpty
                ? items.isEmpty ? nil : texts[section].randomElement(using: &random) : nil
            let item = shown.flatMap { text in items.first { $0.text == text } }
            let path = shown.flatMap { texts[section].firstIndex(of: $0) }
            guard let item, let path, random.chance(0.6) else {
                run.next += 1
                let fresh = Item(name: "i\(run.next)", value: 0, number: run.next)
                run.sections[section].append(fresh)
                inverses.append(.delete(number: fresh.number, section: section, fresh))
                updates.append { list, changes in
                    let place = list[section].count / 2
                    list[section].insert(fresh.text, at: place)
                    changes.insertItems(at: [ItemPath(section, place)])
                }
                continue
            }
            let index = items.firstIndex(of: item) ?? 0
            if user < 2, run.updatedBy[item.name, default: user] == user, random.chance(0.5) {
                run.updatedBy[item.name] = user
                run.sections[section][index].value += 1
                let text = run.sections[section][index].text
                inverses.append(
                    .update(number: item.number, from: item.value, to: item.value + 1)
                )
                updates.append { list, changes in
                    list[section][path] = text
                    changes.reconfigureItems(at: [ItemPath(section, path)])
                }
            } else {
                run.sections[section].remove(at: index)
                inverses.append(.insert(number: item.number, section: section, item))
                updates.append { list, changes in
                    list[section].remove(at: path)
                    changes.deleteItems(at: [ItemPath(section, path)])
                }
            }
        }
        if user < 2 {
            run.users[user].undo.append((inverses, run.epoch))
            run.users[user].redo = []
            run.users[user].undo = Array(run.users[user].undo.suffix(Self.limit))
            let (history, all) = (run.users[user].history, updates)
            try await history.group {
                for update in all { try await history.performBatchUpdates(update) }
            }
        } else {
            for update in updates { try await controller.performBatchUpdates(update) }
        }
    }

    // MARK: Reloads, options, lives

    private func append(_ text: String, _ history: History) async throws {
        try await history.performBatchUpdates { list, changes in
            changes.insertItems(at: [ItemPath(0, list[0].count)])
            list[0].append(text)
        }
    }

    /// A reload is of what there is by then, so it may lead elsewhere than the step, and the history goes on from there.
    @Test(arguments: Substrate.allCases)
    func aReloadOfOnesOwnIsTakenBackWithEveryModel(_ substrate: Substrate) async throws {
        let controller = substrate.makeStage(workerCount: 2).makeController(List([["a"]]))
        let history = History(of: controller)
        // The first load is a reload, whatever is recorded.
        try await history.performBatchUpdates { _, _ in }
        try await history.undo { list, step in
            #expect(step.update.isReloadData && step.update.newShape.numberOfSections == 0)
            list[0].append("z")
        }
        #expect(controller.pendingMap.shape == [2])
        #expect(await take(history, isUndo: false) == .nothingToUndo, "as after a reload of others")
        try await append("b", history)
        try await history.performBatchUpdates { list, changes in
            list.sections = [["x", "y"], ["z"]]
            changes.record(.reloadData(.automatic))
        }
        #expect(controller.visibleMap.shape == [2, 1])
        for expected in [[["a", "z", "b"]], [["a", "z"]]] {
            #expect(await take(history, isUndo: true) == nil)
            #expect(await controller.withDataSource { $0.sections } == expected)
            #expect(controller.visibleMap.texts == expected)
        }
        await controller.close()
    }

    @Test func aStepIsAnimatedUnlessItSaysOtherwiseAndTellsItsDirection() async throws {
        let view = RecordingView()
        let controller = Substrate.dispatch.makeStage().makeController(List([["a"]]), view: view)
        try await controller.reloadData()
        let history = History(of: controller)
        try await append("b", history)
        try await history.performBatchUpdates(animated: false, context: 1) {
            $1.reloadSections([0])
        }
        let directions = Journal<UndoStep.Direction>()
        let apply: @Sendable (List, UndoStep) throws -> Void = { list, step in
            directions.append(step.direction)
            try step.apply(to: &list.sections)
        }
        try await history.undo(updateModel: apply)
        let result = try await history.undo(animated: false, context: 2, updateModel: apply)
        #expect(result.context as? Int == 2)
        try await history.redo(updateModel: apply)
        try await history.redo(animated: false, updateModel: apply)
        let animated = view.received.values.dropFirst().map(\.isAnimated)
        #expect(animated == [true, false, true, false, true, false])
        #expect(directions.values == [.undo, .undo, .redo, .redo])
        await controller.close()
    }

    /// It keeps a hundred steps, a group ends with a body that throws, and a controller keeps no history.
    @Test func aHistoryIsBoundedAndNotKeptAlive() async throws {
        let controller = Substrate.dispatch.makeStage().makeController(List([["a"]]))
        try await controller.reloadData()
        var history: History? = History(of: controller)
        weak let last = history
        for number in 0..<100 { try await append("\(number)", history!) }
        await #expect(throws: TestFailure.self) {
            try await history!.group {
                try await append("b", history!)
                try await append("c", history!)
                throw TestFailure()
            }
        }
        try await append("d", history!)
        #expect(history?.undoCount == 100 && history?.redoCount == 0)
        _ = await take(history!, isUndo: true)
        #expect(controller.visibleMap.texts[0].last == "c")
        history = nil
        await controller.withIsolated { _ in }
        #expect(last == nil)
        // Its place is given up with the next update.
        #expect(await controller.withIsolated { $0.core.histories.count } == 1)
        try await controller.reloadData()
        #expect(await controller.withIsolated { $0.core.histories.count } == 0)
        await controller.close()
    }
}
