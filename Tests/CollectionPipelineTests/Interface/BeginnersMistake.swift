import CollectionPipeline
import PipelineTestSupport

/// What goes wrong for somebody who is new to it. Each begins with the loaded sections `a b c` and `d`.
enum BeginnersMistake: String, CaseIterable, Sendable {
    case twoAddedAndOneRecorded, nothingRecorded, modelNotChanged, changedBeforeTheBatch
    case insertBeyondTheEnd, deleteBeyondTheEnd, deletedOneByOne, deletedTwice, reloadOfADeletedItem
    case moveToADeletedSection, newSectionNotRecorded, sectionGoneButOnlyItsItemsRecorded
    case recordedForAnotherSection, negativeCount, tooManyItems, throwingClosure
    case dataSourceChangesWhileAsked, endWithoutBegin, submissionFromTheDataSource
    case relayoutOfAnUnknownPath, relayoutAfterARejection, staleRecord, fullBacklog, useAfterClose

    typealias Controller = DataController<TextDataSource>

    /// Makes the mistake.
    func make(in scene: Scene) async throws {
        if let update {
            try await scene.controller.performBatchUpdates { try update($0, &$1) }
            return
        }
        switch self {
        case .changedBeforeTheBatch:
            await scene.withModel { $0.sections[1].items.append("e") }
            try await scene.controller.performBatchUpdates { source, changes in
                source.sections[0].items.append("x")
                changes.insertItems(at: [ItemPath(0, 3)])
            }
        case .endWithoutBegin: try await scene.onMain { _ = try $0.assumeIsolated().endUpdates() }
        case .relayoutOfAnUnknownPath:
            try await scene.controller.relayoutItems(at: [ItemPath(0, 3)])
        case .relayoutAfterARejection:
            _ = try? await scene.controller.performBatchUpdates { $1.deleteSections([7]) }
            try await scene.controller.relayoutAllNodes()
        case .staleRecord:
            let map = scene.controller.pendingMap
            try await scene.controller.reloadData()
            try await scene.controller.submit(HierarchyChangeSet(), recordedAgainst: map) { _ in }
        case .fullBacklog:
            await scene.onMain { _ in scene.view.mode = .onDemand }
            try await scene.onMain { try $0.assumeIsolated().reloadData(completion: nil) }
            try await scene.onMain {
                _ = try $0.assumeIsolated().performBatchUpdates(completion: nil)
            }
        case .useAfterClose:
            scene.controller.close {}
            try await scene.onMain { _ = try $0.assumeIsolated().reloadData(completion: nil) }
        case .submissionFromTheDataSource: try await submitFromTheDataSource(scene)
        default: break
        }
    }

    /// The inner call is rejected, which a data source would do well to print.
    private func submitFromTheDataSource(_ scene: Scene) async throws {
        let inner = Journal<UpdateError>()
        await scene.withModel { [controller = scene.controller] source in
            source.onCall = { [weak controller, unowned source] _ in
                source.onCall = nil
                do throws(UpdateError) {
                    try controller?.assumeIsolated().reloadData(completion: nil)
                } catch {
                    inner.append(error)
                }
            }
        }
        _ = try? await scene.controller.performBatchUpdates { _, _ in }
        if let error = inner.values.first { throw error }
    }

    private typealias Update = @Sendable (TextDataSource, inout BatchRecorder) throws -> Void

    /// The mistakes that are made in one updates closure.
    private var update: Update? {
        switch self {
        case .throwingClosure: { _, _ in throw TestFailure("no row") }
        case .negativeCount: { source, _ in source.falseItemCounts[1] = -1 }
        case .tooManyItems: { source, _ in source.falseItemCounts[1] = 20_000_000 }
        case .dataSourceChangesWhileAsked:
            { source, changes in
                source.onCall = { [unowned source] call in
                    if case .nodeProvider = call { source.falseItemCounts[0] = 9 }
                }
                source.append("x", &changes)
            }
        default: edits
        }
    }

    private var edits: Update? {
        switch self {
        case .twoAddedAndOneRecorded:
            { source, changes in
                source.sections[0].items += ["x", "y"]
                changes.insertItems(at: [ItemPath(0, 3)])
            }
        case .nothingRecorded: { source, _ in source.sections[0].items.append("x") }
        case .modelNotChanged: { _, changes in changes.insertItems(at: [ItemPath(0, 0)]) }
        case .insertBeyondTheEnd:
            { source, changes in
                source.sections[0].items.append("x")
                changes.insertItems(at: [ItemPath(0, source.sections[0].items.count)])
            }
        case .deleteBeyondTheEnd:
            { source, changes in
                changes.deleteItems(at: [ItemPath(0, source.sections[0].items.count)])
                source.sections[0].items.removeLast()
            }
        case .deletedOneByOne:
            { source, changes in
                for _ in 0..<2 {
                    source.sections[0].items.removeFirst()
                    changes.deleteItems(at: [ItemPath(0, 0)])
                }
            }
        case .deletedTwice:
            { source, changes in
                source.sections[0].items.removeFirst()
                changes.deleteItems(at: [ItemPath(0, 0), ItemPath(0, 0)])
            }
        default: structuralEdits
        }
    }

    private var structuralEdits: Update? {
        switch self {
        case .reloadOfADeletedItem:
            { source, changes in
                source.sections[0].items.removeFirst()
                changes.deleteItems(at: [ItemPath(0, 0)])
                changes.reloadItems(at: [ItemPath(0, 0)])
            }
        case .moveToADeletedSection:
            { source, changes in
                source.sections.removeLast()
                changes.deleteSections([1])
                changes.moveItem(at: ItemPath(0, 0), to: ItemPath(1, 0))
            }
        case .newSectionNotRecorded:
            { source, changes in
                source.sections.append(["x"])
                changes.insertItems(at: [ItemPath(2, 0)])
            }
        case .sectionGoneButOnlyItsItemsRecorded:
            { source, changes in
                source.sections.removeLast()
                changes.deleteItems(at: [ItemPath(1, 0)])
            }
        case .recordedForAnotherSection:
            { source, changes in
                source.sections[1].items.append("x")
                changes.insertItems(at: [ItemPath(0, 1)])
            }
        default: nil
        }
    }
}
