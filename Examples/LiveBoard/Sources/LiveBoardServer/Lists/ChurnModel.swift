/// Random rows that change at random: a list to test and to measure with.
///
/// The same seed gives the same history.
struct ChurnModel: Sendable {
    private struct Section {
        let id: Int
        var rows: [ListRow]
    }

    private var sections: [Section] = []
    private var numbers: Numbers
    private var lastID = 0
    /// About how many rows there are.
    let size: Int
    /// How many edits a change has.
    let edits: Int

    init(seed: UInt64 = 1, size: Int = 300, sections: Int = 8, edits: Int = 20) {
        numbers = Numbers(state: seed)
        self.size = size
        self.edits = edits
        for _ in 0..<sections {
            let rows = (0..<(size / sections)).map { _ in makeRow() }
            self.sections.append(Section(id: makeID(), rows: rows))
        }
    }

    var state: ListState {
        ListState(
            sections.map { section in
                let id = "s\(section.id)"
                let header = ListHeader(
                    list: "churn",
                    id: id,
                    title: "Section \(section.id)",
                    count: section.rows.count
                )
                return (header, section.rows)
            }
        )
    }

    private var count: Int { sections.reduce(0) { $0 + $1.rows.count } }

    /// Changes it.
    mutating func change() {
        for _ in 0..<edits {
            switch numbers.next(below: 100) {
            case ..<40: alter()
            case ..<60: move()
            // Where there are many rows more go than come.
            case ..<80: if numbers.next(below: 2 * size) >= count { insert() } else { remove() }
            case ..<98: if numbers.next(below: 2 * size) < count { remove() } else { insert() }
            case 98: changeSections()
            default: moveSection()
            }
        }
    }

    private mutating func makeID() -> Int {
        lastID += 1
        return lastID
    }

    private mutating func makeRow(_ id: String? = nil) -> ListRow {
        let id = id ?? "r\(makeID())"
        let text = "Row \(id) says \(numbers.next(below: 1_000_000)) & <that>"
        return ListRow(id: id, content: .card(text))
    }

    private mutating func place() -> (section: Int, row: Int)? {
        let section = numbers.next(below: sections.count)
        guard !sections[section].rows.isEmpty else { return nil }
        return (section, numbers.next(below: sections[section].rows.count))
    }

    private mutating func alter() {
        guard let (section, row) = place() else { return }
        sections[section].rows[row] = makeRow(sections[section].rows[row].id)
    }

    private mutating func remove() {
        guard let (section, row) = place() else { return }
        sections[section].rows.remove(at: row)
    }

    private mutating func insert(_ row: ListRow? = nil) {
        let section = numbers.next(below: sections.count)
        let place = numbers.next(below: sections[section].rows.count + 1)
        sections[section].rows.insert(row ?? makeRow(), at: place)
    }

    private mutating func move() {
        guard let (section, row) = place() else { return }
        insert(sections[section].rows.remove(at: row))
    }

    private mutating func changeSections() {
        let place = numbers.next(below: sections.count + 1)
        if sections.count > 4, numbers.next(below: 16) < sections.count {
            sections.remove(at: min(place, sections.count - 1))
        } else {
            let rows = (0..<numbers.next(below: 20)).map { _ in makeRow() }
            sections.insert(Section(id: makeID(), rows: rows), at: place)
        }
    }

    private mutating func moveSection() {
        let section = sections.remove(at: numbers.next(below: sections.count))
        sections.insert(section, at: numbers.next(below: sections.count + 1))
    }
}

/// Numbers that look random: SplitMix64.
private struct Numbers: Sendable {
    var state: UInt64

    mutating func next(below bound: Int) -> Int {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
    }
}
