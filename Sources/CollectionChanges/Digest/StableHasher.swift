/// A hash of bytes that is the same in every process, on every machine and in every release: SipHash-2-4 with
/// 128 bits.
///
/// Use it for what leaves the process, such as digests; the standard library's `Hasher`, which differs from
/// run to run, is for tables. Without a key of one's own the hash protects from accident only, since anyone
/// can compute it. With a secret key nobody who lacks it can tell which values collide.
///
/// Threading: a value; use it from anywhere.
///
/// Complexity: O(1) to make and to finish, O(n) for n bytes; nothing is allocated.
///
/// Source: Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), with the output of 128 bits that
/// its authors' reference added later, whose vectors a test has.
public struct StableHasher: Sendable {
    @usableFromInline var v0: UInt64
    @usableFromInline var v1: UInt64
    @usableFromInline var v2: UInt64
    @usableFromInline var v3: UInt64

    /// The bytes that do not fill a word yet, the first one lowest.
    @usableFromInline var tail: UInt64 = 0

    /// How many bytes were fed.
    @usableFromInline var count: UInt64 = 0

    /// Starts a hash.
    ///
    /// - Parameter key: a secret, or the usual key that everyone has.
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

    /// Feeds bytes. Whoever feeds several runs of bytes feeds their lengths too, so that no two ways of
    /// cutting are the same.
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

    /// The hash of what was fed.
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

/// What a ``StableHasher`` starts from: 128 bits, secret or not.
///
/// Digests are comparable only where their keys are equal.
public struct StableHashKey: Hashable, Sendable {
    /// The first eight bytes of the key, the first one lowest.
    public let low: UInt64

    /// The last eight bytes of the key, the first one lowest.
    public let high: UInt64

    /// Makes a key of two words.
    @inlinable
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The key that everyone has: the bytes 0 to 15, as in the function's published vectors.
    public static let usual = StableHashKey(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)
}
