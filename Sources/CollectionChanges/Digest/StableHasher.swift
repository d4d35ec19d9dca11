/// A hash function for bytes that returns the same value in every process, on every machine and in
/// every release: SipHash-2-4 with 128 bits.
///
/// Use it for values that leave the process, such as digests. For tables, use the standard
/// library's `Hasher`, which differs from run to run. With the default key the hash protects only
/// against accidents, because anyone can compute it. With a secret key, a party without the key
/// cannot tell which values collide.
///
/// Threading: a value type; use it from any thread.
///
/// Complexity: O(1) to create and to finish, O(n) for n bytes; nothing is allocated.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), with the 128-bit
/// output that the authors' reference implementation added later. A test contains its vectors.
public struct StableHasher: Sendable {
    @usableFromInline var v0: UInt64
    @usableFromInline var v1: UInt64
    @usableFromInline var v2: UInt64
    @usableFromInline var v3: UInt64

    /// The bytes that do not fill a word yet, with the first byte lowest.
    @usableFromInline var tail: UInt64 = 0

    /// The number of bytes fed so far.
    @usableFromInline var count: UInt64 = 0

    /// Creates a hasher.
    ///
    /// - Parameter key: A secret key, or the default key, which is public.
    @inlinable
    public init(key: StableHashKey = .usual) {
        v0 = key.low ^ 0x736f_6d65_7073_6575
        v1 = key.high ^ 0x646f_7261_6e64_6f6d ^ 0xEE
        v2 = key.low ^ 0x6c79_6765_6e65_7261
        v3 = key.high ^ 0x7465_6462_7974_6573
    }

    /// Feeds eight bytes, the lowest first.
    @inlinable
    public mutating func combine(_ word: UInt64) {
        let used = (count & 7) &* 8
        count &+= 8
        if used == 0 {
            compress(word)
        } else {
            compress(tail | word << used)
            tail = word >> (64 &- used)
        }
    }

    /// Feeds one byte.
    @inlinable
    public mutating func combine(_ byte: UInt8) {
        let used = (count & 7) &* 8
        tail |= UInt64(byte) << used
        count &+= 1
        if used == 56 {
            compress(tail)
            tail = 0
        }
    }

    /// Feeds bytes. A caller that feeds several runs of bytes must also feed their lengths, so that
    /// different divisions of the same bytes have different hashes.
    @inlinable
    public mutating func combine(bytes: UnsafeRawBufferPointer) {
        var position = 0
        while bytes.count - position >= 8 {
            let word = bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            combine(UInt64(littleEndian: word))
            position += 8
        }
        while position < bytes.count {
            combine(bytes[position])
            position += 1
        }
    }

    /// Returns the hash of all bytes fed.
    @inlinable
    public consuming func finish() -> StateDigest {
        compress(tail | count << 56)
        v2 ^= 0xEE
        for _ in 0..<4 { mix() }
        let low = v0 ^ v1 ^ v2 ^ v3
        v1 ^= 0xDD
        for _ in 0..<4 { mix() }
        return StateDigest(low: low, high: v0 ^ v1 ^ v2 ^ v3)
    }

    @inlinable @inline(__always)
    mutating func compress(_ word: UInt64) {
        v3 ^= word
        mix()
        mix()
        v0 ^= word
    }

    @inlinable @inline(__always)
    mutating func mix() {
        v0 &+= v1
        v1 = (v1 << 13 | v1 >> 51) ^ v0
        v0 = v0 << 32 | v0 >> 32
        v2 &+= v3
        v3 = (v3 << 16 | v3 >> 48) ^ v2
        v0 &+= v3
        v3 = (v3 << 21 | v3 >> 43) ^ v0
        v2 &+= v1
        v1 = (v1 << 17 | v1 >> 47) ^ v2
        v2 = v2 << 32 | v2 >> 32
    }
}

/// The 128-bit key of a ``StableHasher``, which may be secret.
///
/// Digests are comparable only if their keys are equal.
public struct StableHashKey: Hashable, Sendable {
    /// The first eight bytes of the key, with the first byte lowest.
    public let low: UInt64

    /// The last eight bytes of the key, with the first of them lowest.
    public let high: UInt64

    /// Creates a key from two words.
    @inlinable
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The public default key: the bytes 0 to 15, as in the published vectors of the function.
    public static let usual = StableHashKey(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)
}

/// A value that feeds the same bytes to a hasher in every process, on every machine and in every
/// release.
///
/// Conform identifiers and content revisions that digests cover. The bytes do not include the type:
/// the number 0 and an empty string feed the same bytes. Equal values of one type must feed the
/// same bytes, and unequal values different bytes. Take care with types whose equality ignores
/// their representation, such as `String`. If a value has several parts, each must mark its own
/// end, as `String` does with its length.
///
/// ```swift
/// extension PostID: StableHashable {
///     func hash(into hasher: inout StableHasher) { number.hash(into: &hasher) }
/// }
/// ```
public protocol StableHashable {
    /// Feeds the value's bytes.
    func hash(into hasher: inout StableHasher)
}

extension Int: StableHashable {
    /// Feeds eight bytes, the lowest first.
    @inlinable
    public func hash(into hasher: inout StableHasher) {
        hasher.combine(UInt64(bitPattern: Int64(self)))
    }
}

extension Int64: StableHashable {
    /// Feeds eight bytes, the lowest first; the same as an `Int` of equal value.
    @inlinable
    public func hash(into hasher: inout StableHasher) { hasher.combine(UInt64(bitPattern: self)) }
}

extension UInt64: StableHashable {
    /// Feeds eight bytes, the lowest first.
    @inlinable
    public func hash(into hasher: inout StableHasher) { hasher.combine(self) }
}

extension String: StableHashable {
    /// Feeds the number of UTF-8 bytes, and then the bytes.
    ///
    /// The bytes are not normalized. Strings that Swift considers equal but that consist of
    /// different scalars have different hashes, so normalize text before you use it as an
    /// identifier.
    @inlinable
    public func hash(into hasher: inout StableHasher) {
        hasher.combine(UInt64(utf8.count))
        var text = self
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }
}

extension StateDigest: StableHashable {
    /// Feeds the sixteen bytes, in order.
    @inlinable
    public func hash(into hasher: inout StableHasher) {
        hasher.combine(low)
        hasher.combine(high)
    }
}

extension Array: StableHashable where Element: StableHashable {
    /// Feeds the number of elements, and then each element in order.
    @inlinable
    public func hash(into hasher: inout StableHasher) {
        hasher.combine(UInt64(count))
        for element in self { element.hash(into: &hasher) }
    }
}

extension Optional: StableHashable where Wrapped: StableHashable {
    /// Feeds a byte that indicates whether there is a value, and then the value.
    @inlinable
    public func hash(into hasher: inout StableHasher) {
        switch self {
        case nil: hasher.combine(UInt8(0))
        case let value?:
            hasher.combine(UInt8(1))
            value.hash(into: &hasher)
        }
    }
}
