/// The rows of one side that a walk left over, from all sections, copied one after the other.
@usableFromInline
struct ResidualRows<Row>: ~Copyable {
    @usableFromInline let rows: UnsafeMutablePointer<Row>
    /// Their numbers through all sections, ascending unless sections have changed places.
    @usableFromInline let numbers: UnsafeMutablePointer<UInt32>
    @usableFromInline let capacity: Int
    @usableFromInline var count = 0

    @inlinable
    init(capacity: Int) {
        self.capacity = capacity
        rows = .allocate(capacity: capacity)
        numbers = .allocate(capacity: capacity)
    }

    @inlinable
    deinit {
        rows.deinitialize(count: count)
        rows.deallocate()
        numbers.deallocate()
    }

    /// - Parameter base: the number of the section's first row.
    @inlinable
    mutating func append(_ range: Range<Int>, of section: UnsafeBufferPointer<Row>, base: Int) {
        if range.isEmpty { return }
        precondition(range.count <= capacity - count)
        (rows + count).initialize(from: section.baseAddress! + range.lowerBound, count: range.count)
        for offset in 0..<range.count {
            (numbers + (count + offset)).initialize(
                to: UInt32(truncatingIfNeeded: base + range.lowerBound + offset)
            )
        }
        count += range.count
    }
}
