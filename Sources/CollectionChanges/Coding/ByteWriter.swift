// The alphabet of the binary form: bytes, integers in base 128 (LEB128, as in DWARF), signed ones with the
// sign in the lowest bit (zigzag, as in Protocol Buffers), integers of fixed width from the lowest byte on,
// and text as its length and its UTF-8.

/// Appends the parts of a value to an array of bytes.
package struct ByteWriter {
    package private(set) var bytes: [UInt8]

    package init(reserving capacity: Int = 0) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    package mutating func byte(_ value: UInt8) { bytes.append(value) }

    package mutating func raw(_ other: [UInt8]) { bytes.append(contentsOf: other) }

    /// One byte below 128, ten for the largest.
    package mutating func unsigned(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A count or index. A negative one, which only unchecked values have, takes ten bytes.
    package mutating func index(_ value: Int) { unsigned(UInt64(bitPattern: Int64(value))) }

    /// One byte from -64 to 63, ten for the extremes.
    package mutating func signed(_ value: Int) {
        let wide = Int64(value)
        unsigned(UInt64(bitPattern: (wide << 1) ^ (wide >> 63)))
    }

    /// The step from one integer to the next, around the ends where it must.
    package mutating func step(from last: Int, to value: Int) { signed(value &- last) }

    package mutating func text(_ value: String) {
        unsigned(UInt64(value.utf8.count))
        bytes.append(contentsOf: value.utf8)
    }

    package mutating func fixed(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}
