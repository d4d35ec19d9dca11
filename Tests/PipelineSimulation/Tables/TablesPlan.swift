import PipelineTesting

/// An action of a client in a run of tables. The last bits of the action's seed determine it.
enum TableAction: UInt64, CaseIterable {
    case transact, await, fail, setParameter, moveWindow, create, derive, drop, observe
    case stopObserving, read, stopReading, look, show, moveReaders, returnReader

    init(seed: UInt64) { self = Self.allCases[Int(seed % UInt64(Self.allCases.count))] }

    /// Returns a random seed of this action.
    func seed(_ random: inout SeededGenerator) -> UInt64 {
        random.next() / UInt64(Self.allCases.count) * UInt64(Self.allCases.count) + rawValue
    }

    /// The additional weight of the action when one is drawn. Everything depends on transactions
    /// and lists.
    fileprivate var preference: Int {
        switch self {
        case .transact: 6
        case .await, .create, .setParameter, .moveWindow, .observe: 2
        case .derive, .stopObserving, .show, .moveReaders: 1
        default: 0
        }
    }
}

extension RunPlan {
    /// Creates a plan of a run of tables. Each `edit` is a ``TableAction``, and the number of items
    /// limits the rows.
    package init(tablesSeed seed: UInt64) {
        self.init(seed: seed)
        var random = SeededGenerator(seed: seed ^ 0x7461_626C_6573)
        (self.seed, strategy) = (random.next(), .drawn(from: &random))
        (cluster, view, onlyFault) = (nil, nil, nil)
        items = [1, 3, 8][random.next(below: 3)]
        faults = []
        if random.isTrue(oneIn: 2) { faults.append(Fault(point: .callTakesLong, rate: 0.1)) }
        if random.isTrue(oneIn: 4) { faults.append(Fault(point: .viewIsBusy, rate: 0.25)) }
        // Every run leaves some actions out, as in `ActionMix`.
        let mix = TableAction.allCases.flatMap { action in
            Array(repeating: action, count: action.preference + [0, 1, 4][random.next(below: 3)])
        }
        clients = (0..<(2 + random.next(below: 3))).map { _ in
            (0..<(3 + random.next(below: 14))).map { _ in
                .edit(mix[random.next(below: mix.count)].seed(&random))
            }
        }
        // Lists that are there from the beginning meet most.
        let first: [TableAction] = [.transact, .create, .create, .observe, .show]
        clients[0] =
            first.prefix(2 + random.next(below: 4)).map { .edit($0.seed(&random)) } + clients[0]
        guard random.isTrue(oneIn: 4) else { return }
        let client = random.next(below: clients.count)
        let place = random.next(below: clients[client].count + 1)
        clients[client].insert(.close(draining: true, microseconds: nil), at: place)
    }
}

/// An edit of a transaction.
enum TableEdit {
    case upsert(TestRow)
    case remove(Int)
    /// Removes all rows of a size; if a row is bad, the condition throws.
    case removeAll(size: Int)
    case upsertKind(TestKind)
    case removeKind(Int)
    /// Compares the transaction's view of a row with the model.
    case read(Int)
    case fail

    /// Draws the edits of a transaction.
    ///
    /// - Parameter rows: The number of identifiers of rows.
    static func edits(_ random: inout SeededGenerator, rows: Int) -> [TableEdit] {
        // Beyond 32 edits, operators make their state again.
        if random.isTrue(oneIn: 16) {
            return (0..<36).map { .upsert(row($0 % (3 * rows), &random)) }
        }
        return (0..<(1 + random.next(below: 5))).map { _ in
            let id = random.next(below: rows)
            switch random.next(below: 12) {
            case 0..<6: return .upsert(row(id, &random))
            case 6, 7: return .remove(id)
            case 8: return .removeAll(size: random.next(below: 3))
            case 9:
                return .upsertKind(
                    TestKind(id: random.next(below: 3), name: random.next(below: 3))
                )
            case 10: return .removeKind(random.next(below: 3))
            default: return .read(id)
            }
        }
    }

    private static func row(_ id: Int, _ random: inout SeededGenerator) -> TestRow {
        let kind = random.isTrue(oneIn: 80) ? TestRow.bad : random.next(below: 3)
        return TestRow(id: id, size: random.next(below: 3), kind: kind)
    }
}

/// The rows of a table as a transaction sees them, by the definition of its edits.
struct StagedModel<Row: Identifiable & Equatable> {
    private let old: [Row]
    private var edits: [(id: Row.ID, row: Row?)] = []

    init(_ old: [Row]) { self.old = old }

    mutating func set(_ id: Row.ID, _ row: Row?) {
        if let place = edits.firstIndex(where: { $0.id == id }) {
            edits[place].row = row
        } else {
            edits.append((id, row))
        }
    }

    func row(_ id: Row.ID) -> Row? { rows.first { $0.id == id } }

    /// Replaced rows keep their places; new rows follow in the order of their first edits.
    var rows: [Row] {
        let kept = old.compactMap { row in
            if let edit = edits.first(where: { $0.id == row.id }) { edit.row } else { row }
        }
        let known = Set(old.map(\.id))
        return kept + edits.compactMap { known.contains($0.id) ? nil : $0.row }
    }
}
