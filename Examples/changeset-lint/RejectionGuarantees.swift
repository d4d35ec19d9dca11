import CollectionPipeline

/// What must hold after a change set was rejected: that nothing has happened.
struct RejectionGuarantees {
    let before: ElementMap
    let pendingMap: ElementMap
    let visibleMap: ElementMap
    /// What the view was last updated to.
    let shownMap: ElementMap?
    /// The requests for content.
    let asks: [String]

    /// The guarantees that do not hold, each in a sentence that begins with its name.
    var faults: [String] {
        let faults: [String?] = [
            isUnchanged(pendingMap) ? nil : "the pending map changed",
            isUnchanged(visibleMap) ? nil : "the visible map changed",
            shownMap?.isIdentical(to: before) == true ? nil : "the view was updated",
            asks.isEmpty ? nil : "content was asked for",
        ]
        return faults.compactMap(\.self).map {
            "Whole Or Nothing: \($0) although the set was refused"
        }
    }

    private func isUnchanged(_ map: ElementMap) -> Bool {
        map.isIdentical(to: before) && map.generation == before.generation
    }
}
