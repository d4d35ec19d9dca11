import CollectionPipeline

/// What must hold after a change set was accepted and deployed, whatever it was.
struct AcceptanceGuarantees {
    let acceptance: Examination.Acceptance
    let before: ElementNames
    let pendingMap: ElementMap
    let visibleMap: ElementMap

    /// The guarantees that do not hold, each in a sentence that begins with its name.
    var faults: [String] {
        var faults: [String] = []
        if !visibleMap.isIdentical(to: pendingMap) {
            faults.append("Consistent Snapshot: the visible map is not the pending one")
        }
        if pendingMap.shape != acceptance.update.newShape {
            faults.append("Consistent Snapshot: the map has the shape \(pendingMap.shape)")
        }
        faults += applicationFaults
        faults += itemFaults
        return faults
    }

    /// Applying the edits to the names before must give the names afterwards, and ask for new items
    /// as the data source was asked.
    private var applicationFaults: [String] {
        let names = before.names(in: before.map)
        var asks = acceptance.update.sectionPutIns.filter { $0.role != .move }
            .map { "c\($0.section)" }
        var itemCount = 0
        let map = acceptance.update.apply(to: names.map) { newPath in
            asks.append("b\(newPath.section).\(newPath.item)")
            defer { itemCount += 1 }
            return "n\(itemCount)"
        }
        var faults: [String] = []
        if map != acceptance.map {
            faults.append("Consistent Snapshot: applying the edits gives another map")
        }
        if asks != acceptance.asks {
            faults.append("the data source was asked in another order than that of the edits")
        }
        return faults
    }

    private var itemFaults: [String] {
        var faults: [String] = []
        for item in visibleMap.items {
            if case .measured = item.content.state {
            } else {
                faults.append("the item at \(item.path) was deployed without being measured")
            }
            if visibleMap.path(of: item.element) != item.path {
                faults.append("the item at \(item.path) is not found by its identity")
            }
            let oldPath = acceptance.update.oldPath(for: item.path)
            let oldPathByIdentity = before.map.path(of: item.element)
            // A reloaded item maps to the place of its former self, which is another element.
            if let oldPathByIdentity, oldPathByIdentity != oldPath {
                faults.append("Identity Kept: the item at \(item.path) is mapped wrongly")
            }
        }
        return faults
    }
}
