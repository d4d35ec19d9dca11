/// A ``WindowPlace`` in transit.
struct WirePlace: Hashable, Sendable {
    let place: WindowPlace

    init(_ place: WindowPlace) throws(WireError) {
        self.place = place
        guard isPossible else {
            throw WireError(
                .outOfRange,
                "the numbers of a window's place must be from 0 to \(WireMessage.greatestInteger),"
                    + " but are \(place.numbers)"
            )
        }
    }

    /// Whether every reader of JSON has its numbers as integers.
    private var isPossible: Bool {
        place.numbers.allSatisfy { (0...WireMessage.greatestInteger).contains($0) }
    }

    /// The place, if there could be such a one.
    func checked() throws(ReplicaError) -> WindowPlace {
        if isPossible { return place }
        throw ReplicaError(
            .unreadable,
            "the numbers of a window's place must be from 0, but are \(place.numbers)"
        )
    }
}

extension WirePlace: Codable {
    private enum CodingKeys: String, CodingKey {
        case totalSections = "sections"
        case totalItems = "items"
        case firstSection = "section"
        case firstItem = "item"
        case itemsBefore = "before"
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(place.totalSections, forKey: .totalSections)
        try container.encode(place.totalItems, forKey: .totalItems)
        try container.encode(place.firstSection, forKey: .firstSection)
        try container.encode(place.firstItem, forKey: .firstItem)
        try container.encode(place.itemsBefore, forKey: .itemsBefore)
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        place = WindowPlace(
            totalSections: try container.decode(Int.self, forKey: .totalSections),
            totalItems: try container.decode(Int.self, forKey: .totalItems),
            firstSection: try container.decode(Int.self, forKey: .firstSection),
            firstItem: try container.decode(Int.self, forKey: .firstItem),
            itemsBefore: try container.decode(Int.self, forKey: .itemsBefore)
        )
    }
}
