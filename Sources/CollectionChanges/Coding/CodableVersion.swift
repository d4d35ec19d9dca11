/// The version of the keyed forms: whatever a release writes, later ones read.
package enum CodableVersion {
    package static let current = 1

    /// Reads the version, and rejects one that is not known.
    package static func check<Key: CodingKey>(
        _ container: KeyedDecodingContainer<Key>,
        forKey key: Key
    ) throws {
        let version = try container.decode(Int.self, forKey: key)
        guard version == current else {
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "the version must be \(current), but is \(version)"
            )
        }
    }
}
