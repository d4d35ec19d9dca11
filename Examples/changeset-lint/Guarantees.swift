import CollectionPipeline

/// The guarantees that must hold after any change set was accepted and deployed.
struct AcceptanceGuarantees {
    let acceptance: Examination.Acceptance
    let before: ElementNames
    /// The old map of the view's update.
    let updatedMap: ElementMap
    let pendingMap: ElementMap
    let visibleMap: ElementMap

    /// The broken guarantees, one sentence for each, which begins with the guarantee's name if it
    /// has one.
    var faults: [String] {
        mapFaults + applicationFaults + visibleMap.items.flatMap { origin(of: $0).faults }
    }

    private var mapFaults: [String] {
        let faults: [String?] = [
            updatedMap.isIdentical(to: before.map)
                ? nil : "Consistent Snapshot: the view was updated from another map",
            visibleMap.isIdentical(to: pendingMap)
                ? nil : "Consistent Snapshot: the visible map is not the pending one",
            pendingMap.shape == acceptance.update.newShape
                ? nil : "Consistent Snapshot: the map has the shape \(pendingMap.shape)",
        ]
        return faults.compactMap(\.self)
    }

    /// Applying the edits to the old names must give the new names, and must request new items in
    /// the order in which the data source received the requests.
    private var applicationFaults: [String] {
        let names = before.names(in: before.map)
        var contentRequests = acceptance.update.sectionInsertions.filter { $0.role != .move }
            .map { "c\($0.section)" }
        var itemCount = 0
        let map = acceptance.update.applyUnchecked(to: names.map) { newPath in
            contentRequests.append("b\(newPath.section).\(newPath.item)")
            defer { itemCount += 1 }
            return "n\(itemCount)"
        }
        let faults: [String?] = [
            map == acceptance.map
                ? nil : "Consistent Snapshot: applying the edits gives another map",
            contentRequests == acceptance.contentRequests
                ? nil
                : "the data source received the requests in another order than that of the edits",
        ]
        return faults.compactMap(\.self)
    }

    private func origin(of item: ElementMap.Items.Element) -> ItemOrigin {
        let isMeasured = if case .measured = item.content.state { true } else { false }
        return ItemOrigin(
            path: item.path,
            isMeasured: isMeasured,
            pathByIdentity: visibleMap.path(of: item.element),
            oldPath: acceptance.update.oldPath(for: item.path),
            oldPathByIdentity: before.map.path(of: item.element)
        )
    }
}

/// The guarantees that must hold after a change set was rejected: nothing has changed.
struct RejectionGuarantees {
    let before: ElementMap
    let pendingMap: ElementMap
    let visibleMap: ElementMap
    /// The new map of the view's last update.
    let shownMap: ElementMap?
    /// The requests for content.
    let contentRequests: [String]

    /// The broken guarantees, one sentence for each.
    var faults: [String] {
        let faults: [String?] = [
            isUnchanged(pendingMap) ? nil : "the pending map changed",
            isUnchanged(visibleMap) ? nil : "the visible map changed",
            shownMap?.isIdentical(to: before) == true ? nil : "the view was updated",
            contentRequests.isEmpty ? nil : "content was requested",
        ]
        return faults.compactMap(\.self).map {
            "Whole Or Nothing: \($0) although the change set was rejected"
        }
    }

    private func isUnchanged(_ map: ElementMap) -> Bool {
        map.isIdentical(to: before) && map.generation == before.generation
    }
}

/// The places of a deployed item: according to the mappings of the change set, and according to the
/// element's identity.
struct ItemOrigin {
    let path: ItemPath
    let isMeasured: Bool
    let pathByIdentity: ItemPath?
    let oldPath: ItemPath?
    /// `nil` for a new element. A reloaded element is also new, although it maps to its
    /// predecessor's path.
    let oldPathByIdentity: ItemPath?

    /// The broken guarantees, one sentence for each.
    var faults: [String] {
        let faults: [String?] = [
            isMeasured ? nil : "the item at \(path) was deployed without being measured",
            pathByIdentity == path ? nil : "the item at \(path) is not found by its identity",
            oldPathByIdentity == nil || oldPathByIdentity == oldPath
                ? nil : "Identity Kept: the item at \(path) is mapped wrongly",
        ]
        return faults.compactMap(\.self)
    }
}
