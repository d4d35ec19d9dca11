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
    /// - Parameter arrivals: the runs that move, ascending by new path.
    func itemInsertions(_ arrivals: [Run], _ animation: AnimationOption) -> [ItemEdit] {
        var kept = -stayingCount
        for section in newCounts.indices where sections.newFates[section].survives {
            kept += newCounts[section]
        }
        return Array(unsafeUninitializedCapacity: kept + enteringFreshCount) { buffer, count in
            var edits = EditWriter(buffer, animation)
            var arrival = 0
            for section in newCounts.indices {
                writeInsertions(section, arrivals, &arrival, &edits)
            }
            count = edits.count
        }
    }

    private func writeInsertions(
        _ section: Int,
        _ arrivals: [Run],
        _ arrival: inout Int,
        _ edits: inout EditWriter
    ) {
        let survives = sections.newFates[section].survives
        let staying = survives ? sections.oldSections[section] : -1
        var position = staying < 0 ? 0 : starts[staying]
        let end = staying < 0 ? 0 : starts[staying + 1]
        // What lies up to here is written.
        var start = 0
        while true {
            while position < end, fates[position] == .ends || fates[position] == .moves {
                position += 1
            }
            let arrives =
                arrival < arrivals.count && arrivals[arrival].newSection == section
                && (position == end || arrivals[arrival].newItem < runs[position].newItem)
            guard arrives || position < end else { break }
            let run = arrives ? arrivals[arrival] : runs[position]
            if survives { edits.insertItems(start..<run.newItem, inNewSection: section) }
            if arrives {
                edits.insert(run, .move)
                arrival += 1
            } else {
                if fates[position] == .isReplaced { edits.insert(run, .reload) }
                position += 1
            }
            start = run.newItem + run.count
        }
        if survives { edits.insertItems(start..<newCounts[section], inNewSection: section) }
    }

    /// The runs that move, ascending by new path.
    func arrivals() -> [Run] {
        if movingRunCount == 0 { return [] }
        let total = newCounts.reduce(0, +)
        guard total / 16 <= movingRunCount, total < UInt32.max else {
            return fates.indices.lazy.filter { fates[$0] == .moves }.map { runs[$0] }.sorted {
                ($0.newSection, $0.newItem) < ($1.newSection, $1.newItem)
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
        for position in fates.indices where fates[position] == .moves {
            let place = sectionStarts[runs[position].newSection] + runs[position].newItem
            places[place] = UInt32(truncatingIfNeeded: position)
        }
        // In a loop that does nothing else, so that a processor waits for many of them at once.
        return Array(unsafeUninitializedCapacity: movingRunCount) { buffer, count in
            for position in places where position != .max {
                buffer.initializeElement(at: count, to: runs[Int(position)])
                count += 1
            }
        }
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
