import PersistentTrees

/// Everything at one version, in transit.
struct WireReset: Hashable, Sendable {
    var version: PublishedVersion
    /// For who reads along. Not a ``ResetReason``, since a later release may have others.
    var reason: String
    var digest: StateDigest
    var place: WirePlace?
    var sections: [WireSection]

    init(_ snapshot: PublishedSnapshot, _ reason: ResetReason) throws(WireError) {
        version = snapshot.version
        self.reason = reason.rawValue
        digest = snapshot.digest
        place = try snapshot.place.map { place throws(WireError) in try WirePlace(place) }
        sections = try snapshot.state.entries.map { entry throws(WireError) in
            try WireSection(entry.section, Array(entry.items))
        }
    }

    /// What it brings, if it makes sense by itself.
    ///
    /// Complexity: O(n).
    func snapshot(within limits: ShapeLimits) throws(ReplicaError) -> PublishedSnapshot {
        var numbers = WireNumbers()
        for section in sections { try numbers.insert(section) }
        let shape = HierarchyShape(sections.map(\.items.count))
        do throws(HierarchyUpdateError) {
            try limits.check(shape)
        } catch {
            throw ReplicaError(.misfit, "the state at \(version) is too large: \(error.summary)")
        }
        let entries = sections.map {
            PublishedState.SectionEntry($0.section, PublishedState.Items($0.items))
        }
        let state = PublishedState(PublishedState.Entries(entries), shape: shape)
        return PublishedSnapshot(
            version: version,
            state: state,
            digest: digest,
            place: try place?.checked()
        )
    }
}

extension WireReset: Codable {
    private enum CodingKeys: String, CodingKey {
        case version, reason, digest, place, sections
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(version, forKey: .version)
        try container.encode(reason, forKey: .reason)
        try container.encode(digest, forKey: .digest)
        try container.encodeIfPresent(place, forKey: .place)
        try container.encodeUnlessEmpty(sections, forKey: .sections)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        version = try container.decode(PublishedVersion.self, forKey: .version)
        reason = try container.decode(String.self, forKey: .reason)
        digest = try container.decode(StateDigest.self, forKey: .digest)
        place = try container.decodeIfPresent(WirePlace.self, forKey: .place)
        sections = try container.decodeList(forKey: .sections)
    }
}

/// The numbers of the sections and items that a message brings, each of which must be one that can be, and occur once.
///
/// That a state has none of them already is not looked up: the digest tells.
struct WireNumbers {
    private var items: Set<UInt64> = []
    private var sections: Set<UInt64> = []

    mutating func insert(_ section: WireSection) throws(ReplicaError) {
        try Self.insert("section", section.section.number, into: &sections)
        for item in section.items { try insert(item) }
    }

    mutating func insert(_ item: PublishedItem) throws(ReplicaError) {
        try Self.insert("item", item.number, into: &items)
    }

    private static func insert(
        _ noun: String,
        _ number: UInt64,
        into numbers: inout Set<UInt64>
    ) throws(ReplicaError) {
        guard number > 0, number <= WireMessage.greatestInteger else {
            throw ReplicaError(
                .unreadable,
                "the number of an \(noun) must be from 1 to \(WireMessage.greatestInteger), but is"
                    + " \(number)"
            )
        }
        guard numbers.insert(number).inserted else {
            throw ReplicaError(.unreadable, "a message must bring \(noun) \(number) once only")
        }
    }
}
