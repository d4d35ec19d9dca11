/// One edit of the list: its number, which counts all edits from 1, and the leadership that made it.
struct Edit: Hashable, Sendable, LosslessStringConvertible {
    var number: Int
    /// Chosen at random by each leadership.
    var author: UInt32

    /// The number and the author, such as `57-7f3a01c5`.
    var description: String { "\(number)-\(String(author, radix: 16))" }

    init(number: Int, author: UInt32) { (self.number, self.author) = (number, author) }

    init?(_ description: String) {
        let parts = description.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(parts[0]), let author = UInt32(parts[1], radix: 16)
        else { return nil }
        self.init(number: number, author: author)
    }
}

/// Everything that members have reported, and whatever in it breaks a promise. It knows nothing of processes.
///
/// A leader numbers its edits on from the newest one of the list that it takes over, and members show and acknowledge an
/// edit only once the broker has it. So each number has one author, whoever shows or acknowledges it: a later leader that
/// lacks an acknowledged edit gives its number to an edit of its own.
struct Ledger {
    private(set) var violations: [String] = []
    private(set) var statesCompared = 0
    private(set) var editsAcknowledged = 0
    private(set) var leaderships = 0
    /// The number of the newest edit that was acknowledged.
    private(set) var newestAcknowledged = 0

    private var digests: [String: String] = [:]
    private var authors: [Int: UInt32] = [:]
    /// The number of the newest edit that each member has shown since it was started.
    private var newestShown: [Int: Int] = [:]

    /// Takes in a line of a member's output.
    mutating func take(_ line: String, from member: Int) {
        let words = line.split(separator: " ").map(String.init)
        let edits = words.dropFirst(words.first == "shows" ? 3 : 1).compactMap(Edit.init)
        switch (words.first, words.count - edits.count) {
        case ("leads", 1): leaderships += 1
        case ("follows", 1): break
        case ("acknowledges", 1) where edits.count == 1:
            editsAcknowledged += 1
            newestAcknowledged = max(newestAcknowledged, edits[0].number)
            compare(edits[0], "member \(member) acknowledges")
        case ("shows", 3): show(edits, version: words[1], digest: words[2], member)
        default: note("member \(member) reports \"\(line)\"")
        }
    }

    /// The process of a member was started again: it may begin with an older state.
    mutating func restarted(_ member: Int) { newestShown[member] = nil }

    /// Whether each of so many members shows an edit or a later one.
    func isShown(_ number: Int, byAll count: Int) -> Bool {
        (0..<count).allSatisfy { newestShown[$0, default: 0] >= number }
    }

    mutating func note(_ violation: String) { violations.append(violation) }

    private mutating func show(_ edits: [Edit], version: String, digest: String, _ member: Int) {
        statesCompared += 1
        let place = "member \(member) shows at \(version)"
        let known = digests[version] ?? digest
        digests[version] = known
        if known != digest { note("\(place) the digest \(digest), and another showed \(known)") }
        for (edit, next) in zip(edits, edits.dropFirst()) where next.number != edit.number + 1 {
            note("\(place) edit \(next) directly after \(edit)")
        }
        for edit in edits { compare(edit, place) }
        let newest = edits.last?.number ?? 0
        if newest < newestShown[member, default: 0] {
            note("\(place) edit \(newest) as the newest, after \(newestShown[member, default: 0])")
        }
        newestShown[member] = newest
    }

    private mutating func compare(_ edit: Edit, _ place: String) {
        let known = authors[edit.number] ?? edit.author
        authors[edit.number] = known
        if known != edit.author {
            let other = Edit(number: edit.number, author: known)
            note("\(place) edit \(edit), but \(other) was shown or acknowledged before")
        }
    }
}
