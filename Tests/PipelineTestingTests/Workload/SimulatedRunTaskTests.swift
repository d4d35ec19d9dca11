import CollectionElements
import PipelineTestSupport
import Testing

@testable import CollectionPipeline
@testable import PipelineTesting

/// Tasks that rebase, undo and record, in a run and on a second pipeline that has come apart from it.
@Suite("What tasks of a run find", .endsHangs)
struct SimulatedRunTaskTests {
    // MARK: Cancelling

    @Test func theUpdatesOfACancelledTaskDoNotRun() {
        let calls: [RunPlan.TaskCall] = [
            .edit(1), .record(1), .rebase(1), .own(1), .undo, .redo,
        ]
        let scene = RunScene()
        // There is something to undo, and later to redo.
        scene.perform(.task(.own(2)))
        #expect(scene.noted == [])
        for call in calls {
            let token = scene.run.completions.count
            scene.run.arrivedCancellations = [token - 1]
            scene.perform(.task(call))
            #expect(scene.noted == [], "\(call)")
            if call == .redo { scene.perform(.task(.undo)) }
        }
        for call in calls {
            let token = scene.run.completions.count
            scene.run.arrivedCancellations = [token]
            scene.perform(.task(call))
            let text = "Bounded Backlog: the updates of \(token) run after it was cancelled"
            #expect(scene.noted == [text], "\(call)")
            if call == .own(1) { scene.run.arrivedCancellations = [] }
        }
    }

    // MARK: Records

    @Test func aRecordThatReachesAModelOfAnotherGenerationIsNoted() {
        for isStale in [false, true] {
            let scene = RunScene()
            if isStale { scene.run.model?.acceptedGeneration = { 0 } }
            scene.perform(.task(.record(1)))
            let text = "Whole Or Nothing: a stale record reaches the model"
            #expect(scene.run.violations.map(\.description) == (isStale ? [text] : []))
        }
    }

    @Test func aRecordDeletesWhatItSays() {
        for seed: UInt64 in 0..<8 {
            let scene = RunScene()
            var random = SeededGenerator(seed: seed)
            let kept = scene.items.filter { _ in !random.isTrue(oneIn: 4) }
            scene.perform(.task(.record(seed)))
            #expect(scene.items == kept && scene.noted == [])
        }
    }

    // MARK: Rebasing

    /// What is shown of it has two moves at most, beside deletions and insertions.
    @Test func whatIsRebasedMovesTwoItemsAtMost() {
        var counts: Set<Int> = []
        for seed: UInt64 in 0..<20 {
            let scene = RunScene { $0.items = 12 }
            let updates = scene.keepUpdates()
            scene.perform(.task(.rebase(seed)))
            let moves = updates.values.map {
                $0.changeSet.itemRemovals.count { $0.role == .move }
            }
            #expect(moves.count == 1 && scene.run.marks["rebased"] == 1)
            counts.formUnion(moves)
            #expect(scene.noted == [])
        }
        #expect(counts.max() == 2)
    }

    /// The second pipeline has other counts than its own model, which are those that the run has.
    @Test func whatIsRebasedFromElsewhereIsNoted() {
        for seed: UInt64 in 0..<8 {
            let scene = RunScene()
            let (other, model) = scene.makeOther(sections: 2, items: 2)
            for section in 0..<2 {
                let item = model.freshItem()
                model.replaceItems(of: section) { $0.append(item) }
            }
            let before = model.sections
            scene.inTask { run in _ = try? await run.submitRebased(seed, 0, other) }
            let found = scene.noted
            let texts = [
                "Whole Or Nothing: what was rebased starts elsewhere: ",
                "Whole Or Nothing: what was rebased was rejected: ",
            ]
            #expect(found.count == 2 && zip(found, texts).allSatisfy { $0.hasPrefix($1) })
            #expect(model.sections == before && scene.run.marks["rebased"] == nil, "\(found)")
        }
    }

    /// The run knows none of the second pipeline's elements, so that all that is deleted there is missed.
    @Test func whatRebasingRemovesBesideWhatWasDeletedIsNoted() {
        var deletions = 0
        for seed: UInt64 in 0..<12 {
            let scene = RunScene()
            let (other, model) = scene.makeOther(sections: 2, items: 3)
            let before = Set(model.sections.flatMap { $0.items.map(\.id) })
            scene.inTask { run in _ = try? await run.submitRebased(seed, 0, other) }
            let after = Set(model.sections.flatMap { $0.items.map(\.id) })
            let (gone, fresh) = (before.subtracting(after), after.subtracting(before))
            let text =
                "Whole Or Nothing: rebasing removed \(gone.sorted()) in place of [], and inserted"
                + " \(fresh.count) in place of \(fresh.count)"
            #expect(scene.noted == (gone.isEmpty ? [] : [text]))
            if !gone.isEmpty { deletions += 1 }
        }
        #expect(deletions > 0)
    }

