import CollectionPipeline

/// What must hold after a change set was accepted and deployed, whatever it was.
struct AcceptanceGuarantees {
    let acceptance: Examination.Acceptance
    let before: ElementNames
    /// What the view was updated from.
    let updatedMap: ElementMap
    let pendingMap: ElementMap
    let visibleMap: ElementMap

    /// The guarantees that do not hold, each in a sentence that begins with its name.
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

    /// Applying the edits to the names before must give the names afterwards, and ask for new items
    /// as the data source was asked.
    private var applicationFaults: [String] {
        let names = before.names(in: before.map)
        var asks = acceptance.update.sectionInsertions.filter { $0.role != .move }
            .map { "c\($0.section)" }
        var itemCount = 0
        let map = acceptance.update.applyUnchecked(to: names.map) { newPath in
            asks.append("b\(newPath.section).\(newPath.item)")
            defer { itemCount += 1 }
            return "n\(itemCount)"
        }
        let faults: [String?] = [
            map == acceptance.map
                ? nil : "Consistent Snapshot: applying the edits gives another map",
            asks == acceptance.asks
                ? nil : "the data source was asked in another order than that of the edits",
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
