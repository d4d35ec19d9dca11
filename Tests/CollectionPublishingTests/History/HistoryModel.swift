import PipelineTestSupport

@testable import CollectionPublishing

/// The obviously correct model of a ``VersionHistory``: all updates, what there was at each version, and who holds which.
struct HistoryModel {
    private(set) var updates: [ValidatedChangeSet] = []
    /// What there was, from before the first update on.
    private(set) var states: [StateModel]
    private(set) var versions = [0]
    private(set) var holders: [Int: Int] = [:]
    /// The versions that were forgotten though somebody held them.
    private(set) var forgotten: [Int] = []
    /// Where what is kept whoever holds it begins.
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
        updates[start...].reduce(0) { $0 + $1.edits.count + $1.reconfigurations.count + 1 }
    }

    mutating func retain(_ version: Int) {
        if knows(version) { holders[version, default: 0] += 1 }
    }

    mutating func release(_ version: Int) {
        guard let count = holders[version] else { return }
        holders[version] = count > 1 ? count - 1 : nil
    }

    /// The versions that somebody holds, ascending.
    var held: [Int] { holders.keys.sorted() }

    /// The versions that are known, ascending.
    var known: [Int] { held.filter { $0 < versions[start] } + versions[start...] }

    func knows(_ version: Int) -> Bool { known.contains(version) }

    /// What is wrong with what `history` says, which is to be asked about `asked`; nil where nothing is.
    func fault(of history: VersionHistory, asking asked: [Int]) -> String? {
        if history.newest != newest { return "the newest is \(history.newest), not \(newest)" }
        if history.knownVersions != known.count {
            return "\(history.knownVersions) versions are known, not \(known.count)"
        }
        for version in asked {
            guard history.knows(version) == knows(version) else {
                return "\(version) is \(knows(version) ? "not known" : "known")"
            }
            let changes = history.answer(since: version)
            guard knows(version), version != newest else {
                if changes != nil { return "something leads from \(version)" }
                continue
            }
            guard let changes else { return "nothing leads from \(version)" }
            if let fault = fault(of: changes, since: version) {
                return "since \(version): \(fault)"
            }
        }
        return nil
    }

    /// What is wrong with what is said to have changed; nil where nothing is.
    private func fault(of changes: ValidatedChangeSet, since version: Int) -> String? {
        guard let update = versions.firstIndex(of: version) else { return "no such version" }
        let expected = Difference(from: states[update], to: states[states.count - 1])
        let found = Difference(changes)
        return found == expected ? nil : "\(found) and not \(expected)"
    }
}

extension HistoryModel {
    /// What is kept though the limits and the holders do not need it; nil where nothing is.
    ///
    /// An update that can be begun at by itself, the stretches between those, and stretches that are composed of them:
    /// of a tree no more than twice its leaves.
    func excess(of history: VersionHistory) -> String? {
        let window = updates.count - start
        let older = held.count { $0 < versions[start] }
        let levels = Int.bitWidth - max(1, updates.count).leadingZeroBitCount
        let bound = 2 * (window + older * 2 * levels)
        return history.keptChangeSets <= bound
            ? nil : "\(history.keptChangeSets) change sets are kept, not at most \(bound)"
    }
}
