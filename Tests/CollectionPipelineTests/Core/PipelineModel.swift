import PipelineTestSupport

@testable import CollectionPipeline

/// What becomes of every set that a controller accepted, from what was accepted, given to the view, shown and refused.
///
/// A value: it is told of all that in the order in which it happens, and knows no generation but those of sets.
struct PipelineModel {
    struct Entry {
        let number: Int
        let generation: Int
        /// Whether it is to be given to the view as a reload.
        var isLoad: Bool
        /// The outcome of the entry, unless it shares that of its head.
        var outcome = "deployed"
        var isReceived = false
        var isShown = false
        /// The entry with which it reaches the view, if they were merged.
        var head: Int?
        /// The reload that stands for it.
        var standIn: Int?
    }

    private(set) var entries: [Entry] = []
    /// Where they are, by their numbers.
    private var places: [Int: Int] = [:]
    private(set) var isCancelled = false
    /// The entry that the view has refused just now.
    private var refused: Int?
    /// Whether the view has refused to load, and nothing was accepted since.
    private var lacksLoad = false

    /// Whether the view has refused something, and has not answered yet.
    var isAnswering: Bool { refused != nil }

    func index(_ number: Int) -> Int? { places[number] }

    // MARK: What happens

    mutating func accepted(_ number: Int, isLoad: Bool, isLoadInPlaceOfEdits: Bool = false) {
        let generation = entries.count + 1
        var entry = Entry(number: number, generation: generation, isLoad: isLoad)
        if isLoadInPlaceOfEdits { entry.outcome = "deployedByReload" }
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

    /// The view was given a set, and those before it that it was not given are part of it.
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

    /// A set takes in a load before the view has either.
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
        // Neither it nor what it stands for is shown.
        for carried in entries.indices where root(carried) == index {
            entries[carried].outcome = "refused(viewRefused #\(entries[carried].number))"
        }
        entries[index].isShown = true
        lacksLoad = true
    }

    /// The view has answered: if it refused something, the reload was accepted by now where there is one.
    mutating func answered() { refused = nil }

    mutating func cancelled() {
        isCancelled = true
        for index in entries.indices where !entries[root(index)].isShown {
            entries[index].outcome = "cancelled"
        }
    }

    // MARK: What follows from it

    /// What shows an entry in the end.
    func root(_ index: Int) -> Int {
        let entry = entries[index]
        return (entry.head ?? entry.standIn).flatMap { self.index($0) }.map(root) ?? index
    }

    /// What reaches the view as one with a set, that last.
    func parts(of number: Int) -> [Entry] {
        entries.filter { $0.head == number || $0.number == number }
    }

    /// The reload that stands for what an entry reaches the view with.
    func standIn(_ index: Int) -> Int? {
        let head = entries[index].head.flatMap { self.index($0) } ?? index
        return entries[head].standIn
    }

    /// How an entry ends.
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
            // A reload ends what it stands for when it is shown.
            let head = entries[index].head ?? entries[index].number
            return !entries[root].isShown || standIn(index) == nil && atView.contains(head)
        }
        return isCancelled ? entries.count : first ?? entries.count
    }
}
