// Derives the edits of items from the effects on the runs. The edits are produced in order:
// removals by walking the runs in the order of their old paths, insertions in the order of their
// new paths.

extension SurvivorPlan {
    /// Returns the first run of edits: the removals of items that do not stay, descending by old
    /// path.
    func itemRemovals(_ animation: AnimationOption) -> [ItemEdit] {
        var kept = -stayingCount
        for section in oldCounts.indices where sections.oldEffects[section].survives {
            kept += oldCounts[section]
        }
        return Array(filling: kept + leavingEndedCount) { buffer, count in
            var edits = EditWriter(buffer, animation)
            for section in oldCounts.indices.reversed() { writeRemovals(section, &edits) }
            count = edits.count
        }
    }

    private func writeRemovals(_ section: Int, _ edits: inout EditWriter) {
        let survives = sections.oldEffects[section].survives
        // The edits from this item on are already written.
        var end = oldCounts[section]
        for position in (starts[section]..<starts[section + 1]).reversed() {
            let effect = effects[position]
            if effect == .ends { continue }
            let run = runs[position]
            if survives {
                edits.deleteItems(run.oldItems.upperBound..<end, inOldSection: section)
            }
            switch effect {
            case .stays, .ends: break
            case .moves: edits.remove(run, .move)
            case .isReplaced: edits.remove(run, .reload)
            }
            end = run.oldItem
        }
        if survives { edits.deleteItems(0..<end, inOldSection: section) }
    }

    /// Returns the fourth run of edits: the insertions of items that do not stay, ascending by new
    /// path.
    ///
    /// - Parameters:
    ///   - arrivals: The positions of the runs that move, ascending by new path.
    ///   - animation: The animation of every edit.
    func itemInsertions(_ arrivals: [UInt32], _ animation: AnimationOption) -> [ItemEdit] {
        var kept = -stayingCount
        for section in newCounts.indices where sections.newEffects[section].survives {
            kept += newCounts[section]
        }
        return Array(filling: kept + enteringInsertedCount) { buffer, count in
            var edits = EditWriter(buffer, animation)
            var arrivals = RunReader(runs, arrivals)
            for section in newCounts.indices { writeInsertions(section, &arrivals, &edits) }
            count = edits.count
        }
    }

    private func writeInsertions(
        _ section: Int,
        _ arrivals: inout RunReader<Run>,
        _ edits: inout EditWriter
    ) {
        let survives = sections.newEffects[section].survives
        let staying = survives ? sections.oldSections[section] : -1
        var position = staying < 0 ? 0 : starts[staying]
        let end = staying < 0 ? 0 : starts[staying + 1]
        // The edits before this item are already written.
        var start = 0
        while true {
            while position < end, effects[position] == .ends || effects[position] == .moves {
                position += 1
            }
            let arrival = arrivals.next
            let arrives =
                arrival.newSection == section && arrival.count > 0
                && (position == end || arrival.newItem < runs[position].newItem)
            guard arrives || position < end else { break }
            let run = arrives ? arrival : runs[position]
            if survives { edits.insertItems(start..<run.newItem, inNewSection: section) }
            if arrives {
                edits.insert(run, .move)
                arrivals.advance()
            } else {
                if effects[position] == .isReplaced { edits.insert(run, .reload) }
                position += 1
            }
            start = run.newItem + run.count
        }
        if survives { edits.insertItems(start..<newCounts[section], inNewSection: section) }
    }

    /// Returns the positions of the runs that move, ascending by new path.
    func arrivals() -> [UInt32] {
        if movingRunCount == 0 { return [] }
        let total = newCounts.reduce(0, +)
        guard total < UInt32.max else {
            let moving = effects.indices.lazy.filter { effects[$0] == .moves }
            return moving.map { UInt32(truncatingIfNeeded: $0) }.sorted {
                let (left, right) = (runs[Int($0)], runs[Int($1)])
                return (left.newSection, left.newItem) < (right.newSection, right.newItem)
            }
        }
        var sectionStarts: [Int] = []
        sectionStarts.reserveCapacity(newCounts.count)
        var sum = 0
        for count in newCounts {
            sectionStarts.append(sum)
            sum += count
        }
        guard total / 16 <= movingRunCount else {
            var keys = SortedKeys(capacity: movingRunCount)
            for position in effects.indices where effects[position] == .moves {
                let run = runs[position]
                keys.append(sectionStarts[run.newSection] + run.newItem, position)
            }
            return keys.sorted()
        }
        // If many runs move, each is written directly to its place, which is faster than sorting.
        var places = Array<UInt32>(repeating: .max, count: total)
        for position in effects.indices where effects[position] == .moves {
            let place = sectionStarts[runs[position].newSection] + runs[position].newItem
            places[place] = UInt32(truncatingIfNeeded: position)
        }
        var count = 0
        for place in places.indices where places[place] != .max {
            places[count] = places[place]
            count += 1
        }
        places.removeLast(total - count)
        return places
    }
}

/// A reader of runs at given positions. It reads a batch at a time in a loop that does nothing
/// else, so that a processor waits for many memory locations at the same time.
private struct RunReader<Run: SurvivorRun> {
    private let runs: [Run]
    private let positions: [UInt32]
    /// The number of positions that have been read.
    private var read = 0
    private var batch: [Run] = []
    private var index = 0

    /// The current run; a run without items at the end.
    private(set) var next: Run

    init(_ runs: [Run], _ positions: [UInt32]) {
        self.runs = runs
        self.positions = positions
        batch.reserveCapacity(256)
        next = Self.none
        fill()
    }

    private static var none: Run {
        Run(oldSection: 0, oldItem: 0, newSection: 0, newItem: 0, count: 0)
    }

    @inline(__always)
    mutating func advance() {
        index += 1
        if index < batch.count { next = batch[index] } else { fill() }
    }

    private mutating func fill() {
        let end = min(positions.count, read + 256)
        batch.removeAll(keepingCapacity: true)
        for position in positions[read..<end] { batch.append(runs[Int(position)]) }
        (read, index) = (end, 0)
        next = batch.first ?? Self.none
    }
}

/// A writer of edits into memory that was allocated for exactly their number.
private struct EditWriter {
    private let buffer: UnsafeMutableBufferPointer<ItemEdit>
    private let animation: AnimationOption
    private(set) var count = 0

    init(_ buffer: UnsafeMutableBufferPointer<ItemEdit>, _ animation: AnimationOption) {
        self.buffer = buffer
        self.animation = animation
    }

    @inline(__always)
    private mutating func write(_ path: ItemPath, _ role: EditRole, _ associatedWith: ItemPath?) {
        precondition(count < buffer.count)
        (buffer.baseAddress! + count).initialize(
            to: ItemEdit(
                path: path,
                role: role,
                associatedWith: associatedWith,
                animation: animation
            )
        )
        count += 1
    }

    mutating func deleteItems(_ items: Range<Int>, inOldSection section: Int) {
        for item in items.reversed() {
            write(ItemPath(section: section, item: item), .delete, nil)
        }
    }

    mutating func insertItems(_ items: Range<Int>, inNewSection section: Int) {
        for item in items { write(ItemPath(section: section, item: item), .insert, nil) }
    }

    mutating func remove(_ run: some SurvivorRun, _ role: EditRole) {
        for offset in (0..<run.count).reversed() {
            write(run.oldPath(at: offset), role, run.newPath(at: offset))
        }
    }

    mutating func insert(_ run: some SurvivorRun, _ role: EditRole) {
        for offset in 0..<run.count {
            write(run.newPath(at: offset), role, run.oldPath(at: offset))
        }
    }
}
