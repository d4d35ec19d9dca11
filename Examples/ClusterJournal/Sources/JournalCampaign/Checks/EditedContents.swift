import CollectionPublishing

/// What a list of the campaign says of the edits that led to it.
///
/// It has three sections: the last edit of each leadership, the last edits of all in their order, and rows that change at
/// random. So an edit that is applied twice, left out, or out of order shows in any one state.
package struct EditedContents: Equatable, Sendable {
    /// The last edit of each leadership, in the order in which they led.
    package var marks: [EditMark] = []
    /// The last edits, the newest last.
    package var tail: [EditMark] = []
    package var rows: [String] = []

    /// How many edits ``tail`` has at most.
    package static let tailLimit = 32
    static let numberOfSections = 3

    package init() {}

    /// Nil for what is no such list.
    package init?(_ state: PublishedState) {
        if state.numberOfSections == 0 { return }
        guard state.numberOfSections == Self.numberOfSections else { return nil }
        let texts = (0..<Self.numberOfSections).map { section in
            state.items(inSection: section).map { item in
                String(decoding: item.payload?.bytes ?? [], as: UTF8.self)
            }
        }
        let (marks, tail) = (texts[0].compactMap(EditMark.init), texts[1].compactMap(EditMark.init))
        guard marks.count == texts[0].count, tail.count == texts[1].count else { return nil }
        (self.marks, self.tail, rows) = (marks, tail, texts[2])
    }

    /// The edit that led to it; nil where there was none.
    package var last: EditMark? { tail.last }

    /// What is wrong with the edits; nil where each was applied once and in its place.
    package var misfit: String? {
        if Set(marks.map(\.term)).count != marks.count { return "a leadership has two last edits" }
        let numbers = Dictionary(marks.map { ($0.term, $0.number) }) { first, _ in first }
        for (edit, next) in zip(tail, tail.dropFirst()) {
            if edit.term == next.term {
                if next.number == edit.number + 1 { continue }
                return "edit \(next) follows on \(edit)"
            }
            if next.term.epoch <= edit.term.epoch { return "epoch of \(next) follows on \(edit)" }
            if next.number != 1 { return "the first edit after \(edit) is \(next)" }
            if numbers[edit.term] != edit.number { return "\(edit) is not the last of its epoch" }
        }
        if let last, numbers[last.term] != last.number {
            return "the last edit is \(last), but its leadership's is another"
        }
        return nil
    }
}
