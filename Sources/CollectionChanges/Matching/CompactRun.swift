/// A surviving run in half of the memory, for rows that were numbered with 31 bits.
@usableFromInline
struct CompactRun: SurvivorRun, Sendable {
    private let oldSection32: UInt32
    private let oldItem32: UInt32
    private let newSection32: UInt32
    private let newItem32: UInt32
    private var count32: UInt32

    init(oldSection: Int, oldItem: Int, newSection: Int, newItem: Int, count: Int) {
        oldSection32 = UInt32(truncatingIfNeeded: oldSection)
        oldItem32 = UInt32(truncatingIfNeeded: oldItem)
        newSection32 = UInt32(truncatingIfNeeded: newSection)
        newItem32 = UInt32(truncatingIfNeeded: newItem)
        count32 = UInt32(truncatingIfNeeded: count)
    }

    var oldSection: Int { Int(oldSection32) }
    var oldItem: Int { Int(oldItem32) }
    var newSection: Int { Int(newSection32) }
    var newItem: Int { Int(newItem32) }
    var count: Int { Int(count32) }

    mutating func grow(by count: Int) { count32 += UInt32(truncatingIfNeeded: count) }

    var plain: SurvivingRun {
        SurvivingRun(
            oldSection: oldSection,
            oldItem: oldItem,
            newSection: newSection,
            newItem: newItem,
            count: count
        )
    }
}

/// Rows that are the same on both sides, numbered through all sections: matching's own form of a surviving run, which
/// takes a third of the memory.
@usableFromInline
struct RowRun {
    @usableFromInline var old: UInt32
    @usableFromInline var new: UInt32
    @usableFromInline var count: UInt32

    @inlinable
    init(old: Int, new: Int, count: Int) {
        self.old = UInt32(truncatingIfNeeded: old)
        self.new = UInt32(truncatingIfNeeded: new)
        self.count = UInt32(truncatingIfNeeded: count)
    }
}
