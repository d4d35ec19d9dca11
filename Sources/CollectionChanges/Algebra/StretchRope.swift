/// The items of one section of the state between updates, as stretches in order, in chunks.
///
/// Complexity: for r stretches a single edit costs O(√r) in practice: a sum for each chunk, then one chunk.
/// Many edits at once cost O(r) and their number.
struct StretchRope {
    /// All stretches in one array, after many edits at once; they are cut into chunks when single ones come.
    private var whole: [ItemStretch]?
    /// Else: not empty, each of at most `chunkLimit` stretches.
    private var chunks: [[ItemStretch]] = []
    /// By chunk, the number of items in it.
    private var counts: [Int] = []
    /// The number of stretches.
    private(set) var stretchCount: Int

    /// About as many stretches in a chunk as there are chunks where it matters, at some hundred stretches; 32 are
    /// one kilobyte.
    private static let chunkLimit = 32

    init(_ stretch: ItemStretch) {
        stretchCount = stretch.count == 0 ? 0 : 1
        if stretch.count > 0 {
            chunks = [[stretch]]
            counts = [stretch.count]
        }
    }

    init(_ stretches: [ItemStretch]) {
        whole = stretches
        stretchCount = stretches.count
    }

    private mutating func cut() {
        guard let stretches = whole else { return }
        whole = nil
        let size = Self.chunkLimit * 3 / 4
        chunks.reserveCapacity(stretches.count / size + 1)
        counts.reserveCapacity(stretches.count / size + 1)
        var start = 0
        while start < stretches.count {
            let end = min(start + size, stretches.count)
            chunks.append(Array(stretches[start..<end]))
            counts.append(stretches[start..<end].reduce(0) { $0 + $1.count })
            start = end
        }
    }

    /// All stretches in order.
    var stretches: [ItemStretch] {
        if let whole { return whole }
        if chunks.count == 1 { return chunks[0] }
        var result: [ItemStretch] = []
        result.reserveCapacity(stretchCount)
        for chunk in chunks { result += chunk }
        return result
    }

    // MARK: One edit

    /// Removes the item at `item`, and gives it as a stretch.
    mutating func remove(at item: Int) -> ItemStretch {
        cut()
        var (chunk, offset) = (0, item)
        while offset >= counts[chunk] {
            offset -= counts[chunk]
            chunk += 1
        }
        counts[chunk] -= 1
        let before = chunks[chunk].count
        let removed = Self.remove(at: offset, from: &chunks[chunk])
        stretchCount += chunks[chunk].count - before
        tidy(chunk)
        return removed
    }

    /// Inserts `stretch` before the item at `item`, or at the end.
    mutating func insert(_ stretch: ItemStretch, at item: Int, home: Int) {
        cut()
        if chunks.isEmpty {
            self = StretchRope(stretch)
            return
        }
        var (chunk, offset) = (0, item)
        while offset > counts[chunk] {
            offset -= counts[chunk]
            chunk += 1
        }
        counts[chunk] += stretch.count
        let before = chunks[chunk].count
        Self.insert(stretch, at: offset, into: &chunks[chunk], home: home)
        stretchCount += chunks[chunk].count - before
        tidy(chunk)
    }

    private static func remove(at item: Int, from chunk: inout [ItemStretch]) -> ItemStretch {
        var (index, offset) = (0, item)
        while offset >= chunk[index].count {
            offset -= chunk[index].count
            index += 1
        }
        let stretch = chunk[index]
        let removed = stretch.part(offset, 1)
        if stretch.count == 1 {
            chunk.remove(at: index)
            if index > 0, index < chunk.count, chunk[index - 1].continues(with: chunk[index]) {
                chunk[index - 1].count += chunk[index].count
                chunk.remove(at: index)
            }
        } else if offset == 0 || stretch.isFresh {
            chunk[index] = stretch.part(1, stretch.count - 1)
        } else {
            chunk[index].count = offset
            let rest = stretch.count - offset - 1
            if rest > 0 { chunk.insert(stretch.part(offset + 1, rest), at: index + 1) }
        }
        return removed
    }

    private static func insert(
        _ stretch: ItemStretch,
        at item: Int,
        into chunk: inout [ItemStretch],
        home: Int
    ) {
        var (index, offset) = (0, item)
        while index < chunk.count, offset >= chunk[index].count {
            offset -= chunk[index].count
            index += 1
        }
        if offset > 0 {
            let whole = chunk[index]
            if whole.isFresh, stretch.isFresh, whole.history == stretch.history {
                chunk[index].count += stretch.count
                return
            }
            chunk[index].count = offset
            chunk.insert(whole.part(offset, whole.count - offset), at: index + 1)
            chunk.insert(stretch, at: index + 1)
            return
        }
        var stretch = stretch
        let previous = index > 0 ? chunk[index - 1] : nil
        let next = index < chunk.count ? chunk[index] : nil
        stretch.settle(between: previous, next, home: home)
        let joinsPrevious = previous?.continues(with: stretch) ?? false
        let joinsNext = next.map { stretch.continues(with: $0) } ?? false
        switch (joinsPrevious, joinsNext) {
        case (true, true):
            chunk[index - 1].count += stretch.count + chunk[index].count
            chunk.remove(at: index)
        case (true, false):
            chunk[index - 1].count += stretch.count
        case (false, true):
            stretch.count += chunk[index].count
            chunk[index] = stretch
        case (false, false):
            chunk.insert(stretch, at: index)
        }
    }

    /// Keeps chunks neither empty nor too long nor many and short.
    private mutating func tidy(_ chunk: Int) {
        let length = chunks[chunk].count
        if length > Self.chunkLimit {
            let half = length / 2
            let rest = Array(chunks[chunk][half...])
            chunks[chunk].removeSubrange(half...)
            let restCount = rest.reduce(0) { $0 + $1.count }
            chunks.insert(rest, at: chunk + 1)
            counts.insert(restCount, at: chunk + 1)
            counts[chunk] -= restCount
        } else if length < Self.chunkLimit / 4 {
            if length == 0 {
                chunks.remove(at: chunk)
                counts.remove(at: chunk)
            } else if chunk + 1 < chunks.count, chunks[chunk + 1].count < Self.chunkLimit / 2 {
                join(chunk)
            } else if chunk > 0, chunks[chunk - 1].count < Self.chunkLimit / 2 {
                join(chunk - 1)
            }
        }
    }

    /// Joins a chunk with the one behind it.
    private mutating func join(_ chunk: Int) {
        var behind = chunks.remove(at: chunk + 1)[...]
        counts[chunk] += counts.remove(at: chunk + 1)
        if let first = behind.first, let last = chunks[chunk].last, last.continues(with: first) {
            chunks[chunk][chunks[chunk].count - 1].count += first.count
            behind.removeFirst()
            stretchCount -= 1
        }
        chunks[chunk] += behind
    }

    // MARK: Many edits

    /// Whether so many edits are done faster in one pass over all stretches.
    func isWorthwhile(forEdits edits: Int) -> Bool { edits > 8 && edits > stretchCount / 32 }
}

extension ItemStretch {
    /// What comes back beside a neighbour that never moved has not moved either; without this an item that went
    /// to and fro would stay a stretch of its own for ever.
    ///
    /// - Parameter home: the section at the start that is the one around now.
    mutating func settle(
        between previous: ItemStretch?,
        _ next: ItemStretch?,
        home: Int
    ) {
        guard isKept, oldSection == home, history.arrival != 0 else { return }
        var settled = self
        settled.history.arrival = 0
        if let previous, previous.continues(with: settled) { self = settled }
        if let next, settled.continues(with: next) { self = settled }
    }
}
