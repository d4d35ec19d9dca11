/// Appends JSON to bytes: what a trace needs of it.
struct JSONWriter {
    private(set) var bytes: [UInt8] = []

    /// How many bytes there were, taken ones included.
    private(set) var count = 0

    /// The bytes so far, which are forgotten.
    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Appends text that is JSON already.
    mutating func raw(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        )
        count += text.utf8CodeUnitCount
    }

    private mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        count += 1
    }

    /// Appends a string of any characters, in quotes.
    mutating func string(_ text: String) {
        raw("\"")
        for byte in text.utf8 {
            switch byte {
            case 0x22: raw("\\\"")
            case 0x5C: raw("\\\\")
            case 0x0A: raw("\\n")
            case 0x09: raw("\\t")
            case 0..<0x20, 0x7F:
                raw("\\u00")
                append(Self.hexadecimal(byte >> 4))
                append(Self.hexadecimal(byte & 15))
            default: append(byte)
            }
        }
        raw("\"")
    }

    private static func hexadecimal(_ digit: UInt8) -> UInt8 {
        digit < 10 ? 0x30 + digit : 0x61 + digit - 10
    }

    /// Appends a whole number.
    mutating func number(_ number: Int) {
        // Without a string for each of millions.
        var (rest, length) = (number.magnitude, 0)
        var digits: (UInt64, UInt64, UInt64) = (0, 0, 0)
        if number < 0 { raw("-") }
        withUnsafeMutableBytes(of: &digits) { digits in
            repeat {
                length += 1
                digits[length - 1] = 0x30 + UInt8(rest % 10)
                rest /= 10
            } while rest > 0
            while length > 0 {
                length -= 1
                bytes.append(digits[length])
                count += 1
            }
        }
    }

    /// Appends nanoseconds, none or more, as microseconds with three decimals.
    mutating func microseconds(_ nanoseconds: Int64) {
        number(Int(nanoseconds / 1_000))
        let fraction = nanoseconds % 1_000
        raw(".")
        for divisor: Int64 in [100, 10, 1] { append(0x30 + UInt8(fraction / divisor % 10)) }
    }

    /// Appends a number as a string of hexadecimal digits, as ids are written.
    mutating func identifier(_ number: UInt64) {
        raw("\"0x")
        for byte in String(number, radix: 16).utf8 { append(byte) }
        raw("\"")
    }
}
