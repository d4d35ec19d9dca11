// From the fates of the runs to the edits of items. Both runs of edits come in order, because runs are walked in order
// of their old paths for one and of their new paths for the other.

extension SurvivorPlan {
    /// The first run: what does not stay, descending by old path.
    func itemRemovals(_ animation: AnimationOption) -> [ItemEdit] {
        var kept = -stayingCount
        for section in oldCounts.indices where sections.oldFates[section].survives {
            kept += oldCounts[section]
        }
        return Array(unsafeUninitializedCapacity: kept + leavingEndedCount) { buffer, count in
            var edits = EditWriter(buffer, animation)
            for section in oldCounts.indices.reversed() { writeRemovals(section, &edits) }
            count = edits.count
        }
    }

    private func writeRemovals(_ section: Int, _ edits: inout EditWriter) {
        let survives = sections.oldFates[section].survives
        // What lies from here on is written.
        var end = oldCounts[section]
        for position in (starts[section]..<starts[section + 1]).reversed() {
            let fate = fates[position]
            if fate == .ends { continue }
            let run = runs[position]
            if survives {
                edits.deleteItems(run.oldItems.upperBound..<end, inOldSection: section)
            }
            switch fate {
            case .stays, .ends: break
            case .moves: edits.remove(run, .move)
            case .isReplaced: edits.remove(run, .reload)
            }
            end = run.oldItem
        }
        if survives { edits.deleteItems(0..<end, inOldSection: section) }
    }

    /// The fourth run: what does not stay, ascending by new path.
    ///
    /// - Parameter arrivals: the positions of the runs that move, ascending by new path.
    func itemInsertions(_ arrivals: [UInt32], _ animation: AnimationOption) -> [ItemEdit] {
        var kept = -stayingCount
        for section in newCounts.indices where sections.newFates[section].survives {
            kept += newCounts[section]
        }
        return Array(unsafeUninitializedCapacity: kept + enteringFreshCount) { buffer, count in
            var edits = EditWriter(buffer, animation)
            var arrivals = arrivals[...]
            for section in newCounts.indices { writeInsertions(section, &arrivals, &edits) }
            count = edits.count
        }
    }

    private func writeInsertions(
        _ section: Int,
        _ arrivals: inout ArraySlice<UInt32>,
        _ edits: inout EditWriter
    ) {
        let survives = sections.newFates[section].survives
        let staying = survives ? sections.oldSections[section] : -1
        var position = staying < 0 ? 0 : starts[staying]
        let positionsEnd = staying < 0 ? 0 : starts[staying + 1]
        // What lies up to here is written.
        var start = 0
        while true {
            while position < positionsEnd, fates[position] != .stays, fates[position] != .isReplaced
            {
                position += 1
            }
            let arrival = arrivals.first.map { runs[Int($0)] }
            let run: SurvivingRun
            let fate: Fate
            if let arrival, arrival.newSection == section,
                position == positionsEnd || arrival.newItem < runs[position].newItem
            {
                (run, fate) = (arrival, .moves)
                arrivals.removeFirst()
            } else if position < positionsEnd {
                (run, fate) = (runs[position], fates[position])
                position += 1
            } else {
                break
            }
            if survives { edits.insertItems(start..<run.newItem, inNewSection: section) }
            switch fate {
            case .stays, .ends: break
            case .moves: edits.insert(run, .move)
            case .isReplaced: edits.insert(run, .reload)
            }
            start = run.newItem + run.count
        }
        if survives { edits.insertItems(start..<newCounts[section], inNewSection: section) }
    }

    /// The positions of the runs that move, ascending by new path.
    func arrivals() -> [UInt32] {
        if movingRunCount == 0 { return [] }
        let moving = fates.indices.lazy.filter { fates[$0] == .moves }
        let total = newCounts.reduce(0, +)
        guard total / 16 <= movingRunCount, total < UInt32.max else {
            return moving.map { UInt32(truncatingIfNeeded: $0) }.sorted {
                let (left, right) = (runs[Int($0)], runs[Int($1)])
                return (left.newSection, left.newItem) < (right.newSection, right.newItem)
            }
        }
        // Where many move, each is put down at its place, which is faster than sorting.
        var sectionStarts: [Int] = []
        var sum = 0
        for count in newCounts {
            sectionStarts.append(sum)
            sum += count
        }
        var places = Array<UInt32>(repeating: .max, count: total)
        for position in moving {
            let run = runs[position]
            places[sectionStarts[run.newSection] + run.newItem] = UInt32(
                truncatingIfNeeded: position
            )
        }
        return places.filter { $0 != .max }
    }
}

/// Writes edits into memory that was made in their number.
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

    mutating func remove(_ run: SurvivingRun, _ role: EditRole) {
        for offset in (0..<run.count).reversed() {
            write(run.oldPath(at: offset), role, run.newPath(at: offset))
        }
    }

    mutating func insert(_ run: SurvivingRun, _ role: EditRole) {
        for offset in 0..<run.count {
            write(run.newPath(at: offset), role, run.oldPath(at: offset))
        }
    }
}
