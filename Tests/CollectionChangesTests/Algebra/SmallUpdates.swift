import CollectionChanges
import PipelineTestSupport

/// Every update of few edits between small shapes, by the shape that it starts from.
struct SmallUpdates {
    private(set) var all: [ValidatedChangeSet] = []
    private var byStart: [HierarchyShape: [ValidatedChangeSet]] = [:]

    /// - Parameter edits: how many operations a record has at most.
    init(shapes: [HierarchyShape], edits: Int) {
        for old in shapes {
            for new in shapes {
                var operations = elementaryOperations(from: old, to: new, beyond: false)
                operations += old.paths.map { .reconfigureItems([$0], .automatic) }
                withEveryRecord(of: operations, upTo: edits) { changes in
                    // Two of the same do not make another update.
                    if Set(changes.operations).count < changes.operations.count { return }
                    guard let update = try? changes.validated(from: old, to: new) else { return }
                    all.append(update)
                    byStart[old, default: []].append(update)
                }
            }
        }
    }

    subscript(from shape: HierarchyShape) -> [ValidatedChangeSet] { byStart[shape] ?? [] }

    /// Those of at most two edits among one or two sections of at most two items.
    static let ofTwoEdits = SmallUpdates(
        shapes: everyShape(sections: 2, itemsEach: 2, items: 3),
        edits: 2
    )

    /// Single edits.
    static let ofOneEdit = SmallUpdates(
        shapes: everyShape(sections: 2, itemsEach: 3, items: 4),
        edits: 1
    )
}

/// Takes one of so many of what is enumerated, more where effort is full; the same ones every time.
struct Thinning {
    private var count = 0
    private let step: Int

    init(_ usual: Int, full: Int = 1) { step = Effort.number(full, usually: usual) }

    mutating func takesNext() -> Bool {
        count += 1
        return count.isMultiple(of: step)
    }
}
