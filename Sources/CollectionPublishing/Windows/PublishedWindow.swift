/// Which part of a list a reader wants to see.
///
/// Windows are counted in *rows*: the header of the first section is row 0, then come its items, then the header of the
/// next section, whether or not it shows anything. So a list of one section has its item 0 in row 1.
///
/// ```swift
/// let top = PublishedWindow.rows(0, count: 50)
/// // What the reader reads stays in the middle, whatever comes and goes above it.
/// let reading = PublishedWindow.around(row: 1_200, at: replica.version, before: 50, after: 50)
/// ```
///
/// Where a list ends within a window, it is shorter, until more comes.
public struct PublishedWindow: Hashable, Sendable {
    enum Pin: Hashable, Sendable {
        /// A place: what comes before it pushes through it.
        case place(Int)
        /// Whatever was in a row at a version, and moves with it.
        case row(Int, PublishedVersion?)
    }

    let pin: Pin
    /// How many rows before the pin are seen.
    let before: Int
    /// How many from it on.
    let count: Int

    /// Always these rows, whatever is in them.
    ///
    /// - Parameters:
    ///   - first: the first of them, from 0.
    ///   - count: how many, at least 0; at most ``HubConfiguration/windowRowLimit``.
    public static func rows(_ first: Int, count: Int) -> PublishedWindow {
        PublishedWindow(pin: .place(first), before: 0, count: count)
    }

    /// What is in a row now, with its neighbours, wherever it goes; where it is removed, what came after it. Where
    /// everything is replaced, or nobody knows any more where it went (``ResetReason/forgotten``), what is in the same row
    /// then; in a list of nothing what comes first.
    ///
    /// - Parameters:
    ///   - row: which, from 0; the last where there are not as many.
    ///   - version: when it was there; nil for the version that the hub is at when it takes this up. One that is not known
    ///     any more is taken for that too, unless it is the one that the reader was told last, and the row one that it saw.
    ///   - before: how many rows before it are seen, at least 0.
    ///   - after: how many after it, at least 0; with those before at most ``HubConfiguration/windowRowLimit`` - 1.
    public static func around(
        row: Int,
        at version: PublishedVersion? = nil,
        before: Int,
        after: Int
    ) -> PublishedWindow {
        // What is too large must be seen to be, also beyond what an Int can hold.
        let (sum, overflows) = before.addingReportingOverflow(after)
        let count = after < 0 ? -1 : overflows || sum == .max ? .max : sum + 1
        return PublishedWindow(pin: .row(row, version), before: before, count: count)
    }

    /// The same, of which it is known at which version its row is meant.
    func pinned(at version: PublishedVersion) -> PublishedWindow {
        guard case .row(let row, nil) = pin else { return self }
        return PublishedWindow(pin: .row(row, version), before: before, count: count)
    }

    /// Whether there could be such rows, and as many are allowed.
    func check(limit: Int) throws(HubError) {
        let row =
            switch pin {
            case .place(let row), .row(let row, _): row
            }
        // However much is allowed, rows can be added to it.
        guard row >= 0, before >= 0, count >= 0, count <= min(limit, 1 << 40) else {
            throw .invalidWindow(self, limit: limit)
        }
    }
}

extension PublishedWindow: CustomStringConvertible {
    /// The rows, such as `50 rows from 100` or `8 rows, 3 of them before row 7`.
    public var description: String {
        switch pin {
        case .place(let row): "\(count) rows from \(row)"
        case .row(let row, _):
            "\(count) rows, \(before) of them before row \(row)"
        }
    }
}
