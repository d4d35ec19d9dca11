import CollectionElements

/// An object that is notified of every update that a controller accepts, on the main lane.
protocol UpdateHistory: AnyObject {
    /// Returns the step of this history that caused an update, or `nil` if none did. The update is
    /// about to be accepted.
    func step(of update: ValidatedChangeSet) -> HistoryStep<ChangedModels>?

    /// Notifies the history of an accepted update.
    ///
    /// - Parameters:
    ///   - update: The accepted update.
    ///   - step: The step that caused the update, of any history.
    ///   - oldMap: The pending map before the update.
    ///   - newMap: The pending map after the update.
    func accepted(
        _ update: ValidatedChangeSet,
        _ step: HistoryStep<ChangedModels>?,
        from oldMap: ElementMap,
        to newMap: ElementMap
    )
}

/// A weak reference to a history, so that a controller does not keep it alive.
struct WeakHistory {
    weak var history: (any UpdateHistory)?
}

/// The models that an update removed, inserted or changed, if the data source returned them. They
/// are needed to revert the update, and to determine whether its items are still as the user left
/// them.
struct ChangedModels: Sendable {
    typealias Model = (ItemPath) -> (any Sendable)?

    /// The models before the update, by old path.
    private(set) var removed: [ItemPath: any Sendable] = [:]
    /// The models after the update, by new path.
    private(set) var left: [ItemPath: any Sendable] = [:]

    /// Creates the models of an update.
    ///
    /// - Complexity: O(k log n) for k items that are removed, inserted or reconfigured.
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
            for path in update.newItemPaths(ofSection: edit) { left[path] = newModel(path) }
        }
        for edit in update.reconfigurations {
            removed[edit.oldPath] = oldModel(edit.oldPath)
            left[edit.newPath] = newModel(edit.newPath)
        }
    }

    /// Returns whether a model equals the one that the update left at a path.
    func isRestored(_ path: ItemPath, _ model: (any Sendable)?) -> Bool {
        guard let left = left[path] as? any Equatable, let model else { return false }
        return left.equals(model)
    }
}

extension Equatable {
    fileprivate func equals(_ other: any Sendable) -> Bool { other as? Self == self }
}
