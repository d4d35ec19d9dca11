import CollectionElements

/// The ledger of the conditions that elements were measured for, and of relayouts for other
/// conditions.
///
/// A value that receives events and returns actions. The main lane owns it.
///
/// | state | ends when | and becomes |
/// |---|---|---|
/// | `idle` | a relayout is requested, the turn begins, and elements must be measured again | `measuring` |
/// | | the data source cannot be called for it | `waiting` |
/// | | no elements are found, but change sets in step 3 may add some | `measuring`, until they leave step 3 |
/// | `waiting` | a change set is accepted, with which the data source may agree again | `idle`, and a turn is needed |
/// | | a relayout is requested, and the turn begins | as from `idle` |
/// | `measuring` | the relayout leaves step 3 | `idle`; a turn is needed if a relayout was requested in the meantime, or if elements may have been missed |
///
/// A view that is resized in every frame therefore has one relayout measured after the other, each
/// for the newest size.
struct RelayoutLedger {
    /// The conditions that sizes are measured for.
    enum MeasuringConditions: Sendable {
        /// The size range of the view, for elements without a range of their own.
        case range(SizeRange)
        /// A layout delegate's context.
        case layoutContext(any Sendable)
    }

    private enum State: Equatable {
        case idle
        case waiting
        case measuring(generation: Int, isRequested: Bool)
    }

    private var state = State.idle

    /// The conditions for which all elements were measured when they were last the same for all;
    /// `nil` before the first load.
    private(set) var common: MeasuringConditions?

    /// Whether some elements have since been measured for other conditions.
    private(set) var isMixed = false

    /// The conditions for which the newest change set was measured; `nil` before the first one.
    private(set) var newest: MeasuringConditions?

    enum Action { case search, enqueueTurn, nothing }

    /// Begins a turn, which may search for the elements that must be measured again.
    ///
    /// - Parameter isRequested: Whether a relayout was requested.
    mutating func beginTurn(isRequested: Bool) -> Action {
        switch state {
        case .idle, .waiting: return isRequested ? .search : .nothing
        case .measuring(let generation, let wasRequested):
            state = .measuring(generation: generation, isRequested: wasRequested || isRequested)
            return .nothing
        }
    }

    /// Records that elements may have to be measured again, but the data source cannot be called.
    mutating func blocked() { state = .waiting }

    /// Records that no element has to be measured again.
    mutating func settled(_ conditions: MeasuringConditions?) {
        state = .idle
        (common, isMixed) = (conditions ?? common, false)
    }

    /// Records that a relayout of everything was accepted, or that no elements are left except
    /// those that change sets in step 3 may add.
    ///
    /// - Parameters:
    ///   - generation: The generation of the relayout, or of the last of those change sets.
    ///   - missesSome: Whether earlier change sets may still measure some elements for other
    ///     conditions.
    mutating func began(_ generation: Int, missesSome: Bool) {
        state = .measuring(generation: generation, isRequested: missesSome)
        if missesSome { isMixed = true }
    }

    /// Records that a change set was accepted.
    ///
    /// - Parameters:
    ///   - conditions: The conditions that its elements are measured for; `nil` if it has none.
    ///   - isOfAll: Whether these are all elements.
    ///   - isOther: Whether the conditions differ from those of all other elements.
    mutating func accepted(_ conditions: MeasuringConditions?, isOfAll: Bool, isOther: Bool)
        -> Action
    {
        if let conditions {
            newest = conditions
            if isOfAll {
                (common, isMixed) = (conditions, false)
            } else if isOther {
                isMixed = true
            }
        }
        guard state == .waiting else { return .nothing }
        state = .idle
        return .enqueueTurn
    }

    /// Records that a change set has left step 3, and all earlier ones with it. Earlier ones may
    /// have been merged into it.
    mutating func measured(_ generation: Int) -> Action {
        guard case .measuring(let awaited, let isRequested) = state, generation >= awaited else {
            return .nothing
        }
        state = .idle
        return isRequested ? .enqueueTurn : .nothing
    }
}

/// An element that is measured again, or for the first time after a deferral, and its place.
typealias RelayoutSubject = (place: ElementPlace, content: ElementContent)

/// The elements that one relayout measures.
struct RelayoutSubjects {
    /// The items that are measured again, ascending.
    private(set) var items: [(path: ItemPath, content: ElementContent)] = []
    /// The supplementary elements that are measured again, in the order of their sections.
    private(set) var supplementaries: [RelayoutSubject] = []
    /// The elements that are measured for the first time.
    private(set) var first: [RelayoutSubject] = []
    /// The places of all these elements: items first, each group in its order.
    private(set) var places: [ElementPlace] = []
    /// The contents among them that were requested, and are therefore not deferred.
    private(set) var requested: Set<ElementContent> = []

    var isEmpty: Bool { places.isEmpty }

    /// Adds an element that is measured again.
    ///
    /// - Parameters:
    ///   - content: The content to measure.
    ///   - place: The place of the element.
    ///   - isRequested: Whether the measurement was requested.
    mutating func addAgain(
        _ content: ElementContent,
        at place: ElementPlace,
        isRequested: Bool = false
    ) {
        if place.kind == nil {
            items.append((place.path, content))
        } else {
            supplementaries.append((place, content))
        }
        places.append(place)
        if isRequested { requested.insert(content) }
    }

    mutating func addFirst(_ content: ElementContent, at place: ElementPlace) {
        first.append((place, content))
        places.append(place)
        requested.insert(content)
    }
}

/// The requests for measurements, of single elements or of all, until the next turn of the main
/// lane.
///
/// A value that receives events and returns actions. The core's lock guards it.
struct LayoutRequests {
    /// The kind of a request.
    enum RequestKind {
        /// A size, for an element whose measurement was deferred.
        case size
        /// A new size, for an element that was measured.
        case newSize
    }

    /// The requests since the last turn.
    struct PendingRequests {
        /// The elements, each once, in the order of their requests.
        fileprivate(set) var elements: [(element: CollectionElement, kind: RequestKind)] = []
        /// Whether all elements whose size range has changed must be measured again.
        fileprivate(set) var isForAll = false

        var isEmpty: Bool { elements.isEmpty && !isForAll }
    }

    enum Action { case enqueueTurn, wait }

    private var pending = PendingRequests()
    /// The positions of the elements in `pending`.
    private var positions: [CollectionElement: Int] = [:]

    /// The action for a request: the first one enqueues the turn of all.
    private var action: Action { pending.isEmpty ? .enqueueTurn : .wait }

    /// Adds a request of an element. A request for a new size replaces a request for any size.
    mutating func requested(_ element: CollectionElement, _ kind: RequestKind) -> Action {
        let action = action
        if let position = positions[element] {
            if kind == .newSize { pending.elements[position].kind = kind }
        } else {
            positions[element] = pending.elements.count
            pending.elements.append((element, kind))
        }
        return action
    }

    /// Adds a request to measure again all elements whose size range has changed.
    mutating func requestedForAll() -> Action {
        defer { pending.isForAll = true }
        return action
    }

    /// Returns and removes all requests, because the turn has begun or will never run.
    mutating func beginTurn() -> PendingRequests {
        exchange(&self, with: LayoutRequests()).pending
    }
}
