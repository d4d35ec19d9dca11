import CollectionChanges
import TestSupport

/// Every update with few edits between small shapes, by the shape that it starts from.
struct SmallUpdates {
    private(set) var all: [ValidatedChangeSet] = []
    private var byStart: [HierarchyShape: [ValidatedChangeSet]] = [:]

    /// - Parameter edits: the maximum number of operations in a record.
    init(shapes: [HierarchyShape], edits: Int) {
        for old in shapes {
            for new in shapes {
                var operations = elementaryOperations(from: old, to: new, beyond: false)
                operations += old.paths.enumerated().map { number, path in
                    .reconfigureItems([path], AnimationOption(rawValue: 1_000 + number))
                }
                Self.choose(upTo: edits, of: operations[...], for: Balance(from: old, to: new)) {
                    guard let update = try? $0.validated(from: old, to: new) else { return }
                    all.append(update)
                    byStart[old, default: []].append(update)
                }
            }
        }
    }

    /// Calls `body` with each choice that the counts allow. Two equal operations would not make
    /// another update.
    private static func choose(
        upTo limit: Int,
        of operations: ArraySlice<HierarchyChangeSet.Operation>,
        for balance: Balance,
        after chosen: [HierarchyChangeSet.Operation] = [],
        _ body: (HierarchyChangeSet) -> Void
    ) {
        if balance.mayBeEven { body(HierarchyChangeSet(chosen)) }
        guard limit > 0 else { return }
        for (index, operation) in zip(operations.indices, operations) {
            choose(
                upTo: limit - 1,
                of: operations[(index + 1)...],
                for: balance.after(operation),
                after: chosen + [operation],
                body
            )
        }
    }

    /// The numbers of sections and items that are still to be inserted, which exclude invalid
    /// records early.
    private struct Balance {
        private var sections: Int
        private var items: Int
        private var editsSections = false

        init(from old: HierarchyShape, to new: HierarchyShape) {
            sections = new.numberOfSections - old.numberOfSections
            items = new.paths.count - old.paths.count
        }

        var mayBeEven: Bool { sections == 0 && (editsSections || items == 0) }

        func after(_ operation: HierarchyChangeSet.Operation) -> Balance {
            var balance = self
            switch operation {
            case .insertItems: balance.items -= 1
            case .deleteItems: balance.items += 1
            case .insertSections: (balance.sections, balance.editsSections) = (sections - 1, true)
            case .deleteSections: (balance.sections, balance.editsSections) = (sections + 1, true)
            case .reloadSections: balance.editsSections = true
            default: break
            }
            return balance
        }
    }

    subscript(from shape: HierarchyShape) -> [ValidatedChangeSet] { byStart[shape] ?? [] }

    /// The updates with at most two edits in one or two sections of at most two items.
    static let ofTwoEdits = SmallUpdates(
        shapes: everyShape(sections: 2, itemsEach: 2, items: 3),
        edits: 2
    )

    /// The updates with one edit.
    static let ofOneEdit = SmallUpdates(
        shapes: everyShape(sections: 2, itemsEach: 3, items: 4),
        edits: 1
    )
}

/// Selects one of every `step` elements of an enumeration, always the same ones; more with full
/// effort.
struct Thinning {
    private var count = 0
    private let step: Int

    init(_ usual: Int, full: Int = 1) { step = Effort.number(full, usually: usual) }

    mutating func takesNext() -> Bool {
        count += 1
        return count.isMultiple(of: step)
    }
}
