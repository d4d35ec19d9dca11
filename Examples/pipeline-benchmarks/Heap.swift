import BenchmarkInstruments

/// What the allocator knows, where there is one that tells.
enum Heap {
    /// How many bytes are in use in the whole process, the allocator's own books included.
    static var bytesInUse: Int? { known(instruments_heap_bytes()) }

    /// How many blocks of memory the calling thread has allocated so far.
    static var allocationCount: Int? { known(instruments_allocation_count()) }

    /// How many blocks of memory `body` allocates on the calling thread.
    static func allocations(in body: () throws -> Void) rethrows -> Int? {
        let start = allocationCount
        try body()
        guard let start, let end = allocationCount else { return nil }
        return end - start
    }

    /// A state of the heap to come back to.
    struct Mark {
        private let start: Int

        /// Nil where nobody knows.
        init?() {
            guard let start = Heap.bytesInUse else { return nil }
            self.start = start
        }

        /// How many more bytes are in use by now.
        var growth: Int { (Heap.bytesInUse ?? 0) - start }
    }

    /// What the C side answers, which has -1 for what it does not know.
    static func known(_ answer: Int64) -> Int? { answer < 0 ? nil : Int(answer) }
}
