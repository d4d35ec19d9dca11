import BenchmarkInstruments

/// Where results go that nobody needs, so that the optimiser cannot leave them out.
///
/// The function behind it is C, of which a Swift optimiser sees nothing.
enum BlackHole {
    static func consume(_ value: UInt) { instruments_consume(UInt64(value)) }

    static func consume(_ object: AnyObject) { consume(UInt(bitPattern: ObjectIdentifier(object))) }
}

/// The same value, of which the optimiser then knows nothing more. A closure that went through here
/// is called as it stands, and what it returns is retained for the caller.
@inline(never)
@_optimize(none)
func opaque<Value>(_ value: Value) -> Value { value }
