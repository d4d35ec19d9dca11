import CollectionChanges
import TestSupport

/// Everything observable of an update, in comparable form.
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

/// Draws updates with every feature. The seed determines everything.
struct EncodableUpdates {
    private var records: RandomRecords
    private var generator: SeededNumbers
    /// The record of the last update.
    private(set) var record = HierarchyChangeSet()

    init(seed: UInt64) {
        let options: [AnimationOption] =
            seed.isMultiple(of: 3)
            ? [.automatic] : [.automatic, .fade, .none, AnimationOption(rawValue: .min)]
        records = RandomRecords(seed: seed, animations: options)
        generator = SeededNumbers(seed: seed &+ 77)
    }

    mutating func next(sections: Int = 5, items: Int = 6) throws -> ValidatedChangeSet {
        let draw = records.valid(sections: sections, items: items, updates: true)
        record = draw.changes
        if generator.isTrue(oneIn: 12) { record.reloadData(animation: .fade) }
        for section in draw.new.itemCounts.indices where generator.isTrue(oneIn: 5) {
            let kind = SupplementaryKind(rawValue: generator.isTrue(oneIn: 2) ? "ünïcode" : "")
            record.reloadSupplementaries(ofKind: kind, in: [section], animation: .top)
        }
        return try record.validated(from: draw.old, to: draw.new)
    }
}

/// Returns the error that decoding throws, or `nil`.
func fault<Result>(
    of body: @autoclosure () throws(BinaryDecodingError) -> Result
) -> BinaryDecodingError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error
    }
}
