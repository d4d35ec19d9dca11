/// The address of a request: its path in parts, and the values of its query.
struct RequestTarget: Equatable, Sendable {
    let path: [String]
    private let query: Substring

    /// Reads what stands in a request's first line.
    ///
    /// - Throws: where it is no path, or is encoded wrongly.
    init(_ target: String) throws(RequestFault) {
        guard target.hasPrefix("/") else { throw .unreadable("an address must begin with /") }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for part in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            path.append(try Self.decoded(part, plusIsSpace: false))
        }
        self.path = path == [""] ? [] : path
        query = parts.count > 1 ? parts[1] : ""
    }

    /// The values of the query by name.
    ///
    /// - Throws: where one is encoded wrongly, comes twice, or is none of those that are known.
    func values(among names: Set<String>) throws(RequestFault) -> [String: String] {
        var values: [String: String] = [:]
        for field in query.split(separator: "&") {
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(parts[0], plusIsSpace: true)
            guard names.contains(name) else {
                throw .unreadable("the query may have \(names.sorted().joined(separator: ", "))")
            }
            let value = try parts.count > 1 ? Self.decoded(parts[1], plusIsSpace: true) : ""
            guard values.updateValue(value, forKey: name) == nil else {
                throw .badValue(name, "there once")
            }
        }
        return values
    }

    private static func decoded(
        _ text: Substring,
        plusIsSpace: Bool
    ) throws(RequestFault) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard rest.count >= 2, let high = rest.popFirst()?.hexValue,
                    let low = rest.popFirst()?.hexValue
                else { throw .unreadable("an address must be encoded in percents") }
                bytes.append(high << 4 | low)
            case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
            default: bytes.append(byte)
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .unreadable("an address must be UTF-8")
        }
        return text
    }
}

extension UInt8 {
    fileprivate var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
