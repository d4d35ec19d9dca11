import CollectionElements

/// What undoing or redoing does to a data source: an update from its newest state, and the models that come back.
public struct UndoStep: Sendable {
    let step: HistoryStep<ChangedModels>

    /// Whether something is taken back or done again.
    public enum Direction: Hashable, Sendable {
        /// What was done is taken back.
        case undo
        /// What was taken back is done again.
        case redo
    }

    /// Whether something is taken back or done again.
    public var direction: Direction { step.direction == .undo ? .undo : .redo }

    /// The update, from the newest state of the data source.
    public var update: ValidatedChangeSet { step.update }

    /// What is not taken back, because others have removed it or because it is not as it was left.
    public var dropped: [DroppedEdit] { step.dropped }

    /// The model of an item that comes back or is reconfigured, as it was then; nil where the data source had given
    /// none.
    ///
    /// - Parameter newPath: in the space of the update's new state.
    public func model(at newPath: ItemPath) -> (any Sendable)? {
        step.origin(of: newPath).flatMap { step.parts[$0.part].context.removed[$0.path] }
    }

    /// Does all of the update to an array of arrays of models, which then are as the step wants them.
    ///
    /// - Throws: ``MissingModel`` where the data source had given no model of that type, and `sectionCount` or
    ///   `itemCount` of `HierarchyUpdateError` where `sections` has another shape; `sections` is then as before.
    /// - Complexity: as applying the update.
    public func apply<Model>(to sections: inout [[Model]]) throws {
        func known(_ path: ItemPath) throws -> Model {
            guard let model = model(at: path) as? Model else { throw MissingModel(path: path) }
            return model
        }
        var result = try update.apply(to: sections, fresh: known)
        for reconfiguration in update.reconfigurations {
            let path = reconfiguration.newPath
            result[path.section][path.item] = try known(path)
        }
        sections = result
    }

    /// What is needed to take it back in turn, for each part.
    func contexts(from oldMap: ElementMap) -> [ChangedModels] {
        func model(at path: ItemPath, before part: Int) -> (any Sendable)? {
            switch step.source(of: path, before: part) {
            case .old(let oldPath): oldMap.content(at: oldPath)?.model
            case .part(let origin): step.parts[origin.part].context.removed[origin.path]
            case nil: nil
            }
        }
        return step.parts.indices.map { part in
            ChangedModels(
                step.parts[part].update,
                { model(at: $0, before: part) },
                { model(at: $0, before: part + 1) }
            )
        }
    }
}
