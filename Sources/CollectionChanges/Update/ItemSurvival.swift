/// Rank and select over item edits, for items that neither left their section nor came into it.
struct ItemSurvival {
    /// Old paths, ascending.
    let removed: [ItemPath]
    /// New paths, ascending.
    let inserted: [ItemPath]

    func newItem(for oldPath: ItemPath, in newSection: Int) -> Int {
        let listed = removed.positions(inSection: oldPath.section) { $0.section }
        let rankOfSurvivor =
            oldPath.item
            - rank(of: oldPath.item, among: listed.count) {
                removed[listed.lowerBound + $0].item
            }
        let placed = inserted.positions(inSection: newSection) { $0.section }
        return unlistedInteger(rank: rankOfSurvivor, among: placed.count) {
            inserted[placed.lowerBound + $0].item
        }
    }
}
