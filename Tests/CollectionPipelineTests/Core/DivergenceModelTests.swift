import CollectionElements
import CollectionPipeline
import PipelineTestSupport
import Testing

/// What a controller says of its divergence, against what can be seen of it: every sequence of some things
/// that are done to it, and long ones at random.
@Suite("Divergence against a model", .endsHangs)
struct DivergenceModelTests {
    private enum Step: CaseIterable {
        /// Changes content, records it, and throws.
        case changeAndThrow
        /// Adds an item, and records nothing.
        case lie
        /// Records what is missing.
        case account
        case reconfigureFirst
        case reloadFirstSection
        case reloadSections
        case moveIntoFreshSection
        case deleteLastSection
        case declare
        case clear
        case reload
    }

    /// One controller with what the steps did to it; on its main lane.
    private final class Run {
        let controller: DataController<TextDataSource>
        var source: TextDataSource { controller.assumeIsolated().dataSource }
        var texts = 0
        /// What was there at the last rejection, and has not gone since.
        var suspects: [ObjectIdentifier: AnyObject] = [:]
        var isRejected = false
        /// Whether an item may have gone from where it was at the last rejection.
        var hasMoved = false

        init(_ controller: DataController<TextDataSource>) { self.controller = controller }

        func fresh() -> String {
            texts += 1
            return "text \(texts)"
        }

        private var there: [AnyObject] {
            let map = controller.pendingMap
            return map.items.map(\.element)
                + (0..<map.numberOfSections).compactMap { map.section(at: $0) }
        }

        func perform(_ step: Step) {
            let map = controller.pendingMap
            try? perform(step, map)
            if controller.pendingMap.generation > map.generation {
                isRejected = false
                let left = Set(there.map(ObjectIdentifier.init))
                suspects = suspects.filter { left.contains($0.key) }
                if step == .declare || step == .reload || step == .clear { suspects = [:] }
            } else {
                isRejected = true
                hasMoved = false
                for object in there { suspects[ObjectIdentifier(object)] = object }
            }
        }

        private func perform(_ step: Step, _ map: ElementMap) throws {
            switch step {
            case .changeAndThrow:
                try batch { source, changes in
                    for section in source.sections.indices
                    where !source.sections[section].items.isEmpty {
                        changes.reconfigureItems(at: [ItemPath(section, 0)])
                        source.sections[section].items[0] = self.fresh()
                    }
                    throw TestFailure()
                }
            case .lie:
                try batch { source, _ in
                    if source.sections.isEmpty { source.sections.append([]) }
                    source.sections[0].items.append(self.fresh())
                }
            case .account:
                try batch { source, changes in
                    let counts = map.shape.itemCounts
                    for (section, known) in counts.enumerated()
                    where section < source.sections.count {
                        let items = known..<max(known, source.sections[section].items.count)
                        changes.insertItems(at: items.map { ItemPath(section, $0) })
                    }
                    for section in counts.count..<max(counts.count, source.sections.count) {
                        changes.insertSections([section])
                    }
                }
            case .reconfigureFirst:
                try batch { source, changes in
                    guard source.sections.first?.items.isEmpty == false else { return }
                    source.sections[0].items[0] = self.fresh()
                    changes.reconfigureItems(at: [ItemPath(0, 0)])
                }
            case .reloadFirstSection: try controller.assumeIsolated().reloadSections([0])
            case .reloadSections:
                try controller.assumeIsolated().reloadSections(SectionSet(0..<map.numberOfSections))
            case .moveIntoFreshSection:
                try batch { source, changes in
                    guard source.sections.first?.items.isEmpty == false else { return }
                    let item = source.sections[0].items.removeFirst()
                    source.sections.append(.init([item]))
                    self.hasMoved = true
                    changes.insertSections([source.sections.count - 1])
                    changes.moveItem(
                        at: ItemPath(0, 0),
                        to: ItemPath(source.sections.count - 1, 0)
                    )
                }
            case .deleteLastSection:
                try batch { source, changes in
                    guard source.sections.count > 1 else { return }
                    source.sections.removeLast()
                    changes.deleteSections([source.sections.count])
                }
            case .declare:
                try batch { source, changes in
                    changes.reconfigureItems(at: map.items.map(\.path))
                    changes.declareContentCurrent()
                }
            case .clear: try controller.assumeIsolated().clear()
            case .reload: try controller.assumeIsolated().reloadData(completion: nil)
            }
        }

        private func batch(
            _ updates: (TextDataSource, inout BatchRecorder) throws -> Void
        ) throws {
            try controller.assumeIsolated().performBatchUpdates(updates, completion: nil)
        }

        /// What is wrong with what the controller says.
        var mistake: String? {
            let map = controller.pendingMap
            switch controller.divergence {
            case nil:
                if isRejected { return "nothing is said after a rejection" }
                if !suspects.isEmpty { return "nothing is said, but something is still there" }
                let isEmpty = map.numberOfSections == 0
                if !isEmpty, map.texts != source.sections.map(\.items) {
                    return "nothing is said, but \(map.texts) is shown"
                }
            case .counts: if !isRejected { return "counts agree" }
            case .content:
                if isRejected { return "counts may differ" }
                // An item that was moved might be gone by now, which nobody keeps the book of.
                if suspects.isEmpty, !hasMoved { return "nothing is left that may be older" }
            }
            return nil
        }
    }

    private func check(_ sequences: [[Step]]) async {
        let stage = Substrate.dispatch.makeStage()
        let mistake: String? = await stage.lane.run {
            for steps in sequences {
                var configuration = PipelineConfiguration()
                configuration.backlogLimit = 1000
                let run = Run(
                    stage.makeController(
                        TextDataSource([["a", "b"], ["c"]]),
                        configuration: configuration
                    )
                )
                _ = try? run.controller.assumeIsolated().reloadData(completion: nil)
                for (number, step) in steps.enumerated() {
                    run.perform(step)
                    if let mistake = run.mistake {
                        return "\(steps.prefix(number + 1)): \(mistake)"
                    }
                }
                run.controller.close(draining: false) {}
            }
            return nil
        }
        #expect(mistake == nil)
    }

    @Test func everyShortSequenceSaysWhatCanBeSeen() async {
        var sequences: [[Step]] = [[]]
        for _ in 0..<3 {
            sequences = sequences.flatMap { steps in Step.allCases.map { steps + [$0] } }
        }
        await check(sequences)
    }

    @Test(arguments: 0..<10)
    func longSequencesSayWhatCanBeSeen(seed: Int) async {
        var random = SeededGenerator(seed: UInt64(seed))
        await check(
            (0..<20).map { _ in
                (0..<15).map { _ in Step.allCases[random.next(below: Step.allCases.count)] }
            }
        )
    }
}
