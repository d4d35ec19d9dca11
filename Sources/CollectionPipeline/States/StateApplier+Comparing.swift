import CollectionElements

extension StateApplier {
    /// What a comparison gave.
    struct Comparison: Sendable {
        /// What the data source has then: the newest state, without what it has said.
        let accepted: State
        /// That state's.
        let shape: HierarchyShape
        /// What to record; nil for a reload.
        var record: HierarchyChangeSet?
        var sectionsWithEdits: SectionSet?

        /// Whether the state shows what the one before it did.
        var changesNothing: Bool { record?.isEmpty == true }

        /// What comes of a reload.
        init(reloading state: State) { self.init(state.accepted, state.shape) }

        init(_ accepted: State, _ shape: HierarchyShape) {
            self.accepted = accepted
            self.shape = shape
        }

        /// The same, without what the comparison has found.
        var asReload: Comparison { Comparison(accepted, shape) }
    }

    /// Whether the controller closes: told on the main lane, asked by a comparison.
    final class Closing: Sendable {
        private let state = Lock(false)

        var hasBegun: Bool { state.withLock { $0 } }

        func begin() { state.withLock { $0 = true } }
    }

    /// On a worker.
    ///
    /// - Parameter requests: the one under way, and before it those that it supersedes.
    static func compare(
        _ requests: [Request],
        with base: State,
        _ options: DifferenceOptions,
        hasHeaders: Bool,
        isCancelled: () -> Bool
    ) -> Result<Comparison, UpdateError> {
        var state = requests[0].state
        for request in requests.dropFirst() {
            state = request.state.superseding(state)
        }
        do throws(DifferenceError) {
            let update = try state.changes(from: base, options: options, isCancelled: isCancelled)
            let (old, new) = (base.shape, state.shape)
            guard update.oldShape == old, update.newShape == new else {
                return .failure(
                    UpdateError(
                        .invalidState,
                        "changes(from:options:isCancelled:) gave an update from \(update.oldShape) to"
                            + " \(update.newShape), but the states are \(old) and \(new)"
                    )
                )
            }
            var comparison = Comparison(state.accepted, new)
            var record = HierarchyChangeSet(recording: update)
            if hasHeaders {
                let (sections, oldSections) = (state.sections, base.sections)
                let others = sections.indices.filter { section in
                    let oldSection = update.oldSection(for: section)
                    return oldSection.map { oldSections[$0] != sections[section] } ?? false
                }
                if !others.isEmpty {
                    record.reloadSupplementaries(ofKind: .header, in: SectionSet(others))
                }
            }
            comparison.record = record
            comparison.sectionsWithEdits = update.newSectionsWithEdits
            return .success(comparison)
        } catch {
            return .failure(error.code == .cancelled ? .cancelledComparison : UpdateError(error))
        }
    }
}

extension UpdateError {
    /// A comparison that was given up.
    fileprivate static var cancelledComparison: UpdateError {
        UpdateError(.cancelled, "The task was cancelled while its state was compared")
    }

    /// A state that was applied and cannot be compared.
    init(_ error: DifferenceError) {
        self.init(.invalidState, error.message, underlyingError: error)
    }
}

extension ValidatedChangeSet {
    /// The sections, by their index now, of which items were removed or put in; those that are new need not be told.
    var newSectionsWithEdits: SectionSet {
        var sections = SectionSet()
        for edit in itemRemovals {
            if let section = newSection(for: edit.path.section) { sections.insert(section) }
        }
        for edit in itemInsertions { sections.insert(edit.path.section) }
        return sections
    }
}
