import CollectionPipeline

/// Where a deployed item is and was: what the mappings of the change set say, and where the element
/// itself is found.
struct ItemOrigin {
    let path: ItemPath
    let isMeasured: Bool
    let pathByIdentity: ItemPath?
    let oldPath: ItemPath?
    /// Nil for a new element, also for a reloaded one, which maps to the place of its former self.
    let oldPathByIdentity: ItemPath?

    /// What cannot be, each in a sentence.
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
