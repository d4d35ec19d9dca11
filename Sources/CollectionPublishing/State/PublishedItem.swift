/// An item in the form that readers receive.
public struct PublishedItem: Hashable, Sendable {
    /// The number that identifies the item, from 1. No other item of the same history ever has it,
    /// even after a removal.
    public let number: UInt64

    /// The rendered content; `nil` if nothing was rendered, because the element failed, is not
    /// measured yet, or has a node of another type.
    public let payload: PublishedPayload?

    /// Creates an item. Nothing is checked.
    public init(number: UInt64, payload: PublishedPayload?) {
        self.number = number
        self.payload = payload
    }
}

/// A section in the form that readers receive, without its items.
public struct PublishedSection: Hashable, Sendable {
    /// The number that identifies the section, from 1. No other section of the same history ever
    /// has it, even after a removal. Sections and items are numbered separately.
    public let number: UInt64

    /// The rendered header; `nil` if the section has no header, or nothing was rendered.
    public let payload: PublishedPayload?

    /// Creates a section. Nothing is checked.
    public init(number: UInt64, payload: PublishedPayload?) {
        self.number = number
        self.payload = payload
    }
}

/// The rendered content of one item or section: bytes that are rendered once and shared by all
/// readers.
///
/// Copying a payload is free, because copies share the bytes. The ``digest`` is computed when the
/// payload is made, so make it where the bytes are rendered, on a worker.
public struct PublishedPayload: Sendable {
    /// The bytes, in a format of the application's choice. The hub does not read them.
    public let bytes: [UInt8]

    /// The hash of the bytes, by ``StableHasher`` with the usual key: of their count in eight
    /// bytes, followed by the bytes.
    public let digest: StateDigest

    /// Creates a payload from bytes. Complexity: O(n), for one hash.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var hasher = StableHasher()
        hasher.combine(UInt64(bytes.count))
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        digest = hasher.finish()
    }

    /// Creates a payload from the UTF-8 of a text, unchanged, for example from JSON. For markup,
    /// use ``init(_:)-(HTML)``.
    public init(utf8 text: String) { self.init(Array(text.utf8)) }
}

extension PublishedPayload: Hashable {
    /// Returns whether both payloads have the same bytes.
    public static func == (left: PublishedPayload, right: PublishedPayload) -> Bool {
        left.digest == right.digest && left.bytes == right.bytes
    }

    /// Hashes the digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
