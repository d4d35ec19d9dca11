/// A ``HubMessage`` in transit: plain data, of which nothing is believed.
///
/// A server encodes one for each message, with an encoder of its choice; a client decodes it, and
/// ``CollectionReplica/apply(_:)-(WireMessage)`` checks it against what it has.
///
/// ```swift
/// let wire = try WireMessage(message)
/// send(id: "\(wire.version)", data: try JSONEncoder().encode(wire))
/// ```
///
/// As JSON it is an object with one member, whose name says which message it is: `reset`, `update`, `upToDate` or
/// `closed`; see ``encode(to:)``. A reader needs no more than arrays of arrays to do what an update says: its
/// lists are the four runs of a ``ValidatedChangeSet`` in their order, and what changes in place after them. A reload
/// travels as a removal and an insertion, and options of animation stay at home.
///
/// Threading: a value, readable from anywhere. Payloads are shared with the message that it was made of.
public struct WireMessage: Hashable, Sendable {
    enum Body: Hashable, Sendable {
        case reset(WireReset)
        case update(WireUpdate)
        case upToDate(PublishedVersion, StateDigest)
        case closed(PublishedVersion)
    }

    let body: Body

    /// Makes what travels of a message.
    ///
    /// Complexity: O(k) for k edits, and the bytes of the payloads.
    ///
    /// - Throws: where a payload is not UTF-8, which a hub does not ask of payloads; and where the message is not a hub's:
    ///   contents that do not fit the edits, numbers that are 0 or have more than 53 bits, negative versions.
    public init(_ message: HubMessage) throws(WireError) {
        body =
            switch message {
            case .reset(let snapshot, let reason): .reset(try WireReset(snapshot, reason))
            case .update(let update): .update(try WireUpdate(update))
            case .upToDate(let version, let digest): .upToDate(version, digest)
            case .closed(let version): .closed(version)
            }
        if version.number < 0 { throw WireError(version) }
    }

    /// Where it leaves a reader: the `id` of a server-sent event.
    public var version: PublishedVersion {
        switch body {
        case .reset(let reset): reset.version
        case .update(let update): update.to
        case .upToDate(let version, _), .closed(let version): version
        }
    }

    /// The greatest number of an item or section, and the greatest index: what every reader of JSON has as an integer.
    static let greatestInteger = (1 << 53) - 1
}

extension WireMessage: Codable {
    // The names are part of the stable form, whatever becomes of those in the code.
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case reset, update, upToDate, closed
    }

    private enum MarkKeys: String, CodingKey {
        case version, digest
    }

    /// Writes the message as an object with one member.
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
    /// An item is its number and its payload, which is left out where it has none, as headers are. Removals have old
    /// places and descend; the others have new ones and ascend. What moves names the old place that it was removed
    /// from. Lists that are empty and a digest that an update has not are left out.
    ///
    /// What a reader of a window is told has one more member, in `reset` and `update`: where the window is, as the numbers
    /// of a ``WindowPlace``.
    ///
    /// ```json
    /// {"update": {"from": "00c0ffee00c0ffee.1", "to": "00c0ffee00c0ffee.2", "digest": "0123…",
    ///             "place": {"sections": 3, "items": 700, "section": 1, "item": 17, "before": 317}}}
    /// ```
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch body {
        case .reset(let reset): try container.encode(reset, forKey: .reset)
        case .update(let update): try container.encode(update, forKey: .update)
        case .upToDate(let version, let digest):
            var mark = container.nestedContainer(keyedBy: MarkKeys.self, forKey: .upToDate)
            try mark.encode(version, forKey: .version)
            try mark.encode(digest, forKey: .digest)
        case .closed(let version):
            var mark = container.nestedContainer(keyedBy: MarkKeys.self, forKey: .closed)
            try mark.encode(version, forKey: .version)
        }
    }

    /// Reads the object. Nothing is known of the message then but its form; a replica checks the rest.
    ///
    /// Members with other names are ignored, as later releases may write some. Nothing is reserved for what the
    /// message only says that there is.
    ///
    /// - Throws: `DecodingError` where the object is of no message, or of several.
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
    /// Writes the handle and the number as text, such as `00c0ffee00c0ffee.12`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }

    /// Reads the text.
    ///
    /// - Throws: `DecodingError` where it is not a version's.
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
