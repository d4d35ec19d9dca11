import PipelineTestSupport

@testable import CollectionPublishing

/// A simple model of a ``VersionHistory``: all updates, the state of each version, and the holders
/// of each version.
struct HistoryModel {
    private(set) var updates: [ValidatedChangeSet] = []
    /// The states, beginning before the first update.
    private(set) var states: [StateModel]
    private(set) var versions = [0]
    private(set) var holders: [Int: Int] = [:]
    /// The versions that were forgotten while they were held.
    private(set) var forgotten: [Int] = []
    /// The index of the oldest version that is known without a holder.
    private(set) var start = 0
    private let limits: VersionHistory.Limits

    init(_ state: StateModel, _ limits: VersionHistory.Limits) {
        states = [state]
        self.limits = limits
    }

    var newest: Int { versions[versions.count - 1] }

    mutating func append(_ update: ValidatedChangeSet, to version: Int, _ state: StateModel) {
        updates.append(update)
        versions.append(version)
        states.append(state)
        while updates.count - start > limits.updates || weight(from: start) > limits.edits {
            start += 1
        }
        let older = held.filter { $0 < versions[start] }
        for version in older.dropLast(limits.retained) {
            holders[version] = nil
            forgotten.append(version)
        }
    }

    private func weight(from start: Int) -> Int {
        updates[start...].reduce(0) { sum, update in
            sum + update.edits.count + update.reconfigurations.count
                + update.supplementaryReloads.count + 1
        }
    }

    mutating func retain(_ version: Int) {
        if knows(version) { holders[version, default: 0] += 1 }
    }

    mutating func release(_ version: Int) {
        guard let count = holders[version] else { return }
        holders[version] = count > 1 ? count - 1 : nil
    }

    var held: [Int] { holders.keys.sorted() }

    var known: [Int] { held.filter { $0 < versions[start] } + versions[start...] }

    func knows(_ version: Int) -> Bool { known.contains(version) }

    /// Compares a history with the model and queries it for the versions in `versions`; returns the
    /// first fault.
    func fault(of history: VersionHistory, querying versions: [Int]) -> String? {
        if history.newest != newest { return "the newest is \(history.newest), not \(newest)" }
        if history.knownVersions != known.count {
            return "\(history.knownVersions) versions are known, not \(known.count)"
        }
        for version in versions {
            guard history.knows(version) == knows(version) else {
                return "\(version) is \(knows(version) ? "not known" : "known")"
            }
            let changes = history.answer(since: version)
            guard knows(version), version != newest else {
                if changes != nil { return "unexpected changes since \(version)" }
                continue
            }
            guard let changes else { return "no changes since \(version)" }
            if let fault = fault(of: changes, since: version) {
                return "since \(version): \(fault)"
            }
        }
        return nil
    }

    /// Returns how the changes differ from the model's states, or `nil`.
    private func fault(of changes: ValidatedChangeSet, since version: Int) -> String? {
        guard let update = versions.firstIndex(of: version) else { return "unknown version" }
        let expected = Difference(from: states[update], to: states[states.count - 1])
        let found = Difference(changes)
        return found == expected ? nil : "\(found) and not \(expected)"
    }
}

extension HistoryModel {
    /// The smallest sufficient number of change sets: one per update that any reader may start
    /// from, and one per largest stretch of older updates in which no reader starts.
    var leastKept: Int {
        let beginnings = held.compactMap { versions.firstIndex(of: $0) }
        var (count, next) = (updates.count - start, min(beginnings.first ?? start, start))
        while next < start {
            var length = 1
            while next.isMultiple(of: length * 2), next + length * 2 <= start,
                !beginnings.contains(where: { next < $0 && $0 < next + length * 2 })
            {
                length *= 2
            }
            next += length
            count += 1
        }
        return count
    }

    /// Returns a description of change sets that neither limits nor holders need, or `nil`.
    ///
    /// - Parameter isQueried: whether the history was queried; it keeps the answers too, as inner
    /// nodes of trees.
    func excess(of history: VersionHistory, isQueried: Bool) -> String? {
        let least = leastKept
        let most = isQueried ? max(0, least * 2 - 1) : least
        return (least...most).contains(history.keptChangeSets)
            ? nil : "\(history.keptChangeSets) change sets are kept, not \(least) to \(most)"
    }
}

/// The identities shared by two states and their current places. Every update between the states
/// has the same difference, however its edits are expressed.
struct Difference: Equatable {
    var shapes: [HierarchyShape]
    /// The old index of each section; `nil` for a new section.
    var sections: [Int?]
    /// The old path of each item; `nil` for a new item.
    var items: [[ItemPath?]]
    /// The surviving items that changed.
    var changedItems: Set<ItemPath> = []
    var changedSections: Set<Int> = []

    /// Matches elements by their numbers and compares payloads.
    init(from old: StateModel, to new: StateModel) {
        shapes = [old.shape, new.shape]
        var places: [UInt64: (path: ItemPath, payload: PublishedPayload?)] = [:]
        var oldSections: [UInt64: (index: Int, payload: PublishedPayload?)] = [:]
        for (section, entry) in old.sections.enumerated() {
            oldSections[entry.section.number] = (section, entry.section.payload)
            for (item, value) in entry.items.enumerated() {
                places[value.number] = (ItemPath(section, item), value.payload)
            }
        }
        sections = new.sections.map { oldSections[$0.section.number]?.index }
        items = new.sections.map { $0.items.map { places[$0.number]?.path } }
        for (section, entry) in new.sections.enumerated() {
            if let old = oldSections[entry.section.number], old.payload != entry.section.payload {
                changedSections.insert(section)
            }
            for (item, value) in entry.items.enumerated() {
                if let old = places[value.number], old.payload != value.payload {
                    changedItems.insert(ItemPath(section, item))
                }
            }
        }
    }

    /// Reads the same difference from an update.
    init(_ update: ValidatedChangeSet) {
        // Applied to a state whose numbers are the old places, so that new elements have other
        // numbers.
        var source = ContentGenerator(isComplete: true)
        let old = StateModel(
            sections: update.oldShape.itemCounts.map { count in
                StateModel.Section(
                    section: source.section(),
                    items: (0..<count).map { _ in source.item() }
                )
            }
        )
        var new = old
        _ = new.apply(update, &source)
        self.init(from: old, to: new)
    }
}
