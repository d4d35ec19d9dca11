/// The updates that lead from older versions to the newest one. The history keeps the newest
/// versions, and each older one as long as a reader retains it.
///
/// Updates are numbered, and composed in runs of 2ᵏ consecutive updates whose first number is a
/// multiple of 2ᵏ. The changes since any version are the composition of a few such runs, each of
/// which is composed at most once. When no reader can start in the middle of a run any longer, its
/// halves are dropped. A retained version therefore costs memory for what has changed since, not
/// for how often it changed.
///
/// The history is a value, and independent of readers, lanes and payloads.
///
/// Complexity: O(log h) compositions to return the changes of h updates, plus, amortised, one for
/// each update that was composed into runs before.
///
/// Source: the skip-deltas of Subversion's repositories; binary counters.
struct VersionHistory {
    /// The limits of a history.
    struct Limits: Hashable, Sendable {
        /// The number of newest updates whose versions are kept even if no reader retains them.
        var updates: Int
        /// The total number of edits of these updates.
        var edits: Int
        /// The number of older versions that may be retained.
        var retained: Int
        /// The total number of edits that are kept for the retained versions, including
        /// compositions made for queries.
        var retainedEditLimit = Int.max
    }

    /// A run of consecutive updates: number `index` among the runs of 2^`level` updates.
    struct UpdateRun: Hashable {
        var level: Int
        var index: Int

        var first: Int { index << level }
        var end: Int { (index + 1) << level }
        var halves: (UpdateRun, UpdateRun) {
            (
                UpdateRun(level: level - 1, index: index * 2),
                UpdateRun(level: level - 1, index: index * 2 + 1)
            )
        }
    }

    let limits: Limits

    /// The number of the oldest update that is kept even if no reader retains its version.
    private(set) var start = 0
    /// The versions that these updates start from, followed by the newest version.
    private var versions = FIFO<Int>()
    /// The number of edits of these updates.
    private var edits = 0
    /// The total number of edits in all change sets that are kept.
    private var keptEdits = 0
    /// The change sets of single updates and of runs.
    private var compositions: [UpdateRun: ValidatedChangeSet] = [:]
    /// For the number of each update, the number of readers that retain the version from which it
    /// starts.
    private var holders: [Int: Int] = [:]
    /// The updates before ``start`` whose versions are retained, ascending.
    private var retained: [(update: Int, version: Int)] = []

    init(at version: Int, limits: Limits) {
        self.limits = limits
        versions.append(version)
    }

    /// The newest version.
    var newest: Int { versions[versions.count - 1] }
    /// The number of the next update.
    private var end: Int { start + versions.count - 1 }

    /// The number of known versions.
    var knownVersions: Int { versions.count + retained.count }
    /// The number of change sets that are kept.
    var keptChangeSets: Int { compositions.count }

    // MARK: Changes

    /// Appends an update to a later version.
    mutating func append(_ changeSet: ValidatedChangeSet, to version: Int) {
        keep(changeSet, UpdateRun(level: 0, index: end))
        edits += changeSet.weight
        versions.append(version)
        while versions.count - 1 > max(0, limits.updates) || edits > limits.edits, start < end {
            retireFirst()
        }
        // A reader of a forgotten version receives the whole state, which is shorter than so many
        // changes.
        while keptEdits - edits > max(0, limits.retainedEditLimit), !retained.isEmpty {
            forgetOldest()
        }
    }

    private mutating func keep(_ changeSet: ValidatedChangeSet, _ run: UpdateRun) {
        compositions[run] = changeSet
        keptEdits += changeSet.weight
    }

    private mutating func drop(_ run: UpdateRun) {
        keptEdits -= compositions.removeValue(forKey: run)?.weight ?? 0
    }

    /// Keeps a version known until it has been released as often as it was retained.
    ///
    /// - Returns: Whether the version is known.
    @discardableResult
    mutating func retain(_ version: Int) -> Bool {
        guard let update = update(from: version) else { return false }
        holders[update, default: 0] += 1
        return true
    }

    /// Releases a version that was retained; does nothing if it was forgotten in the meantime.
    mutating func release(_ version: Int) {
        guard let update = update(from: version), let count = holders[update] else { return }
        holders[update] = count > 1 ? count - 1 : nil
        if count == 1, update < start { dropRetained(update) }
    }

    // MARK: Queries

    /// Returns whether the changes since `version` are known.
    func knows(_ version: Int) -> Bool { update(from: version) != nil }

