import BenchmarkInstruments
import CollectionPipeline

/// Where results go that nobody needs, so that the optimiser cannot leave them out.
///
/// The function behind it is C, of which a Swift optimiser sees nothing.
enum BlackHole {
    static func consume(_ value: UInt) { instruments_consume(UInt64(value)) }

    static func consume(_ object: AnyObject) {
        instruments_consume_pointer(Unmanaged.passUnretained(object).toOpaque())
    }

    static func consume(_ path: ItemPath?) { consume(UInt(bitPattern: path?.item ?? -1)) }

    /// How much the calling thread has given away so far, and the sum of all numbers among it; without
    /// optimisation only, since counting costs time.
    static var consumed: (count: UInt64, sum: UInt64) {
        (instruments_consumed_count(), instruments_consumed_sum())
    }
}

/// The same value, of which the optimiser then knows nothing more. A closure that went through here
/// is called as it stands, and what it returns is retained for the caller.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }
