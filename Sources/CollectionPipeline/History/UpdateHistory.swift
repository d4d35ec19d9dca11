import CollectionElements

/// Who is told of every update that a controller accepts; on the main lane.
protocol UpdateHistory: AnyObject {
    /// - Parameter oldMap: the pending map before it.
    func accepted(_ update: ValidatedChangeSet, from oldMap: ElementMap)
}

/// Kept by a controller, which keeps no history alive.
struct WeakHistory {
    weak var history: (any UpdateHistory)?
}

/// What an update took away or changed, as far as the data source gave models: what is needed to take it back.
struct RemovedModels: Sendable {
    private(set) var models: [ItemPath: any Sendable] = [:]

    /// - Complexity: O(k log n) for k items that go or are reconfigured.
    init(_ update: ValidatedChangeSet, _ model: (ItemPath) -> (any Sendable)?) {
        for edit in update.itemRemovals where edit.role != .move { take(edit.path, model) }
        for edit in update.sectionRemovals where edit.role != .move {
            take(edit.section, update, model)
        }
        for reconfiguration in update.reconfigurations { take(reconfiguration.oldPath, model) }
    }

    private mutating func take(
        _ section: Int,
        _ update: ValidatedChangeSet,
        _ model: (ItemPath) -> (any Sendable)?
    ) {
        for item in 0..<update.oldShape.itemCounts[section] {
            take(ItemPath(section: section, item: item), model)
        }
    }

    private mutating func take(_ path: ItemPath, _ model: (ItemPath) -> (any Sendable)?) {
        if let model = model(path) { models[path] = model }
    }
}
