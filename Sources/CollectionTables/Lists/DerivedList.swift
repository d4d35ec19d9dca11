import CollectionPipeline

/// A list that follows a table: the result of operators, kept up to date row by row.
///
/// ```swift
/// let open = orders.rows
///     .filter { $0.state == "open" }
///     .sorted(on: \.amount, descending: true)
///     .sectioned(by: \.customer)
/// let first = open.state.row(at: ItemPath(section: 0, item: 0))
/// ```
///
/// For every operator and every chain, the list is always what the operators would return for the
/// whole current table, with the same order, identities and sections. A row that remains is never
/// removed and inserted: it stays, is updated in place, or moves, also to another section.
///
/// Every operator returns a new list. Lists may share inputs: a hundred filters of one sorted list
/// sort once.
///
/// Order: rows of equal order keep the order of the input. `sorted` orders rows within sections. A
/// section without rows disappears, unless it is declared (``SectionOrder/declared(_:)``).
///
/// Threading: usable on any thread. Operators run on the lane of the store; closures must not
/// block, and must return the same for the same row.
///
/// Errors: if a closure of an operator throws, or an order is inconsistent, the list keeps its last
/// good state and has a ``failure``; the next change of its inputs makes it again.
///
/// Retains: its inputs. A list is released with its last reference.
public final class DerivedList<
    Key: Hashable & Sendable,
    Row: Equatable & Sendable,
    Header: Equatable & Sendable
>: Sendable {
    /// The state of the list.
    public typealias State = DerivedState<Key, Row, Header>

    @usableFromInline let node: ListNode

    /// Creates the handle of a node that is attached already.
    init(_ node: ListNode) { self.node = node }

    /// Creates the handle of a new node.
    @usableFromInline
    init(_ node: ListNode, inputs: [ListNode]) {
        self.node = node
        node.store.add(node, inputs: inputs)
    }

    @inlinable
    static func typed(_ row: ListRow) -> TypedRow<Key, Row> {
        unsafeDowncast(row, to: TypedRow<Key, Row>.self)
    }

    // MARK: Reading

    /// The current state.
    public var state: State { State(node.current) }

    /// The error that prevented the last update; `nil` if the list is up to date.
    public var failure: TableError? { node.current.failure }

    /// Calls `receive` with the current state and with every later one, once for each version in
    /// which the list changed.
    ///
    /// - Parameter receive: Receives states on the lane of the store, in order; must not block.
    /// - Returns: An object that ends the calls when it is released.
    public func observe(_ receive: @escaping @Sendable (State) -> Void) -> ListObservation {
        ListObservation(node) { receive(State($0)) }
    }

    /// The current state and every later one. A slow reader misses states between the last two.
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

/// An observer of a ``DerivedList``. Its calls end when it is cancelled or released.
public final class ListObservation: Sendable {
    private let node: ListNode
    private let id: Int

    init(_ node: ListNode, _ receive: @escaping @Sendable (PublishedList) -> Void) {
        self.node = node
        id = node.store.makeObserverID()
        node.store.lane.enqueue { [node, id] in node.addObserver(id, receive) }
    }

    /// Ends the calls; one that has begun may still finish.
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
/// A change of the value is one update of every list that depends on it, with the fewest edits.
///
/// Threading: usable on any thread. Changes take effect on the lane of the store, in order.
public final class LiveParameter<Value: Sendable>: Sendable {
    private let store: StoreCore
    private let core: ParameterCore<Value>

    /// Creates a parameter of lists of a store.
    public init(_ value: Value, in store: LiveStore) {
        self.store = store.core
        core = ParameterCore(value)
    }

    /// Changes the value.
    public func set(_ value: Value) {
        store.update { [core] in core.set(value) }
    }

    /// Calls `change` with the value when the node is attached, and with every later value.
    @usableFromInline
    func add<Node: ListNode>(
        _ node: Node,
        _ change: @escaping @Sendable (Node, Value) -> Void
    ) {
        store.lane.enqueue { [core, weak node] in
            guard let node else { return }
            core.add(node) { change(unsafeDowncast($0, to: Node.self), $1) }
        }
    }
}

/// The value of a parameter and the nodes that depend on it.
// Unchecked: confined to the lane of the store.
private final class ParameterCore<Value: Sendable>: @unchecked Sendable {
    private struct Dependent {
        weak var node: ListNode?
        let change: @Sendable (ListNode, Value) -> Void
    }

    private var value: Value
    private var dependents: [Dependent] = []

    init(_ value: Value) { self.value = value }

    func add(_ node: ListNode, _ change: @escaping @Sendable (ListNode, Value) -> Void) {
        dependents.append(Dependent(node: node, change: change))
        change(node, value)
    }

    /// Changes the value, and returns the nodes to evaluate.
    func set(_ value: Value) -> [ListNode] {
        self.value = value
        dependents.removeAll { $0.node == nil }
        return dependents.compactMap { dependent in
            guard let node = dependent.node else { return nil }
            dependent.change(node, value)
            return node
        }
    }
}
