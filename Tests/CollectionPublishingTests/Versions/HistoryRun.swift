import PipelineTestSupport

@testable import CollectionPublishing

/// A history together with its model.
struct HistoryRun: MachineRun {
    enum Input: CaseIterable {
        /// An update that inserts at the front and moves the last item there.
        case insert
        /// An update that deletes the first item and changes the last item and the header.
        case change
        /// An update that reloads the first item and swaps the sections.
        case reload
        case retainNewest, retainOldest
        case releaseNewest, releaseOldest, releaseForgotten
        /// A query, after which composed stretches are kept.
        case ask
    }

    private var history: VersionHistory
    private var model: HistoryModel
    private var state: StateModel
    private var source: ContentGenerator
    private var isQueried = false

    init(_ limits: VersionHistory.Limits) {
        var source = ContentGenerator(isComplete: true)
        let items = (0..<2).map { _ in source.item() }
        state = StateModel(sections: [
            StateModel.Section(section: source.section(), items: items),
            StateModel.Section(section: source.section()),
        ])
        self.source = source
        history = VersionHistory(at: 0, limits: limits)
        model = HistoryModel(state, limits)
    }

    mutating func take(_ input: Input) -> Bool {
        switch input {
        case .insert, .change, .reload: go(on: input)
        case .retainNewest: retain(model.newest)
        case .retainOldest:
            guard model.known[0] != model.newest else { return false }
            retain(model.known[0])
        case .releaseNewest:
            guard let version = model.held.last else { return false }
            release(version)
        case .releaseOldest:
            guard let version = model.held.first, model.held.count > 1 else { return false }
            release(version)
        case .releaseForgotten:
            guard let version = model.forgotten.last else { return false }
            release(version)
        case .ask:
            guard model.known[0] != model.newest else { return false }
            _ = history.changes(since: model.known[0])
            isQueried = true
        }
        return true
    }

    private mutating func go(on input: Input) {
        let update = Self.update(input, from: state.shape)
        _ = state.apply(update, &source)
        // Some numbers do not occur.
        let version = model.newest + (input == .change ? 3 : 1)
        history.append(update, to: version)
        model.append(update, to: version, state)
    }

    private mutating func retain(_ version: Int) {
        model.retain(version)
        history.retain(version)
    }

    private mutating func release(_ version: Int) {
        model.release(version)
        history.release(version)
    }

    var fault: String? {
        let versions = [.min, .max] + (-1...model.newest + 1).map { $0 }
        return model.fault(of: history, querying: versions)
            ?? model.excess(of: history, isQueried: isQueried)
    }

    private static func update(_ input: Input, from old: HierarchyShape) -> ValidatedChangeSet {
        let (first, second) = (old.itemCounts[0], old.itemCounts[1])
        var changes = HierarchyChangeSet()
        var new = [first, second]
        switch input {
        case .insert:
            changes.insertItems(at: [ItemPath(0, 0)])
            if first > 1 { changes.moveItem(at: ItemPath(0, first - 1), to: ItemPath(0, 1)) }
            new = [first + 1, second]
        case .change:
            changes.reloadSupplementaries(ofKind: .header, in: [0])
            if first > 1 { changes.reconfigureItems(at: [ItemPath(0, first - 1)]) }
            if first > 0 { changes.deleteItems(at: [ItemPath(0, 0)]) }
            new = [max(0, first - 1), second]
        default:
            if first > 0 { changes.reloadItems(at: [ItemPath(0, 0)]) }
            changes.moveSection(0, toSection: 1)
            new = [second, first]
        }
        do {
            return try changes.validated(from: old, to: HierarchyShape(new))
        } catch {
            fatalError("the updates of this test are valid: \(error)")
        }
    }
}
