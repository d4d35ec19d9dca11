import PipelineTestSupport
import Testing

@testable import CollectionElements
@testable import CollectionPipeline
@testable import PipelineTesting

/// The comparison of what is shown with what the model was, where the two differ.
@Suite("What is shown against what was latched", .endsHangs)
struct SnapshotCheckerTests {
    /// Measures nothing.
    private final class Nothing: LayoutDelegate {
        func layoutContext(for map: ElementMap) -> any Sendable { 0 }
        func layout(_ map: ElementMap, in context: any Sendable, measurer: LayoutMeasurer)
            -> any Sendable
        { 0 }
    }

    /// Shows every update at once, and keeps it.
    private final class KeepingView: CollectionView, @unchecked Sendable {  // one thread
        var updates: [ViewUpdate] = []
        func attach(to lane: any Lane) {}
        var elementSizeRange: SizeRange { .width(10) }
        var firstVisiblePath: ItemPath? { nil }
        func perform(_ update: ViewUpdate) {
            updates.append(update)
            if update.deploy({ _ in }) { update.finish() }
        }
    }

    /// A load and an update, which are shown.
    private struct Shown: @unchecked Sendable {  // one thread
        let model: ReferenceModel
        let checker: SnapshotChecker
        let controller: DataController<ReferenceModel>
        let load: ViewUpdate
        let update: ViewUpdate

        /// Has the model of a generation be another.
        func pretend(at generation: Int, _ change: (inout [ReferenceModel.Section]) -> Void) {
            model.acceptedGeneration = { generation - 1 }
            change(&model.sections)
            _ = model.numberOfSections()
        }

        /// An update that nobody would send.
        func forged(
            _ changes: HierarchyChangeSet,
            from oldMap: ElementMap,
            to newMap: ElementMap
        ) throws -> ViewUpdate {
            let id = SubmissionID(rawValue: 2)
            let update = try changes.validated(from: load.newMap.shape, to: newMap.shape)
            let submission = Submission(
                id: id,
                latched: Latched(update: update, map: newMap, nextSectionID: 0),
                oldMap: oldMap,
                request: SubmissionRequest(id: id),
                traitsGeneration: 0
            )
            return ViewUpdate(submission, core: controller.core)
        }
    }

    /// - Returns: what was reported.
    private static func reports(
        hasLayout: Bool = false,
        _ body: @escaping (Shown) throws -> Void
    ) -> [String] {
        let simulation = Simulation(seed: 1, strategy: .inOrder)
        let nodes = WatchedNodes(fates: simulation)
        nonisolated(unsafe) let model = ReferenceModel(nodes: nodes, sections: 2, items: 3)
        let view = KeepingView()
        let lane = simulation.makeLane(label: "main")
        let controller = DataController(
            dataSource: model,
            view: view,
            lane: lane,
            environment: simulation.environment,
            layoutDelegate: hasLayout ? Nothing() : nil
        )
        for number in 0..<2 {
            model.acceptedGeneration = { number }
            lane.enqueue {
                _ = try? controller.assumeIsolated().performBatchUpdates(
                    { model, changes in
                        guard number == 1, let path = model.insertAtTop() else { return }
                        changes.insertItems(at: [path])
                    },
                    completion: nil
                )
            }
            simulation.run()
        }
        nonisolated(unsafe) let check = body
        lane.enqueue {
            let shown = Shown(
                model: model,
                checker: SnapshotChecker(model: model),
                controller: controller,
                load: view.updates[0],
                update: view.updates[1]
            )
            shown.checker.expectsPrepared = !hasLayout
            do { try check(shown) } catch { Issue.record("\(error)") }
            view.updates = []
        }
        simulation.run()
        return nodes.reported.map(\.message)
    }

    @Test func whatWasLatchedIsShown() {
        for hasLayout in [true, false] {
            let found = Self.reports(hasLayout: hasLayout) { shown in
                shown.checker.textScale = { hasLayout ? nil : Traits().textScale }
                shown.checker.check(shown.load)
                shown.checker.check(shown.update)
            }
            #expect(found == [])
        }
    }

    @Test func generationsAscend() {
        let found = Self.reports { shown in
            for update in [shown.update, shown.load, shown.load] { shown.checker.check(update) }
        }
        #expect(
            found == [
                "generation 1 was shown after 2", "generation 1 was shown after 1",
            ]
        )
    }

    @Test func anotherModelIsFound() {
        let counts = Self.reports { shown in
            shown.pretend(at: 1) { $0[1].items.removeLast() }
            shown.checker.check(shown.load)
        }
        #expect(counts.count == 1 && counts[0].hasPrefix("generation 1 has "))
        #expect(counts[0].hasSuffix(", expected [4, 2]"))
        let section = Self.reports { shown in
            shown.pretend(at: 2) { $0[1].id = 99 }
            shown.checker.check(shown.update)
        }
        #expect(section == ["section 1 of generation 2 has a wrong context"])
        let item = Self.reports { shown in
            shown.pretend(at: 2) { $0[1].items[2] = ModelItem(id: 99) }
            shown.checker.check(shown.update)
        }
        #expect(item == ["item 1 - 2 of generation 2 is not \(ModelItem(id: 99))"])
    }

    @Test func traitsOfBeforeAreFound() {
        let found = Self.reports { shown in
            shown.checker.textScale = { 9 }
            shown.checker.check(shown.load)
        }
        #expect(found.count == 6)
        #expect(found.allSatisfy { $0.hasSuffix("is shown with traits that have changed since") })
    }

    @Test func whatIsUnpreparedIsFoundUnlessALayoutDecides() {
        for expectsPrepared in [true, false] {
            let found = Self.reports(hasLayout: true) { shown in
                shown.checker.expectsPrepared = expectsPrepared
                shown.checker.check(shown.load)
            }
            #expect(found.count == (expectsPrepared ? 6 : 0))
            #expect(found.allSatisfy { $0.hasSuffix(" is shown unprepared") })
        }
    }

    @Test func editsThatLeadElsewhereAreFound() {
        let elsewhere = Self.reports { shown in
            var changes = HierarchyChangeSet()
            changes.insertItems(at: [ItemPath(0, 3)])
            let forged = try shown.forged(
                changes,
                from: shown.load.newMap,
                to: shown.update.newMap
            )
            shown.checker.check(forged)
        }
        #expect(elsewhere.contains("the edits of #2 lead elsewhere"))
        let start = Self.reports { shown in
            var changes = HierarchyChangeSet()
            changes.insertItems(at: [ItemPath(0, 0)])
            let empty = ElementMap.empty(generation: 1)
            shown.checker.check(try shown.forged(changes, from: empty, to: shown.update.newMap))
        }
        #expect(start == ["update #2 does not start from its old map"])
        let stale = Self.reports { shown in
            shown.pretend(at: 2) { $0[0].items.removeFirst() }
            var changes = HierarchyChangeSet()
            changes.reloadItems(at: [ItemPath(0, 1)])
            let map = shown.load.newMap
            shown.checker.check(
                try shown.forged(changes, from: map, to: map.withGeneration(2))
            )
        }
        #expect(stale == ["item 0 - 1 of #2 is not fresh"])
    }
}
