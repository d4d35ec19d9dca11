/// 128 bits that stand for a whole state: equal states have equal digests, and others, but for a chance of
/// one in 2¹²⁸ a comparison, have others.
///
/// Two replicas on two machines compare them to know that they are equal; journals carry them. What they
/// protect from is accident: lost edits, faulty code, flipped bits. Who may choose identifiers, and knows the
/// key, can make two states of one digest; ``StableHashKey`` says what to do about that.
///
/// ``init(of:)`` says what the digest of a state is; ``updated(by:from:to:)`` keeps it up to date.
public struct StateDigest: Hashable, Sendable {
    /// The first eight bytes, the first one lowest.
    public let low: UInt64

    /// The last eight bytes, the first one lowest.
    public let high: UInt64

    /// Makes a digest of two words.
    @inlinable
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The sixteen bytes, in order.
    public var bytes: [UInt8] {
        [low, high].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }
}

extension StateDigest: CustomStringConvertible {
    /// The bytes as 32 hexadecimal digits.
    public var description: String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

extension StateDigest: LosslessStringConvertible {
    /// Reads 32 hexadecimal digits, or gives nil for any other text.
    public init?(_ description: String) {
        var words: [UInt64] = []
        guard description.utf8.count == 32 else { return nil }
        var word: UInt64 = 0
        for (index, character) in description.utf8.enumerated() {
            guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
            // The first digit of a byte is its upper half, the first byte of a word its lowest.
            let shift = (index % 16) / 2 * 8 + (index.isMultiple(of: 2) ? 4 : 0)
            word |= UInt64(digit) << UInt64(shift)
            if index % 16 == 15 {
                words.append(word)
                word = 0
            }
        }
        self.init(low: words[0], high: words[1])
    }
}

extension StateDigest: Codable {
    /// Writes the digits as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads the digits.
    ///
    /// - Throws: `DecodingError` where there are not 32.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let digest = StateDigest(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription:
                    "a digest must be 32 hexadecimal digits, but is \(text.prefix(40))"
            )
        }
        self = digest
    }
}
