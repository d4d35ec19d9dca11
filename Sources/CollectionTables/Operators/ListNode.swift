import CollectionPipeline
import PersistentTrees

/// The change of a list in one turn of its store.
struct ListUpdate {
    /// The rows that changed, one change for each key.
    var rows: [RowChange] = []
    /// The remaining sections with another header.
    var headers: [ErasedID] = []
    /// Whether rows that are not in `rows` may have another order. Lists that are derived from this
    /// one then start again from its state.
    var isReordered = false
    /// Whether sections that remain may have another order.
    var isSectionOrderChanged = false

    var isEmpty: Bool {
        rows.isEmpty && headers.isEmpty && !isReordered && !isSectionOrderChanged
    }
}

/// A table or an operator: a node of the graph in which changes flow from tables to lists.
///
/// A node is built on the lane of its store and retains its inputs. Its inputs refer to it weakly,
/// so a list that is no longer used costs nothing.
// Unchecked: the mutable state is confined to the lane of the store.
@usableFromInline
class ListNode: @unchecked Sendable {
    final let store: StoreCore
    final let inputs: [ListNode]
    /// The length of the longest path to a table. Nodes are evaluated by ascending height, so a
    /// node with several inputs is evaluated once, after all of them.
    final let height: Int

    /// The current state.
    final private(set) var state = ListState()
    /// The sections of the state by their identity.
    final private(set) var sections: [ErasedID: ListSection] = [:]
    /// The change of the current turn; `nil` if there is none.
    final private(set) var update: ListUpdate?
    /// The error that prevented the last update of this list or of an input; `nil` if there was
    /// none.
    final private(set) var failure: TableError?
    /// Whether the state or the failure changed in the current turn.
    final private(set) var isChanged = true
    /// Whether the state must be made again from the inputs.
    final var isStale = true
    /// Whether the state lacks changes of the inputs, so that its rows need not be theirs.
    final private(set) var hasMissedUpdates = true
    /// Whether the node waits to be evaluated in this turn.
    final var isWaiting = false

    private final var dependents: [WeakNode] = []
    private struct WeakNode { weak var node: ListNode? }
    private final var observers: [(id: Int, receive: @Sendable (PublishedList) -> Void)] = []
    private final let published = Lock(PublishedList(state: ListState(), version: 0, failure: nil))

    init(_ store: StoreCore, inputs: [ListNode]) {
        self.store = store
        self.inputs = inputs
        height = (inputs.map(\.height).max() ?? -1) + 1
    }

    // MARK: What operators define

    /// Returns a negative number if `a` is before `b` in a section of this list, a positive number
    /// if it is after `b`, and 0 if they are the same row.
    func compare(_ a: ListRow, _ b: ListRow) -> Int { fatalError("an operator defines it") }

    /// The node that defines the order of this list's sections: by default the one that does so
    /// for the first input.
    var sectionOrder: ListNode { inputs.first?.sectionOrder ?? self }

    /// Returns whether section `a` of this list is before section `b`.
    func isOrdered(_ a: ListSection, before b: ListSection) -> Bool {
        let node = sectionOrder
        // A table has one section. A search compares a section with itself.
        return node !== self && a !== b && node.isOrderedByID(a, before: b)
    }

    /// Returns the order of two sections of a list that is derived from this one. The sections have
    /// the same identity as sections of this list, but may lack rows of them.
    final func isOrderedByID(_ a: ListSection, before b: ListSection) -> Bool {
        isOrdered(sections[a.id] ?? a, before: sections[b.id] ?? b)
    }

    /// Returns the changes that follow from the updates of the inputs.
    func derive() throws(TableError) -> StateEdit { fatalError("an operator defines it") }

    /// Makes the whole state from the inputs.
    func rebuild() throws(TableError) -> StateEdit { fatalError("an operator defines it") }

    // MARK: Evaluation

    /// Connects the node to its inputs and makes its first state.
    final func attach() {
        for input in inputs {
            input.dependents.removeAll { $0.node == nil }
            input.dependents.append(WeakNode(node: self))
        }
        // A parameter may have made the state before the inputs were connected, and an input may
        // have changed since then.
        (isStale, hasMissedUpdates) = (true, true)
        evaluate()
    }

    final func evaluate() {
        isWaiting = false
        let hadFailed = failure != nil
        do throws(TableError) {
            if let failure = inputs.lazy.compactMap(\.failure).first { throw failure }
            let edit = try isStale ? rebuild() : derive()
            (isStale, hasMissedUpdates) = (false, false)
            failure = nil
            take(edit)
        } catch {
            (isStale, hasMissedUpdates) = (true, true)
            failure = error
        }
        if hadFailed || failure != nil { isChanged = true }
    }

