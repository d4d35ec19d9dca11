/// Rank and select over item edits, for items that neither left their section nor came into it.
struct ItemSurvival {
    /// Old paths, ascending.
    let takenOut: [ItemPath]
    /// New paths, ascending.
    let putIn: [ItemPath]

    func newItem(for oldPath: ItemPath, in newSection: Int) -> Int {
        let removed = takenOut.positions(inSection: oldPath.section) { $0.section }
        let rankOfSurvivor =
            oldPath.item
            - rank(of: oldPath.item, among: removed.count) {
                takenOut[removed.lowerBound + $0].item
            }
        let placed = putIn.positions(inSection: newSection) { $0.section }
        return unlistedInteger(rank: rankOfSurvivor, among: placed.count) {
            putIn[placed.lowerBound + $0].item
        }
    }
}
