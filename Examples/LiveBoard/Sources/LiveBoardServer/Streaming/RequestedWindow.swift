import CollectionPublishing

/// Which rows of a list a reader wants: headers and items in one flat order, from 0.
enum RequestedWindow: Hashable, Sendable {
    /// It stays at these rows, whatever they are.
    case rows(start: Int, count: Int)
    /// It follows the row that was at `row` in `version`, with so many before and after it.
    case anchored(row: Int, version: PublishedVersion, before: Int, after: Int)

    /// How many rows a window may have.
    static let largest = 10_000

    /// The window as a hub has it. A version of another history, or one that is not known any more, is taken for the
    /// newest.
    var published: PublishedWindow {
        switch self {
        case .rows(let start, let count): .rows(start, count: count)
        case .anchored(let row, let version, let before, let after):
            .around(row: row, at: version, before: before, after: after)
        }
    }

    /// Checks numbers that somebody sent.
    static func rows(checking start: Int, _ count: Int) throws(RequestFault) -> RequestedWindow {
        try check(start, "row", 0...Int(Int32.max))
        try check(count, "rows", 1...largest)
        return .rows(start: start, count: count)
    }

    /// Checks numbers that somebody sent.
    static func anchored(
        checking row: Int,
        _ version: String,
        before: Int,
        after: Int
    ) throws(RequestFault) -> RequestedWindow {
        try check(row, "anchor", 0...Int(Int32.max))
        try check(before, "before", 0...largest)
        try check(after, "after", 0...largest)
        try check(before + after, "before and after together", 0...(largest - 1))
        guard let version = PublishedVersion(version) else {
            throw .badValue("version", "a version, such as 00c0ffee00c0ffee.12")
        }
        return .anchored(row: row, version: version, before: before, after: after)
    }

    private static func check(
        _ value: Int,
        _ name: String,
        _ range: ClosedRange<Int>
    ) throws(RequestFault) {
        guard range.contains(value) else {
            throw .badValue(name, "from \(range.lowerBound) to \(range.upperBound)")
        }
    }
}

extension RequestedWindow: Decodable {
    private enum CodingKeys: String, CodingKey {
        case row, rows, anchor, version, before, after
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Int {
            try container.decode(Int.self, forKey: key)
        }
        if container.contains(.anchor) {
            self = try .anchored(
                checking: number(.anchor),
                container.decode(String.self, forKey: .version),
                before: number(.before),
                after: number(.after)
            )
        } else {
            self = try .rows(checking: number(.row), number(.rows))
        }
    }
}
