import CollectionChanges

/// The calls that belong to the main lane, by the names that a message has for them.
enum SynchronousCall {
    case performBatchUpdates
    case beginUpdates
    case endUpdates
    case edit(HierarchyChangeSet.Operation)
    case relayoutItems
    case relayoutAllNodes
    case clear

    /// The call as it is written.
    var name: String {
        switch self {
        case .performBatchUpdates: "performBatchUpdates(_:completion:)"
        case .beginUpdates: "beginUpdates()"
        case .endUpdates: "endUpdates()"
        case .edit(let operation): operation.callName
        case .relayoutItems: "relayoutItems(at:)"
        case .relayoutAllNodes: "relayoutAllNodes()"
        case .clear: "clear()"
        }
    }

    /// What to use elsewhere.
    var alternative: String {
        switch self {
        case .edit(.reloadData): "use 'await reloadData()'"
        case .performBatchUpdates, .beginUpdates, .endUpdates, .edit:
            "use 'await performBatchUpdates(_:)' or enqueueBatchUpdates(_:completion:)"
        case .relayoutItems, .relayoutAllNodes, .clear: "use 'await \(name)'"
        }
    }
}

extension HierarchyChangeSet.Operation {
    /// The name of the call that records it.
    fileprivate var callName: String {
        switch self {
        case .deleteItems: "deleteItems(at:)"
        case .insertItems: "insertItems(at:)"
        case .reloadItems: "reloadItems(at:)"
        case .reconfigureItems: "reconfigureItems(at:)"
        case .moveItem: "moveItem(at:to:)"
        case .deleteSections: "deleteSections(_:)"
        case .insertSections: "insertSections(_:)"
        case .reloadSections: "reloadSections(_:)"
        case .reconfigureSections: "reconfigureSections(_:)"
        case .moveSection: "moveSection(_:toSection:)"
        case .reloadSupplementaries: "reloadSupplementaries(ofKind:in:)"
        case .reloadData: "reloadData(completion:)"
        }
    }
}

extension PipelineCore {
    /// Stops the process if a call comes from another lane.
    func requirePlace(of call: SynchronousCall) {
        lane.requireCurrent(call.name, instead: call.alternative)
    }
}
