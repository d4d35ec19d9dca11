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