    /// Returns the changes from `version` to the newest version; `nil` if they are not known, or if
    /// `version` is the newest.
    mutating func changes(since version: Int) -> ValidatedChangeSet? {
        guard var next = update(from: version) else { return nil }
        var composition: ChangeSetComposition?
        while next < end {
            var run = UpdateRun(level: 0, index: next)
            while run.index.isMultiple(of: 2), next + 2 << run.level <= end {
                run = UpdateRun(level: run.level + 1, index: run.index / 2)
            }
            append(compose(run), to: &composition)
            next = run.end
        }
        return composition?.update
    }

    /// Returns the number of the update that starts from a known version; for the newest version,
    /// the number of the next update.
    private func update(from version: Int) -> Int? {
        if version >= versions[0] {
            let position = partitionPoint(versions.count) { versions[$0] >= version }
            return position < versions.count && versions[position] == version
                ? start + position : nil
        }
        let position = partitionPoint(retained.count) { retained[$0].version >= version }
        return position < retained.count && retained[position].version == version
            ? retained[position].update : nil
    }

    // MARK: Composing

    /// Returns the composition of a run, and keeps it.
    private mutating func compose(_ run: UpdateRun) -> ValidatedChangeSet {
        if let known = compositions[run] { return known }
        let (left, right) = run.halves
        var composition: ChangeSetComposition?
        append(compose(left), to: &composition)
        append(compose(right), to: &composition)
        guard let changeSet = composition?.update else { fatalError("a run has two halves") }
        keep(changeSet, run)
        return changeSet
    }

    private func append(_ next: ValidatedChangeSet, to composition: inout ChangeSetComposition?) {
        var sum = composition ?? ChangeSetComposition(from: next.oldShape)
        // Releases the composition before it is changed, to avoid a copy.
        composition = nil
        do throws(HierarchyUpdateError) {
            try sum.append(next)
        } catch {
            fatalError("updates of one history follow each other: \(error)")
        }
        composition = sum
    }

    // MARK: Forgetting

    /// Moves the oldest of the updates that are always kept to those that are kept only for
    /// readers.
    private mutating func retireFirst() {
        let first = start
        guard let version = versions.popFirst(),
            let passed = compositions[UpdateRun(level: 0, index: first)]
        else { return }
        edits -= passed.weight
        start += 1
        if holders[first] != nil {
            retained.append((first, version))
            if retained.count > max(0, limits.retained) { forgetOldest() }
        }
        if retained.isEmpty { return dropRuns(from: first) }
        fold(around: first, from: 1)
    }

    /// Forgets the oldest retained version.
    private mutating func forgetOldest() {
        let oldest = retained[0].update
        holders[oldest] = nil
        dropRetained(oldest)
    }

    /// Removes the version from which an older update starts from the retained versions.
    private mutating func dropRetained(_ update: Int) {
        let position = partitionPoint(retained.count) { retained[$0].update >= update }
        retained.remove(at: position)
        if position == 0 { return dropRuns(from: update) }
        // A run that ended here and a run that began here may now be composed. The smaller runs
        // that begin here are not affected: no reader could start in their middle before.
        fold(around: update, from: update.trailingZeroBitCount + 1)
    }

    /// Composes the runs around an older update, from level `lowest` upwards, as long as no reader
    /// can start in their middle, and drops their halves.
    private mutating func fold(around update: Int, from lowest: Int) {
        var next = UpdateRun(level: lowest, index: update >> lowest)
        while next.end <= start, !isRetained(inside: next) {
            _ = compose(next)
            let (left, right) = next.halves
            drop(left)
            drop(right)
            next = UpdateRun(level: next.level + 1, index: next.index / 2)
        }
    }

    /// Returns whether a reader may start in the middle of a run of older updates.
    private func isRetained(inside run: UpdateRun) -> Bool {
        let position = partitionPoint(retained.count) { retained[$0].update > run.first }
        return position < retained.count && retained[position].update < run.end
    }

    /// Drops the runs that begin at `update`, the oldest update so far, or between it and the next
    /// update that a reader may start from.
    private mutating func dropRuns(from update: Int) {
        let oldest = retained.first?.update ?? start
        guard oldest - update < compositions.count else {
            for run in compositions.keys where run.first < oldest { drop(run) }
            return
        }
        for first in update..<oldest {
            for level in 0...first.trailingZeroBitCount {
                drop(UpdateRun(level: level, index: first >> level))
            }
        }
    }
}

extension ValidatedChangeSet {
    /// The memory that the change set takes, counted in edits.
    fileprivate var weight: Int {
        // A shape takes one number for each section, an edit about fifty bytes.
        edits.count + reconfigurations.count + supplementaryReloads.count + 1
            + newShape.numberOfSections / 8
    }
}
