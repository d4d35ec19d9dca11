/// A window as rows of a list at one version.
struct RowWindow: Hashable, Sendable {
    /// The row that it is counted from; one after the last where the list is too short.
    var pin: Int
    /// How many rows before the pin are seen.
    let before: Int
    /// How many from there on.
    let count: Int
    /// Whether the pin moves with what is in it.
    let follows: Bool

    /// Moves it, if it moves with what is in it, so that the first of its rows is another.
    mutating func begin(atRow row: Int) {
        if follows { pin = row + before }
    }

    /// The rows that are there of it, in a list of so many.
    func rows(of numberOfRows: Int) -> Range<Int> {
        // Where a row is within a list, adding the most that a window has cannot overflow.
        let end = min(numberOfRows, pin >= numberOfRows ? numberOfRows : pin - before + count)
        let start = min(max(0, pin - before), numberOfRows)
        return start..<max(start, end)
    }

    /// The old rows and gaps in which nothing may happen, or it would see something else: those between its first row
    /// and its last, and everything at an end of the list that is within it.
    func extent(of numberOfRows: Int) -> (first: Int, last: Int) {
        let rows = rows(of: numberOfRows)
        // Whatever comes first is seen.
        if rows.isEmpty, count > 0 { return (.min, .max) }
        let endsEarly = pin - before + count > rows.upperBound
        return (
            pin < before ? .min : 2 * rows.lowerBound + 1,
            endsEarly ? .max : 2 * rows.upperBound - 1
        )
    }
}
