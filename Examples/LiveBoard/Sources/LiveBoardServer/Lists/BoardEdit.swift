/// What somebody wants to do with the board.
enum BoardEdit: Equatable, Sendable {
    case add(section: String, text: String, before: String?)
    case rename(id: String, text: String)
    case move(id: String, section: String, before: String?)
    case remove(id: String)

    static let longestText = 500

    /// A text of a card: one line, without spaces around it; nil where nothing is left or too much is.
    static func text(_ text: String) -> String? {
        let words = text.split(whereSeparator: { $0.isWhitespace || $0.isNewline })
        let text = words.joined(separator: " ")
        return text.isEmpty || text.count > longestText ? nil : text
    }
}

extension BoardEdit: Decodable {
    private enum CodingKeys: String, CodingKey {
        case edit, id, section, text, before
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func text() throws -> String {
            let text = try container.decode(String.self, forKey: .text)
            if let text = Self.text(text) { return text }
            throw DecodingError.dataCorruptedError(
                forKey: .text,
                in: container,
                debugDescription: "a text must have 1 to \(Self.longestText) characters"
            )
        }
        func word(_ key: CodingKeys) throws -> String {
            try container.decode(String.self, forKey: key)
        }
        let before = try container.decodeIfPresent(String.self, forKey: .before)
        switch try word(.edit) {
        case "add": self = .add(section: try word(.section), text: try text(), before: before)
        case "rename": self = .rename(id: try word(.id), text: try text())
        case "move":
            self = .move(id: try word(.id), section: try word(.section), before: before)
        case "remove": self = .remove(id: try word(.id))
        case let name:
            throw DecodingError.dataCorruptedError(
                forKey: .edit,
                in: container,
                debugDescription: "an edit must be add, rename, move or remove, but is"
                    + " \(name.prefix(20))"
            )
        }
    }
}

/// Why an edit of the board was not made: others were faster, or the board is full.
struct BoardFault: Error, Equatable {
    let code: String
    let message: String

    static func gone(_ noun: String, _ id: String) -> BoardFault {
        BoardFault(code: "gone", message: "there is no \(noun) \(id.prefix(40)) any more")
    }

    static func full(_ limit: Int) -> BoardFault {
        BoardFault(code: "full", message: "the board must have at most \(limit) cards")
    }
}
