import CollectionPublishing
import HTTPTypes
import Hummingbird

/// A request to follow a list: what the reader has, and which part of the list it wants.
struct StreamRequest {
    /// The version that the reader has, as it was sent; `nil` if it has none.
    let lastEventID: String?
    /// The rows that the reader wants; `nil` for all of them.
    let window: RequestedWindow?

    /// Reads the query and the `Last-Event-ID` field of a request.
    init(_ request: Request) throws(RequestFault) {
        let query = request.uri.queryParameters
        let last = request.headers[HTTPField.Name("Last-Event-ID")!]
        lastEventID = last ?? query["from"].map(String.init)
        func number(_ name: String) throws(RequestFault) -> Int {
            guard let value = query[name[...]].flatMap({ Int($0) }) else {
                throw .badValue(name, "a number")
            }
            return value
        }
        let ofRows = ["row", "rows"].contains { query[$0[...]] != nil }
        let ofAnchor = ["anchor", "before", "after"].contains { query[$0[...]] != nil }
        switch (ofRows, ofAnchor) {
        case (false, false): window = nil
        case (true, false):
            window = try RequestedWindow(row: number("row"), rows: number("rows"))
        case (false, true):
            window = try RequestedWindow(
                anchor: number("anchor"),
                version: String(query["version"] ?? ""),
                before: number("before"),
                after: number("after")
            )
        case (true, true): throw .badValue("row", "left out if there is an anchor")
        }
    }
}

/// The rows of a list that a reader wants: headers and items in one flat order, from 0.
struct RequestedWindow: Decodable {
    /// The window as the hub takes it.
    let published: PublishedWindow

    /// The maximum number of rows in a window.
    static let largest = 10_000

    /// A window that stays at these rows, whatever they show.
    init(row: Int, rows: Int) throws(RequestFault) {
        try Self.check(row, "row", 0...Int(Int32.max))
        try Self.check(rows, "rows", 1...Self.largest)
        published = .rows(row, count: rows)
    }

    /// A window that follows the row that was at `anchor` in a version. If the hub no longer knows that version, it
    /// takes the newest.
    init(anchor: Int, version: String, before: Int, after: Int) throws(RequestFault) {
        try Self.check(anchor, "anchor", 0...Int(Int32.max))
        try Self.check(before, "before", 0...(Self.largest / 2))
        try Self.check(after, "after", 0...(Self.largest / 2 - 1))
        guard let version = PublishedVersion(version) else {
            throw .badValue("version", "a version, such as 00c0ffee00c0ffee.12")
        }
        published = .around(row: anchor, at: version, before: before, after: after)
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

    private enum CodingKeys: String, CodingKey {
        case row, rows, anchor, version, before, after
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func number(_ key: CodingKeys) throws -> Int {
            try container.decode(Int.self, forKey: key)
        }
        if container.contains(.anchor) {
            try self.init(
                anchor: number(.anchor),
                version: container.decode(String.self, forKey: .version),
                before: number(.before),
                after: number(.after)
            )
        } else {
            try self.init(row: number(.row), rows: number(.rows))
        }
    }
}
