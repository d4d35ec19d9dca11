/// What readers are shown of one item or section: bytes, rendered once and shared by all.
///
/// A value over shared bytes: copying it costs nothing. Its ``digest`` is computed when it is made, so make it where the
/// bytes are rendered, on a worker.
public struct PublishedPayload: Sendable {
    /// The bytes, in whatever form the application chooses; unread by the hub.
    public let bytes: [UInt8]

    /// The hash of the bytes, by ``StableHasher`` with the usual key: of their number, in eight bytes, and of them.
    public let digest: StateDigest

    /// Makes a payload. Complexity: O(n), one hash.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var hasher = StableHasher()
        hasher.combine(UInt64(bytes.count))
        bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
        digest = hasher.finish()
    }

    /// Makes a payload of a text's UTF-8, unchanged: for JSON, say. Use ``init(_:)-(HTML)`` for markup.
    public init(utf8 text: String) { self.init(Array(text.utf8)) }
}

extension PublishedPayload: Hashable {
    /// Whether both have the same bytes.
    public static func == (left: PublishedPayload, right: PublishedPayload) -> Bool {
        left.digest == right.digest && left.bytes == right.bytes
    }

    /// Hashes the digest.
    public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
