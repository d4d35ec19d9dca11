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
