/// The items of one section of a state between updates: a sequence of stretches, stored in chunks.
///
/// Complexity: for r stretches, a single edit takes O(√r) in practice: it scans the chunk counts,
/// then one chunk. A batch of k edits takes O(r + k).
struct StretchRope {
    /// All stretches in one array after a batch of edits. A single edit splits the array into
    /// chunks.
    private var whole: [ItemStretch]?
    /// The nonempty chunks of at most `chunkLimit` stretches, used if `whole` is `nil`.
    private var chunks: [[ItemStretch]] = []
    /// The number of items in each chunk.
    private var counts: [Int] = []
    /// The number of stretches.
    private(set) var stretchCount: Int

    /// The maximum number of stretches in a chunk. At several hundred stretches, where the limit
    /// matters, the length of the chunks is then close to their number. 32 stretches take one
    /// kilobyte.
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

    // MARK: Single edits

    /// Removes the item at `item` and returns it as a stretch.
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
        } else if offset == 0 || stretch.isNew {
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
            if whole.isNew, stretch.isNew, whole.history == stretch.history {
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

    /// Splits a chunk that is too long, removes an empty one, and joins a short one with a short
    /// neighbour.
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

    /// Joins a chunk with the next one.
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

    // MARK: Batches

    /// Returns whether this number of edits is faster in one pass over all stretches.
    func isWorthwhile(forEdits edits: Int) -> Bool { edits > 8 && edits > stretchCount / 32 }
}

extension ItemStretch {
    /// Marks an item as not moved if it returns to a neighbour that never moved. Otherwise an item
    /// that moved away and back would remain a separate stretch forever.
    ///
    /// - Parameters:
    ///   - previous: The stretch before the item.
    ///   - next: The stretch after the item.
    ///   - home: The old index of the current section.
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

// Each batch is one pass over all stretches of a section. The loops write directly into local
// arrays: closures that share variables would spend a third of the time on exclusivity checks.

extension StretchRope {
    /// Removes the items at ascending positions, and returns them in that order.
    mutating func remove(at places: [Int]) -> [ItemStretch] {
        var removed: [ItemStretch] = []
        removed.reserveCapacity(places.count)
        var rest = StretchWriter(capacity: stretchCount + places.count)
        var (number, start) = (0, 0)
        for stretch in stretches {
            var offset = 0
            while number < places.count, places[number] - start < stretch.count {
                let item = places[number] - start
                rest.append(stretch.part(offset, item - offset))
                removed.append(stretch.part(item, 1))
                offset = item + 1
                number += 1
            }
            rest.append(stretch.part(offset, stretch.count - offset))
            start += stretch.count
        }
        self = StretchRope(rest.finish())
        return removed
    }

    /// Inserts single items so that they end up at the given ascending positions.
    mutating func insert(_ arrivals: [ItemStretch], at places: [Int], home: Int) {
        var result = StretchWriter(capacity: stretchCount + 2 * places.count)
        var (number, end) = (0, 0)
        for stretch in stretches {
            var offset = 0
            while number < places.count, places[number] - end < stretch.count - offset {
                let room = places[number] - end
                result.append(stretch.part(offset, room))
                offset += room
                end += room + 1
                // The next element is the next arrival if that is directly adjacent.
                let followedByArrival = number + 1 < places.count && places[number + 1] == end
                let next =
                    followedByArrival
                    ? arrivals[number + 1] : stretch.part(offset, stretch.count - offset)
                result.append(arrivals[number], before: next, home: home)
                number += 1
            }
            result.append(stretch.part(offset, stretch.count - offset))
            end += stretch.count - offset
        }
        while number < places.count {
            let next = number + 1 < places.count ? arrivals[number + 1] : nil
            result.append(arrivals[number], before: next, home: home)
            number += 1
        }
        self = StretchRope(result.finish())
    }

    /// Reconfigures the items at ascending positions, each with the option code at the same index.
    mutating func reconfigure(at places: [Int], _ codes: [UInt32]) {
        var result = StretchWriter(capacity: stretchCount + 2 * places.count)
        var (number, start) = (0, 0)
        for stretch in stretches {
            var offset = 0
            while number < places.count, places[number] - start < stretch.count {
                let item = places[number] - start
                result.append(stretch.part(offset, item - offset))
                var updated = stretch.part(item, 1)
                updated.reconfigure(codes[number])
                result.append(updated)
                offset = item + 1
                number += 1
            }
            result.append(stretch.part(offset, stretch.count - offset))
            start += stretch.count
        }
        self = StretchRope(result.finish())
    }
}

/// A writer that appends stretches in order and joins adjacent ones that continue each other.
struct StretchWriter {
    private var written: [ItemStretch] = []
    /// The stretch that the next one may extend; it contains no items at the start.
    private var last = ItemStretch.inserted(0)

    init(capacity: Int) { written.reserveCapacity(capacity) }

    /// Returns all stretches written so far.
    consuming func finish() -> [ItemStretch] {
        if last.count > 0 { written.append(last) }
        return written
    }

    @inline(__always)
    mutating func append(_ stretch: ItemStretch) {
        if stretch.count == 0 { return }
        if last.continues(with: stretch) {
            last.count += stretch.count
        } else {
            if last.count > 0 { written.append(last) }
            last = stretch
        }
    }

    /// Appends an item that has just arrived, before `next`.
    mutating func append(_ arrival: ItemStretch, before next: ItemStretch?, home: Int) {
        var arrival = arrival
        arrival.settle(between: last.count > 0 ? last : nil, next, home: home)
        append(arrival)
    }
}

/// A sequence of items in one section of a state between updates that share their history, and that
/// were adjacent at the start or are all new.
struct ItemStretch: Equatable {
    /// The section of the first item at the start; negative if the items are new.
    var oldSection: Int
    var oldItem: Int
    var count: Int
    var history = History()

    /// Returns a stretch of new items.
    static func inserted(_ count: Int, _ history: History = History()) -> ItemStretch {
        ItemStretch(oldSection: -1, oldItem: 0, count: count, history: history)
    }

    var isNew: Bool { oldSection < 0 }

    /// Whether the items are the original ones, not replacements or new items.
    var isKept: Bool { !isNew && history.state != .replaced }

    /// Returns `count` items of the stretch, starting at `offset`.
    func part(_ offset: Int, _ count: Int) -> ItemStretch {
        ItemStretch(
            oldSection: oldSection,
            oldItem: isNew ? 0 : oldItem + offset,
            count: count,
            history: history
        )
    }

    /// Returns whether `next`, the directly following stretch, can be joined to this one.
    @inline(__always)
    func continues(with next: ItemStretch) -> Bool {
        history == next.history && continuesInOrigin(with: next)
    }

    /// Returns whether `next` directly followed this stretch at the start, whatever has happened to
    /// it since.
    @inline(__always)
    func continuesInOrigin(with next: ItemStretch) -> Bool {
        oldSection == next.oldSection && (isNew || oldItem + count == next.oldItem)
    }

    /// The history of an item, as far as it affects the update from the start to the end.
    ///
    /// It is stored in one word, so that neighbours compare quickly. Options are stored as codes of
    /// ``OptionCodes``; code 0 means that there is no option.
    struct History: Equatable {
        enum State: UInt64 {
            case untouched
            case reconfigured
            case replaced
        }

        private var bits: UInt64 = 0

        /// The current state of the item.
        var state: State {
            get { State(rawValue: bits & 3) ?? .untouched }
            set { bits = bits & ~3 | newValue.rawValue }
        }

        /// The code of the option with which the item was last inserted, moved or replaced.
        var arrival: UInt32 {
            get { UInt32(truncatingIfNeeded: bits >> 2 & 0x7FFF_FFFF) }
            set { bits = bits & ~(0x7FFF_FFFF << 2) | UInt64(newValue) << 2 }
        }

        /// The code of the option with which the item was last reconfigured.
        var update: UInt32 {
            get { UInt32(truncatingIfNeeded: bits >> 33) }
            set { bits = bits & 0x1_FFFF_FFFF | UInt64(newValue) << 33 }
        }

        init() {}

        init(state: State = .untouched, arrival: UInt32) {
            self.state = state
            self.arrival = arrival
        }
    }

    /// Replaces the items with new ones in the same place.
    mutating func replace(_ option: UInt32) {
        history = History(state: isNew ? .untouched : .replaced, arrival: option)
    }

    /// Updates the items in place. Items that are new or replaced stay so, with the later option.
    mutating func reconfigure(_ option: UInt32) {
        if isKept {
            history.state = .reconfigured
            history.update = option
        } else {
            history.arrival = option
        }
    }
}

/// A table of codes for animation options, so that a history fits into one word. Code 0 means that
/// there is no option.
struct OptionCodes {
    private var options: [AnimationOption] = [.automatic]
    private var codes: [AnimationOption: UInt32] = [:]

    @inline(__always)
    mutating func code(of option: AnimationOption) -> UInt32 {
        option == .automatic ? 1 : codeOfRare(option)
    }

    private mutating func codeOfRare(_ option: AnimationOption) -> UInt32 {
        if let code = codes[option] { return code }
        options.append(option)
        // 2³¹ different options do not fit into memory.
        let code = UInt32(truncatingIfNeeded: options.count)
        codes[option] = code
        return code
    }

    func option(of code: UInt32) -> AnimationOption {
        code == 0 ? .automatic : options[Int(code) - 1]
    }
}
