/// A 128-bit digest of a whole state. Equal states have equal digests; different states have
/// different ones, except with a probability of 2⁻¹²⁸ per comparison.
///
/// Replicas on two machines compare digests to verify that they are equal, and journals store them.
/// A digest protects against accidents: lost edits, faulty code and flipped bits. A party that can
/// choose identifiers and knows the key can construct two states with the same digest; see
/// ``StableHashKey``.
///
/// ``init(of:)`` defines the digest of a state; ``updated(by:from:to:)`` keeps it up to date.
public struct StateDigest: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes, with the first byte lowest.
    public let low: UInt64

    /// The last eight bytes, with the first of them lowest.
    public let high: UInt64

    /// Creates a digest from two words.
    @inlinable
    public init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    /// The sixteen bytes, in order.
    public var bytes: [UInt8] {
        [low, high].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
    }

    /// The bytes as 32 hexadecimal digits.
    public var description: String {
        bytes.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}

extension StateDigest: LosslessStringConvertible {
    /// Creates a digest from 32 hexadecimal digits, or returns `nil` for any other text.
    public init?(_ description: String) {
        var words: [UInt64] = []
        guard description.utf8.count == 32 else { return nil }
        var word: UInt64 = 0
        for (index, character) in description.utf8.enumerated() {
            guard let digit = Character(UnicodeScalar(character)).hexDigitValue else { return nil }
            // The first digit of a byte is its upper half; the first byte of a word is the lowest.
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
    /// Encodes the hexadecimal digits as text.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Decodes the hexadecimal digits.
    ///
    /// - Throws: `DecodingError` if the text is not 32 hexadecimal digits.
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

/// The contribution of one item or section to the digest of a state: a hash of its identity and
/// content.
public struct ElementDigest: Hashable, Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64

    /// Computes the digest of an item.
    ///
    /// - Parameters:
    ///   - identifier: The identity of the item, unique within the state.
    ///   - revision: The version of its content; omit it for items without revisions.
    ///   - key: The key, which must be the same for all digests that are compared.
    @inlinable
    public init(
        item identifier: some StableHashable,
        revision: (some StableHashable)? = Int?.none,
        key: StableHashKey = .usual
    ) {
        var hasher = StableHasher(key: key)
        hasher.combine(UInt8(1))
        identifier.hash(into: &hasher)
        revision.hash(into: &hasher)
        self.init(hasher.finish())
    }

    /// Computes the digest of a section, independent of its items.
    ///
    /// - Parameters:
    ///   - identifier: The identity of the section, unique within the state.
    ///   - key: The key, which must be the same for all digests that are compared.
    @inlinable
    public init(section identifier: some StableHashable, key: StableHashKey = .usual) {
        var hasher = StableHasher(key: key)
        // Another leading byte than for items, so that an item and a section with the same
        // identifier differ.
        hasher.combine(UInt8(2))
        identifier.hash(into: &hasher)
        self.init(hasher.finish())
    }

    @inlinable
    init(_ hash: StateDigest) {
        low = hash.low
        high = hash.high
    }

    /// The element at both ends of the ring of sections.
    @inlinable
    static var ends: ElementDigest { ElementDigest(StateDigest(low: 0, high: 0)) }
}

/// A state for which digests can be computed: ordered sections with ordered items.
///
/// `CollectionSnapshot` conforms. To compare a model of your own with a replica, add a conformance:
///
/// ```swift
/// extension Board: DigestedState {
///     var numberOfSections: Int { columns.count }
///     func numberOfItems(inSection section: Int) -> Int { columns[section].cards.count }
///     func digest(ofSection section: Int) -> ElementDigest {
///         ElementDigest(section: columns[section].id)
///     }
///     func forEachItemDigest(
///         in range: Range<Int>, ofSection section: Int, _ body: (ElementDigest) -> Void
///     ) {
///         for card in columns[section].cards[range] {
///             body(ElementDigest(item: card.id, revision: card.revision))
///         }
///     }
/// }
/// ```
///
/// Shape: sections and items are numbered from 0. Only existing sections and items are queried.
public protocol DigestedState {
    /// The number of sections.
    var numberOfSections: Int { get }

    /// Returns the number of items in a section.
    func numberOfItems(inSection section: Int) -> Int

    /// Returns the digest of a section, independent of its items.
    func digest(ofSection section: Int) -> ElementDigest

    /// Calls `body` with the digests of a range of items in a section, in order.
    ///
    /// - Parameters:
    ///   - range: The items' indexes in the section; within its items, possibly empty.
    ///   - section: The section's index.
    ///   - body: A closure that is called once for each item, inline.
    func forEachItemDigest(
        in range: Range<Int>,
        ofSection section: Int,
        _ body: (ElementDigest) -> Void
    )
}
