import PipelineTestSupport

/// A model of the fate of every change set: accepted, received by the view, deployed or refused.
///
/// A value that receives all events in their order and knows only the generations of change sets.
struct PipelineModel {
    struct Entry {
        let number: Int
        let generation: Int
        /// Whether the view receives it as a reload.
        var isLoad: Bool
        /// The outcome of the entry, unless it shares that of its head.
        var outcome = "deployed"
        var isReceived = false
        var isShown = false
        /// The entry with which it reaches the view, if they were merged.
        var head: Int?
        /// The reload that replaces it.
        var standIn: Int?
    }

    private(set) var entries: [Entry] = []
    /// The indexes of the entries, by their numbers.
    private var places: [Int: Int] = [:]
    private(set) var isCancelled = false
    /// The index of the entry that the view has just refused.
    private var refused: Int?
    /// Whether the view has refused a load and no change set has been accepted since then.
    private var lacksLoad = false

    /// Whether the view has refused an update and its call has not returned yet.
    var isAnswering: Bool { refused != nil }

    func index(_ number: Int) -> Int? { places[number] }

    // MARK: Events

    mutating func accepted(_ number: Int, isLoad: Bool, isLoadInsteadOfEdits: Bool = false) {
        let generation = entries.count + 1
        var entry = Entry(number: number, generation: generation, isLoad: isLoad)
        if isLoadInsteadOfEdits { entry.outcome = "deployedByReload" }
        if let refused {
            if !entries[refused].isShown { entries[refused].standIn = number }
            for later in entries.indices.dropFirst(refused + 1) {
                entries[later].outcome = "superseded(#\(number))"
                entries[later].standIn = number
            }
        } else if lacksLoad, !isLoad {
            (entry.isLoad, entry.outcome) = (true, "deployedByReload")
        }
        (refused, lacksLoad) = (nil, false)
        places[number] = entries.count
        entries.append(entry)
    }

    /// Records that the view received a change set; earlier ones that it has not received are part
    /// of it.
    mutating func received(_ number: Int) {
        guard let index = index(number) else { return }
        entries[index].isReceived = true
        for earlier in entries.indices.prefix(index)
        where !entries[earlier].isReceived && entries[earlier].standIn == nil
            && entries[earlier].head == nil
        {
            entries[earlier].head = number
            if entries[earlier].outcome == "deployedByReload" {
                entries[index].outcome = "deployedByReload"
            }
            if entries[earlier].isLoad { entries[index].isLoad = true }
        }
    }

    /// Records that a change set absorbs a load before the view receives either.
    mutating func becomesLoad(_ number: Int) {
        if let index = index(number) { entries[index].isLoad = true }
    }

    mutating func shown(_ number: Int) {
        if let index = index(number) { entries[index].isShown = true }
    }

    mutating func refused(_ number: Int) {
        guard let index = index(number) else { return }
        refused = index
        guard entries[index].isLoad else {
            entries[index].outcome = "deployedByReload"
            return
        }
        // Neither the load nor the change sets that it replaces are shown.
        for carried in entries.indices where root(carried) == index {
            entries[carried].outcome = "refused(viewRefused #\(entries[carried].number))"
        }
        entries[index].isShown = true
        lacksLoad = true
    }

    /// Records that the view's call has returned; after a refusal, a reload was accepted before if
    /// it was needed.
    mutating func answered() { refused = nil }

    mutating func cancelled() {
        isCancelled = true
        for index in entries.indices where !entries[root(index)].isShown {
            entries[index].outcome = "cancelled"
        }
    }

    // MARK: Results

    /// Returns the index of the entry that finally shows an entry.
    func root(_ index: Int) -> Int {
        let entry = entries[index]
        return (entry.head ?? entry.standIn).flatMap { self.index($0) }.map(root) ?? index
    }

    /// Returns the entries that reach the view together with a change set, which is the last.
    func parts(of number: Int) -> [Entry] {
        entries.filter { $0.head == number || $0.number == number }
    }

    /// Returns the reload that replaces the update containing an entry.
    func standIn(_ index: Int) -> Int? {
        let head = entries[index].head.flatMap { self.index($0) } ?? index
        return entries[head].standIn
    }

    func outcome(_ index: Int) -> String {
        let entry = entries[index]
        guard let head = entry.head.flatMap({ self.index($0) }), entry.outcome.hasPrefix("deployed")
        else { return entry.outcome }
        let outcome = entries[head].outcome
        return outcome.hasPrefix("superseded") || outcome == "cancelled"
            ? outcome : "superseded(#\(entries[head].number))"
    }

    /// The number of entries that have ended and have only ended entries before them.
    ///
    /// - Parameter atView: the numbers of the updates that the view has and has not finished.
    func completed(_ atView: Set<Int>) -> Int {
        let first = entries.indices.first { index in
            let root = root(index)
            // A reload ends the entries that it replaces when it is shown.
            let head = entries[index].head ?? entries[index].number
            return !entries[root].isShown || standIn(index) == nil && atView.contains(head)
        }
        return isCancelled ? entries.count : first ?? entries.count
    }
}
