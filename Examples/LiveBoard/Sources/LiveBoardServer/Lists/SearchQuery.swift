/// What somebody searches for: words that all must occur, in any order, without regard to case and to how a letter is
/// composed.
struct SearchQuery: Hashable, Sendable {
    /// The words in lower case, each once, in order: two queries that find the same are equal.
    let words: [String]

    /// How many characters a query may have.
    static let longest = 100

    /// Reads what somebody wrote; nil where it is too long. One without words finds everything.
    init?(_ text: String) {
        guard text.count <= Self.longest else { return nil }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        self.words = Set(words).sorted()
    }

    var isEmpty: Bool { words.isEmpty }

    func finds(_ text: String) -> Bool {
        let text = text.lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}
