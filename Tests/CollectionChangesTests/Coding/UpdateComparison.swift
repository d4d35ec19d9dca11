import CollectionChanges
import TestSupport

/// Everything that can be observed of an update, to compare.
struct ObservedUpdate: Hashable {
    let old: HierarchyShape
    let new: HierarchyShape
    let isEmpty: Bool
    let isReloadData: Bool
    let edits: [HierarchyEdit]
    let reconfigurations: [ItemReconfiguration]
    let supplementaryReloads: [SupplementaryReload]
    let sections: IndexMapping

    init(_ update: ValidatedChangeSet) {
        old = update.oldShape
        new = update.newShape
        isEmpty = update.isEmpty
        isReloadData = update.isReloadData
        edits = Array(update.edits)
        reconfigurations = update.reconfigurations
        supplementaryReloads = update.supplementaryReloads
        sections = update.sectionMapping
    }
}

/// Updates with everything that one can have in it. All follows from the seed.
struct EncodableUpdates {
    private var records: RandomRecords
    private var generator: SeededNumbers

    init(seed: UInt64) {
        let options: [AnimationOption] =
            seed.isMultiple(of: 3)
            ? [.automatic] : [.automatic, .fade, .none, AnimationOption(rawValue: .min)]
        records = RandomRecords(seed: seed, animations: options)
        generator = SeededNumbers(seed: seed &+ 77)
    }

    mutating func next(sections: Int = 5, items: Int = 6) throws -> ValidatedChangeSet {
        var draw = records.valid(sections: sections, items: items)
        if generator.isTrue(oneIn: 12) {
            draw.changes.record(.reloadData(.fade))
        }
        for path in draw.old.paths where generator.isTrue(oneIn: 4) {
            draw.changes.record(.reconfigureItems([path], option()))
        }
        for section in draw.old.itemCounts.indices where generator.isTrue(oneIn: 9) {
            draw.changes.record(.reconfigureSections([section], option()))
        }
        for section in draw.new.itemCounts.indices where generator.isTrue(oneIn: 5) {
            let kinds = ["header", "footer", "ünïcode", ""]
            let kind = SupplementaryKind(rawValue: kinds[generator.next(below: 4)])
            draw.changes.record(.reloadSupplementaries(kind, in: [section], option()))
        }
        return try draw.changes.validated(from: draw.old, to: draw.new)
    }

    private mutating func option() -> AnimationOption {
        AnimationOption(rawValue: generator.next(below: 3))
    }
}

/// The error with which reading ends, or nil.
func fault<Result>(
    of body: () throws(BinaryDecodingError) -> Result
) -> BinaryDecodingError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
