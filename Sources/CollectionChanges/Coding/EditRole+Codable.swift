/// A role is written as its name: `delete`, `insert`, `reload` or `move`.
extension EditRole: Codable {
    /// Writes the name.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(name)
    }

    /// Reads the name.
    ///
    /// - Throws: `DecodingError` where it is none of the four.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let name = try container.decode(String.self)
        let roles: [EditRole] = [.delete, .insert, .reload, .move]
        guard let role = roles.first(where: { $0.name == name }) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "a role must be delete, insert, reload or move, but is \(name)"
            )
        }
        self = role
    }

    private var name: String {
        switch self {
        case .delete: "delete"
        case .insert: "insert"
        case .reload: "reload"
        case .move: "move"
        }
    }
}
