import BenchmarkInstruments
import CollectionPipeline
import Foundation
import Synchronization

/// The two clocks that figures are taken from, in nanoseconds.
enum Stopwatch {
    /// The time for which the calling thread has run, without anything else that the machine does.
    static var threadNanoseconds: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

    /// The wall time, from an arbitrary start.
    static var wallNanoseconds: UInt64 { read(CLOCK_MONOTONIC) }

    private static func read(_ clock: clockid_t) -> UInt64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    /// Returns how long `body` keeps the calling thread busy.
    static func threadNanoseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = threadNanoseconds
        try body()
        return Double(threadNanoseconds - start)
    }
}

/// The counters of the allocator. They are `nil` without glibc, and under a sanitizer.
enum Heap {
    /// The bytes in use in the whole process, including the allocator's own data.
    static var bytesInUse: Int? { known(instruments_heap_bytes()) }

    /// The number of blocks of memory that the calling thread has allocated so far.
    static var allocationCount: Int? { known(instruments_allocation_count()) }

    /// Returns the number of blocks of memory that `body` allocates on the calling thread.
    static func allocations(in body: () throws -> Void) rethrows -> Double? {
        let start = allocationCount
        try body()
        guard let start, let end = allocationCount else { return nil }
        return Double(end - start)
    }

    /// A state of the heap to compare later ones with.
    struct Mark {
        private let start: Int

        init?() {
            guard let start = Heap.bytesInUse else { return nil }
            self.start = start
        }

        /// The bytes that are in use now and were not then.
        var growth: Double { Double((Heap.bytesInUse ?? 0) - start) }
    }

    /// The C functions return -1 if they do not know.
    private static func known(_ answer: Int64) -> Int? { answer < 0 ? nil : Int(answer) }
}

/// A place for results that are not needed, so that the optimiser does not remove their
/// computation.
///
/// The underlying function is written in C, which the Swift optimiser does not see.
enum BlackHole {
    static func consume(_ value: Int) { instruments_consume(UInt64(UInt(bitPattern: value))) }

    static func consume(_ object: AnyObject) {
        instruments_consume_pointer(Unmanaged.passUnretained(object).toOpaque())
    }

    static func consume(_ path: ItemPath?) { consume(path?.item ?? -1) }
}

/// Returns the same value, about which the optimiser then knows nothing. A closure is then not
/// inlined, and its result is retained for the caller.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }

/// A number that any thread adds to.
final class Tally: Sendable {
    private let sum = Atomic(0)

    var count: Int { sum.load(ordering: .acquiring) }

    func add(_ number: Int) { sum.wrappingAdd(number, ordering: .acquiringAndReleasing) }
}

/// Random numbers that are the same in every run.
///
/// Source: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators" (2014).
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64 = 7) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// The pipeline did not do what the benchmark expects.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