    // MARK: Undoing

    @Test func whatIsUndoneOrDoneAndRejectedIsNoted() {
        let scene = RunScene()
        let (other, model) = scene.makeOther(sections: 2, items: 2)
        for section in 0..<2 {
            let item = model.freshItem()
            model.replaceItems(of: section) { $0.append(item) }
        }
        // There is none yet, which is no mistake.
        scene.inTask { run in _ = try? await run.perform(.undo, 0, other) }
        #expect(scene.noted == [])
        scene.inTask { run in _ = try? await run.perform(.edit(1), 0, other) }
        let found = scene.noted
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.hasPrefix("Whole Or Nothing: what was undone was rejected: ") == true)
    }

    /// Nobody could take back, bring up to date or delete what was never accepted.
    @Test func nothingIsUndoneOrRebasedWhereTheModelIsAhead() {
        for isDiverged in [false, true] {
            let scene = RunScene()
            scene.perform(.task(.own(2)))
            let items = scene.items
            if isDiverged {
                scene.run.model?.isDiverged = { true }
            } else {
                scene.run.model?.replaceItems(of: 0) { $0.removeAll() }
            }
            let before = scene.items
            let calls: [RunPlan.TaskCall] = [.undo, .own(1), .rebase(1)]
            for call in isDiverged ? calls + [.record(1)] : calls {
                scene.perform(.task(call))
                #expect(scene.items == before && (before == items) == isDiverged)
                #expect(scene.run.marks["undone"] == nil && scene.run.marks["rebased"] == nil)
            }
            #expect(scene.run.violations.isEmpty)
        }
    }

    /// What one client did to a run's list of its own, by what became of the items.
    private struct Own {
        let scene: RunScene
        let before: [ModelItem]
        let after: [ModelItem]
        var deleted: [ModelItem] { before.filter { item in !after.contains { $0.id == item.id } } }
        var changed: [ModelItem] {
            after.filter { item in before.contains { item.isNewer(than: $0) } }
        }

        init(_ seed: UInt64) {
            scene = RunScene()
            before = scene.items
            scene.perform(.task(.own(seed)))
            after = scene.items
        }

        /// Another item has that identity from now on.
        func rename(_ item: ModelItem, to id: Int) {
            for (section, value) in (scene.run.model?.sections ?? []).enumerated() {
                guard let index = value.items.firstIndex(of: item) else { continue }
                scene.run.model?.replaceItems(of: section) { $0[index].id = id }
            }
        }

        /// What the run says when that is undone, which the checks of nodes may find odd too.
        func undo() -> [String] {
            scene.perform(.task(.undo))
            return scene.run.violations.map(\.description)
        }
    }

    @Test func whatComesBackTwiceOrWasNeverThereIsNoted() {
        var (twice, never) = (0, 0)
        for seed: UInt64 in 0..<40 {
            let text = "Whole Or Nothing: undoing made ["
            let own = Own(seed)
            #expect(own.scene.noted == [])
            if let deleted = own.deleted.first,
                let kept = own.after.first(where: { own.before.contains($0) })
            {
                own.rename(kept, to: deleted.id)
                let found = own.undo()
                #expect(found.count == 1 && found[0].hasPrefix(text), "\(seed): \(found)")
                twice += 1
            } else if own.deleted.isEmpty, let changed = own.changed.first {
                own.rename(changed, to: 7000)
                let found = own.undo()
                #expect(found.count == 1 && found[0].hasPrefix(text), "\(seed): \(found)")
                never += 1
            } else {
                #expect(own.undo() == [])
            }
        }
        #expect(twice > 0 && never > 0)
    }

    /// What shows it was not measured in that revision before.
    @Test func whatComesBackIsOfARevisionThatNobodyHasShown() {
        var count = 0
        for seed: UInt64 in 0..<12 {
            let own = Own(seed)
            var known = Set(own.before + own.after)
            for call: RunPlan.TaskCall in [.undo, .redo, .undo] {
                let last = own.scene.items
                own.scene.perform(.task(call))
                let fresh = own.scene.items.filter { !last.contains($0) }
                if call == .undo {
                    #expect(own.scene.items.map(\.id) == own.before.map(\.id))
                } else {
                    #expect(own.scene.items.map(\.id) == own.after.map(\.id))
                }
                for item in fresh { #expect(!known.contains(item), "\(item)") }
                known.formUnion(fresh)
                count += fresh.count
            }
            #expect(own.scene.noted == [], "seed \(seed)")
        }
        #expect(count > 0)
    }
}
