import CollectionPublishing

/// What somebody asks for who wants to follow a list; read, and not yet looked up.
struct StreamRequest: Equatable, Sendable {
    var list: String
    var query: SearchQuery?
    var window: RequestedWindow?
    /// What the reader has; nil where it has nothing, or what it says it has is no version.
    var from: PublishedVersion?
    /// Whether it reads gzip.
    var isCompressed = false

    /// Reads an address and two header fields.
    ///
    /// - Returns: nil where the address is another than that of a list's updates.
    init?(
        target: RequestTarget,
        lastEventID: String?,
        acceptEncoding: String?
    ) throws(RequestFault) {
        guard target.path.count == 3, target.path[0] == "lists", target.path[2] == "updates" else {
            return nil
        }
        list = target.path[1]
        let values = try target.values(among: [
            "query", "from", "row", "rows", "anchor", "version", "before", "after",
        ])
        if let text = values["query"] {
            guard let query = SearchQuery(text) else {
                throw .badValue("query", "at most \(SearchQuery.longest) characters")
            }
            self.query = query.isEmpty ? nil : query
        }
        window = try Self.window(values)
        // What is no version is that of no history: the answer is everything.
        from = (lastEventID ?? values["from"]).flatMap { PublishedVersion($0) }
        isCompressed = Self.accepts(gzipIn: acceptEncoding ?? "")
    }

    private static func window(
        _ values: [String: String]
    ) throws(RequestFault) -> RequestedWindow? {
        func number(_ name: String) throws(RequestFault) -> Int {
            guard let value = values[name].flatMap({ Int($0) }) else {
                throw .badValue(name, "a number")
            }
            return value
        }
        let ofRows = ["row", "rows"].filter { values[$0] != nil }
        let ofAnchor = ["anchor", "version", "before", "after"].filter { values[$0] != nil }
        if ofRows.isEmpty, ofAnchor.isEmpty { return nil }
        guard ofRows.isEmpty || ofAnchor.isEmpty else {
            throw .badValue("row", "left out where there is an anchor")
        }
        if !ofRows.isEmpty { return try .rows(checking: number("row"), number("rows")) }
        return try .anchored(
            checking: number("anchor"),
            values["version"] ?? "",
            before: number("before"),
            after: number("after")
        )
    }

    /// Whether a list of codings names gzip, and does not say that it is not wanted.
    static func accepts(gzipIn codings: String) -> Bool {
        codings.split(separator: ",").contains { coding in
            let parts = coding.split(separator: ";").map { part in
                part.filter { !$0.isWhitespace }.lowercased()
            }
            guard parts.first == "gzip" else { return false }
            guard let weight = parts.dropFirst().first(where: { $0.hasPrefix("q=") }) else {
                return true
            }
            return Double(weight.dropFirst(2)).map { $0 > 0 } ?? false
        }
    }
}