    /// Replaces the state, and records the change for dependents.
    final func take(_ edit: StateEdit) {
        state = edit.state
        for id in edit.removedSections { sections[id] = nil }
        for section in edit.changedSections { sections[section.id] = section }
        update = edit.update.isEmpty ? nil : edit.update
        if update != nil { isChanged = true }
    }

    final func forEachDependent(_ body: (ListNode) -> Void) {
        for dependent in dependents { if let node = dependent.node { body(node) } }
    }

    /// Makes the result of the turn visible to other threads and to observers.
    final func publish(version: Int) {
        guard isChanged else { return }
        let version = update == nil ? current.version : version
        let new = PublishedList(state: state, version: version, failure: failure)
        (update, isChanged) = (nil, false)
        published.withLock { $0 = new }
        for observer in observers { observer.receive(new) }
    }

    /// Whether a list that follows this one is better made again than edited. A filter may double
    /// the share of changed rows, and if it was edited, what follows it should be edited too.
    ///
    /// - Parameter divisor: The reciprocal of the share of a table's rows that is too many. About 48
    ///   would be best for cheap closures, and 16 for expensive ones.
    final func isTooMany(_ edits: Int, divisor: Int = 24) -> Bool {
        edits > 32 + state.numberOfRows / (inputs.isEmpty ? divisor : divisor / 2)
    }

    // MARK: Readers

    /// The last published state; usable on any thread.
    final var current: PublishedList { published.withLock { $0 } }

    final func addObserver(_ id: Int, _ receive: @escaping @Sendable (PublishedList) -> Void) {
        observers.append((id, receive))
        receive(current)
    }

    final func removeObserver(_ id: Int) { observers.removeAll { $0.id == id } }
}

/// A state of a list as other threads see it.
struct PublishedList: Sendable {
    let state: ListState
    let version: Int
    let failure: TableError?
}

/// A new state of a list, with its differences from the current one.
struct StateEdit {
    var state: ListState
    var update = ListUpdate()
    var changedSections: [ListSection] = []
    var removedSections: [ErasedID] = []

    init(_ state: ListState) { self.state = state }
}

extension ListNode {
    /// A change of the rows of one section.
    struct SectionChange {
        var id: ErasedID
        /// The rows after the change.
        var rows: RowTree
        /// The section of the input that determines the header; `nil` to keep the header.
        var template: ListSection?
    }

    /// Returns the state after changes of some sections. A section without rows is removed unless
    /// it is declared; a new section is inserted at its place.
    ///
    /// - Parameter isReordering: Whether sections that remain may have another order.
    final func editing(
        _ changes: [SectionChange],
        isReordering: Bool = false
    ) throws(TableError) -> StateEdit {
        var edit = StateEdit(state)
        edit.update.isSectionOrderChanged = isReordering
        var tree = state.sections.transaction()
        for change in changes {
            let old = sections[change.id]
            guard let template = change.template ?? old else { continue }
            let isRemoved = change.rows.isEmpty && !template.isDeclared
            if isRemoved, old == nil { continue }
            // An equal header of another row may be ordered otherwise.
            let new = ListSection(
                old?.id ?? change.id,
                header: template.header,
                isDeclared: template.isDeclared,
                rows: change.rows
            )
            if isRemoved {
                edit.removedSections.append(change.id)
            } else {
                edit.changedSections.append(new)
            }
            if isReordering { continue }
            let place = tree.partitionPoint { self.isOrdered($0, before: old ?? new) }
            if let old, place == tree.count || tree[place] !== old {
                throw .inconsistentOrder(of: old)
            }
            if isRemoved {
                tree.remove(at: place)
            } else if old != nil {
                tree.replace(at: place, with: new)
            } else {
                tree.insert(new, at: place)
            }
        }
        if isReordering {
            var all = sections
            for id in edit.removedSections { all[id] = nil }
            for section in edit.changedSections { all[section.id] = section }
            let ordered = all.values.sorted { self.isOrdered($0, before: $1) }
            edit.state.sections = PersistentSequence(ordered)
        } else {
            edit.state.sections = tree.commit()
        }
        return edit
    }

    /// Returns a whole new state.
    final func replacing(with new: [ListSection]) -> StateEdit {
        var edit = StateEdit(ListState(sections: PersistentSequence(new)))
        edit.changedSections = new
        let ids = Set(new.lazy.map(\.id))
        edit.removedSections = sections.keys.filter { !ids.contains($0) }
        edit.update.isReordered = true
        edit.update.isSectionOrderChanged = true
        return edit
    }
}
