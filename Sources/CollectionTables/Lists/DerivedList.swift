import CollectionPipeline

/// A list that follows a table: the result of operators, kept up to date row by row.
///
/// ```swift
/// let open = orders.rows
///     .filter { $0.state == "open" }
///     .sorted(on: \.amount, descending: true)
///     .sectioned(by: \.customer)
/// ```
///
/// The list is always what its operators would return for the whole current tables, with the same
/// order, identities and sections. (The row that a window follows also depends on the past; see
/// ``ListWindow``.) A row that remains is never removed and inserted again: it stays, is updated in
/// place, or moves, even to another section.
///
/// Every operator returns a new list. Lists may share inputs: if a hundred filters follow one sorted
/// list, it is sorted once.
///
/// Order: rows of equal order keep the order of the input. `sorted` orders rows within sections. A
/// section without rows disappears, unless it is declared (``SectionOrder/declared(_:)``). A list
/// that is not divided has one section, which always exists (``WholeList``).
///
/// Threading: every member may be called from any thread. The closures of operators run on the lane
/// of the store. They must not block, and must always return the same result for the same row. A
/// new list is made on that lane too; until then its state has no sections.
///
/// Errors: if a closure of an operator throws, or an order is inconsistent, the list keeps its last
/// good state and has a ``failure``, and so do all lists that are derived from it. It is made again
/// after the next change of its inputs. Combining lists of different stores, or a list with a
/// parameter of another store, is a programming error and traps.
///
/// Retains: its inputs.
public final class DerivedList<
    Key: Hashable & Sendable,
    Row: Equatable & Sendable,
    Header: Equatable & Sendable
>: Sendable {
    /// The state of the list.
    public typealias State = DerivedState<Key, Row, Header>

    @usableFromInline let node: ListNode

    /// Creates the handle of a new node, which it adds to the store.
    @usableFromInline
    init(_ node: ListNode) {
        self.node = node
        node.store.add(node)
    }

    @inlinable
    static func typed(_ row: ListRow) -> TypedRow<Key, Row> {
        unsafeDowncast(row, to: TypedRow<Key, Row>.self)
    }

    // MARK: Reading

    /// The current state. It has no sections until the list is made; ``states`` begins with the
    /// complete list.
    public var state: State { State(node.current) }

    /// The error that prevented the last update of this list, or of a list from which it is derived;
    /// `nil` if there was none.
    public var failure: TableError? { node.current.failure }

    /// Calls a closure with the current state, and again after every change of the list or of its
    /// ``failure``. A state may equal the previous one.
    ///
    /// - Parameter receive: A closure that receives the states in order, on the lane of the store.
    ///   It must not block. If it edits a table, that is a later transaction.
    /// - Returns: An object that retains the list, and that ends the calls when it is released.
    public func observe(_ receive: @escaping @Sendable (State) -> Void) -> ListObservation {
        ListObservation(node) { receive(State($0)) }
    }

    /// A sequence of the current state and every later one, which ends when its task is cancelled.
    /// A reader that is slower than the edits receives only the newest of the states that it missed.
    public var states: AsyncStream<State> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: State.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let observation = observe { continuation.yield($0) }
        continuation.onTermination = { _ in observation.cancel() }
        return stream
    }
}

extension DerivedState {
    init(_ list: PublishedList) { self.init(list.state, version: list.version) }
}

/// An observation of a ``DerivedList``, which it retains. The calls end when it is cancelled or
/// released.
public final class ListObservation: Sendable {
    private let node: ListNode
    private let id: Int

    init(_ node: ListNode, _ receive: @escaping @Sendable (PublishedList) -> Void) {
        self.node = node
        id = node.store.makeObserverID()
        node.store.lane.enqueue { [node, id] in node.addObserver(id, receive) }
    }

    /// Ends the observation. Calls for earlier edits may still follow.
    public func cancel() {
        node.store.lane.enqueue { [node, id] in node.removeObserver(id) }
    }

    deinit { cancel() }
}

/// A value that operators depend on and that can change, such as a search text, an order or a
/// window.
///
/// ```swift
/// let search = LiveParameter("", in: store)
/// let found = orders.rows.filter(search) { order, text in order.customer.hasPrefix(text) }
/// search.set("An")
/// ```
///
/// A change of the value is one update of every list that depends on it, with the fewest moves. An
/// equal value changes nothing. If the value is set several times before the store comes to the
/// change, only the last value takes effect: if a user types quickly, the store need not search for
/// every letter.
///
/// Threading: every member may be called from any thread. Changes take effect on the store's lane.
///
/// Retains: no list. If a parameter is released, lists keep its last value.
public final class LiveParameter<Value: Equatable & Sendable>: Sendable {
    private let store: StoreCore
    private let core: ParameterCore<Value>

    /// Creates a parameter.
    ///
    /// - Parameters:
    ///   - value: The first value.
    ///   - store: The store of all lists that depend on the parameter.
    public init(_ value: Value, in store: LiveStore) {
        self.store = store.core
        core = ParameterCore(value)
    }

    /// Changes the value, and returns immediately. A later transaction returns after the change.
    public func set(_ value: Value) {
        let isWaiting = core.newest.withLock { newest in
            defer { newest = value }
            return newest != nil
        }
        if !isWaiting { store.update { [core] in core.takeNewest() } }
    }

    /// Calls `change` with the value when the node is attached, and with every later value.
    @usableFromInline
    func add<Node: ListNode>(
        _ node: Node,
        _ change: @escaping @Sendable (Node, Value) -> Void
    ) {
        require(
            node.store === store,
            "a list cannot depend on a parameter of another store; create both in one store"
        )
        store.lane.enqueue { [core, weak node] in
            guard let node else { return }
            core.add(node) { change(unsafeDowncast($0, to: Node.self), $1) }
        }
    }
}

/// The value of a parameter and the nodes that depend on it.
// Unchecked: except for `newest`, confined to the lane of the store.
private final class ParameterCore<Value: Equatable & Sendable>: @unchecked Sendable {
    private struct Dependent {
        weak var node: ListNode?
        let change: @Sendable (ListNode, Value) -> Void
    }

    /// The value that was set last; `nil` after it has taken effect.
    let newest = Lock<Value?>(nil)
    private var value: Value
    private var dependents: [Dependent] = []

    init(_ value: Value) { self.value = value }

    func add(_ node: ListNode, _ change: @escaping @Sendable (ListNode, Value) -> Void) {
        dependents.append(Dependent(node: node, change: change))
        change(node, value)
    }

    /// Changes the value to the newest, and returns the nodes to evaluate.
    func takeNewest() -> [ListNode] {
        guard let value = newest.withLock({ $0.take() }), value != self.value else { return [] }
        self.value = value
        dependents.removeAll { $0.node == nil }
        return dependents.compactMap { dependent in
            guard let node = dependent.node else { return nil }
            dependent.change(node, value)
            return node
        }
    }
}
