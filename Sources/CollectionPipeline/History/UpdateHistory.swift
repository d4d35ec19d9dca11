import CollectionElements

/// Who is told of every update that a controller accepts; on the main lane.
protocol UpdateHistory: AnyObject {
    /// The step of this history of which an update comes that is about to be accepted; nil if it comes of none.
    func step(of update: ValidatedChangeSet) -> HistoryStep<ChangedModels>?

    /// - Parameters:
    ///   - step: the step of which the update comes, of whichever history.
    ///   - oldMap: the pending map before it.
    ///   - newMap: the one after it.
    func accepted(
        _ update: ValidatedChangeSet,
        _ step: HistoryStep<ChangedModels>?,
        from oldMap: ElementMap,
        to newMap: ElementMap
    )
}

/// Kept by a controller, which keeps no history alive.
struct WeakHistory {
    weak var history: (any UpdateHistory)?
}

/// What an update took away, brought or changed, as far as the data source gave models: what is needed to take it back,
/// and to know whether it is still as it was left.
struct ChangedModels: Sendable {
    typealias Model = (ItemPath) -> (any Sendable)?

    /// By old path.
    private(set) var removed: [ItemPath: any Sendable] = [:]
    /// By new path.
    private(set) var left: [ItemPath: any Sendable] = [:]

    /// - Complexity: O(k log n) for k items that go, come or are reconfigured.
    init(_ update: ValidatedChangeSet, _ oldModel: Model, _ newModel: Model) {
        for edit in update.itemRemovals where edit.role != .move {
            removed[edit.path] = oldModel(edit.path)
        }
        for edit in update.sectionRemovals where edit.role != .move {
            for item in 0..<update.oldShape.itemCounts[edit.section] {
                let path = ItemPath(section: edit.section, item: item)
                removed[path] = oldModel(path)
            }
        }
        for edit in update.itemInsertions where edit.role != .move {
            left[edit.path] = newModel(edit.path)
        }
        for edit in update.sectionInsertions where edit.role != .move {
            for path in update.freshPaths(ofSection: edit) { left[path] = newModel(path) }
        }
        for edit in update.reconfigurations {
            removed[edit.oldPath] = oldModel(edit.oldPath)
            left[edit.newPath] = newModel(edit.newPath)
        }
    }

    /// Whether an item that was left at a path shows the same as another model does.
    func isAsLeft(_ path: ItemPath, _ model: (any Sendable)?) -> Bool {
        guard let left = left[path] as? any Equatable, let model else { return false }
        return left.equals(model)
    }
}

extension Equatable {
    fileprivate func equals(_ other: any Sendable) -> Bool { other as? Self == self }
}
