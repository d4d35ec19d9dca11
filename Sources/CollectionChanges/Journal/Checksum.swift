/// CRC-32C: 32 bits that change with every burst of up to 32 flipped bits, and, but for one in four thousand
/// million, with any other damage.
///
/// Source: Castagnoli, Braeuer and Herrmann (1993), as in iSCSI (RFC 3720): the reflected polynomial
/// 82F63B78, all ones at the start and inverted at the end; by a table of one byte.
struct Checksum {
    private var state: UInt32 = .max

    var value: UInt32 { ~state }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        var state = state
        Self.table.withUnsafeBufferPointer { table in
            for byte in bytes {
                state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ state >> 8
            }
        }
        self.state = state
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        var checksum = Checksum()
        checksum.add(bytes[...])
        return checksum.value
    }

    private static let table: [UInt32] = (0..<256).map { index in
        var value = UInt32(index)
        for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0x82F6_3B78 }
        return value
    }
}
