/// A message that a client has received: plain, untrusted data.
///
/// A server writes the JSON of a ``HubMessage`` with a ``MessageWriter``. A client decodes it, and
/// ``CollectionReplica/apply(_:)-(WireMessage)`` checks it against the replica's state.
///
/// ```swift
/// let wire = try JSONDecoder().decode(WireMessage.self, from: data)
/// try replica.apply(wire)
/// ```
///
/// The JSON is an object with one member, whose name is the kind of the message. To apply an
/// update, a reader needs only arrays of arrays: the lists of the message are the four runs of a
/// ``ValidatedChangeSet`` in their order, followed by the in-place changes. A reload is encoded as
/// a removal and an insertion, and animation options are not encoded.
///
/// ```json
/// {"reset": {"version": "00c0ffee00c0ffee.1", "reason": "joined", "digest": "0123…",
///            "sections": [{"n": 1, "p": "header", "items": [[1, "text"], [2]]}]}}
/// {"update": {"from": "00c0ffee00c0ffee.1", "to": "00c0ffee00c0ffee.2", "digest": "0123…",
///             "removeItems": [[0,1], [0,0]], "removeSections": [2],
///             "insertSections": [{"at": 0, "n": 7, "p": "header", "items": [[9, "text"]]},
///                                {"at": 1, "from": 2}],
///             "insertItems": [[1,0, 10, "text"], [1,1, 11], [2,0, [0,1]]],
///             "changeItems": [[2,1, "text"], [2,2]], "changeSections": [[2, "header"]]}}
/// {"upToDate": {"version": "00c0ffee00c0ffee.2", "digest": "0123…"}}
/// {"closed": {"version": "00c0ffee00c0ffee.2"}}
/// ```
///
/// An item is an array of its number and its payload; without a payload, the array has one
/// element. A section without a header payload has no member `p`. Removals have old indexes in
/// descending order; all other lists have new indexes in ascending order. A move names the old
/// index that the item or section was removed from. Empty lists are left out, and so is the
/// digest of an update that has none.
///
/// In a message to the reader of a window, `reset` and `update` have one more member: the
/// position of the window, as the numbers of a ``WindowPlace``.
///
/// ```json
/// {"update": {"from": "00c0ffee00c0ffee.1", "to": "00c0ffee00c0ffee.2", "digest": "0123…",
///             "place": {"sections": 3, "items": 700, "section": 1, "item": 17, "before": 317}}}
/// ```
///
/// Threading: a value, readable from any thread.
public struct WireMessage: Hashable, Sendable {
    enum Body: Hashable, Sendable {
        case reset(WireReset)
        case update(WireUpdate)
        case upToDate(PublishedVersion, StateDigest)
        case closed(PublishedVersion)
    }

    let body: Body

    /// The version that a reader has after applying the message: the `id` of a server-sent event.
    public var version: PublishedVersion {
        switch body {
        case .reset(let reset): reset.version
        case .update(let update): update.to
        case .upToDate(let version, _), .closed(let version): version
        }
    }

    /// The greatest number of an item or section, and the greatest index: every JSON reader can
    /// represent it as an integer.
    static let greatestInteger = (1 << 53) - 1
}

extension WireMessage: Decodable {
    // These names are part of the stable format, even if the names in the code change.
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case reset, update, upToDate, closed
    }

    private enum MarkKeys: String, CodingKey {
        case version, digest
    }

    /// Decodes the object. Only the format of the message is checked; a replica checks the rest.
    ///
    /// Members with unknown names are ignored, because later releases may add some. The decoder
    /// reserves no memory for counts that a message merely claims.
    ///
    /// - Throws: `DecodingError` if the object does not have exactly one of the members.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kinds = CodingKeys.allCases.filter(container.contains)
        guard kinds.count == 1 else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath,
                    debugDescription: "a message must have exactly one of reset, update, upToDate"
                        + " and closed, but has \(kinds.count)"
                )
            )
        }
        let kind = kinds[0]
        switch kind {
        case .reset: body = .reset(try container.decode(WireReset.self, forKey: kind))
        case .update: body = .update(try container.decode(WireUpdate.self, forKey: kind))
        case .upToDate, .closed:
            let mark = try container.nestedContainer(keyedBy: MarkKeys.self, forKey: kind)
            let version = try mark.decode(PublishedVersion.self, forKey: .version)
            body =
                kind == .closed
                ? .closed(version)
                : .upToDate(version, try mark.decode(StateDigest.self, forKey: .digest))
        }
    }
}

extension PublishedVersion: Codable {
    /// Writes the identifier and the number as text, such as `00c0ffee00c0ffee.12`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads a version from its text.
    ///
    /// - Throws: `DecodingError` if the text is not a version.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let version = PublishedVersion(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a version must be 16 hexadecimal digits, a point and a number,"
                    + " but is \(text.prefix(40))"
            )
        }
        self = version
    }
}

/// An error that prevents a message from being written as text.
public struct WireError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of the error.
    public let code: Code

    /// The number of the item or section that caused the error; `nil` if none did.
    public let number: UInt64?

    /// A sentence that describes the error, with its values.
    public let message: String

    /// The name of an error. Later releases may add codes, so a `switch` over them needs a default.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The name, stable across releases.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The payload of an item or a header is not UTF-8.
        public static let notText = Code(rawValue: "notText")
        /// A number is 0 or has more than 53 bits, or a version is negative. No hub publishes such
        /// a message.
        public static let outOfRange = Code(rawValue: "outOfRange")
        /// The contents of an update do not fit its edits. No hub publishes such an update.
        public static let mismatch = Code(rawValue: "misfit")
    }

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String, number: UInt64? = nil) {
        self.code = code
        self.message = message
        self.number = number
    }

    init(_ version: PublishedVersion) {
        self.init(.outOfRange, "the number of a version must be at least 0, but is \(version)")
    }

    /// Checks that an item or section can be encoded.
    ///
    /// - Parameter noun: "item" or "section".
    static func check(
        _ noun: String,
        _ number: UInt64,
        _ payload: PublishedPayload?
    ) throws(WireError) {
        guard number > 0, number <= WireMessage.greatestInteger else {
            throw WireError(
                .outOfRange,
                "every \(noun) number must be from 1 to \(WireMessage.greatestInteger), but is"
                    + " \(number)",
                number: number
            )
        }
        guard let payload else { return }
        guard String(validating: payload.bytes, as: UTF8.self) != nil else {
            throw WireError(
                .notText,
                "a payload must be UTF-8 to be sent as text, but that of \(noun) \(number), of"
                    + " \(payload.bytes.count) bytes, is not: encode it when it is rendered,"
                    + " for example as Base64",
                number: number
            )
        }
    }
}
