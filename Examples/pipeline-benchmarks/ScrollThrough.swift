import Synchronization

/// What it came to that rows which are laid out beforehand, and released when they are far away, were scrolled through
/// from the first to the last, a screenful at a time.
struct ScrollThrough {
    let nodesMade: Int
    /// The most that were there at the end of a step.
    let mostViewportsAlive: Double
    /// The main lane's part of each step.
    let steps: [Double]

    private static let known = Mutex<[Int: ScrollThrough]>([:])

    /// Scrolls through so many rows, once in a process: three figures tell of it.
    static func of(_ rowCount: Int) throws -> ScrollThrough {
        if let known = known.withLock({ $0[rowCount] }) { return known }
        let found = try ScrollThrough(rowCount)
        known.withLock { $0[rowCount] = found }
        return found
    }

    private init(_ rowCount: Int) throws {
        let rows = try PreparedRows(rowCount: rowCount, releasesNodes: true)
        var (steps, most): ([Double], Double) = ([], 0)
        // Twice as many as it takes.
        let limit = max(10, rowCount / 25)
        repeat {
            steps.append(rows.nanosecondsOfScreenful())
            most = max(most, rows.viewportsAlive)
            guard steps.count < limit else { throw Failure("the last row is never reached") }
        } while steps.count % 50 != 0 || !rows.isAtEnd
        (nodesMade, mostViewportsAlive, self.steps) = (rows.nodesMade, most, steps)
    }
}
