import CollectionElements
import CollectionPipeline
import PipelineTestSupport

/// A model of a controller. It receives every call and every callback, in the order in which lanes
/// and workers bring them, and reports calls and callbacks that are not allowed or have wrong
/// contents.
///
/// It knows nothing of lanes. Change sets are accepted in an order, and reach the view and complete
/// in this order, as ``PipelineModel`` describes. Rejected submissions change nothing. Waiting
/// submissions proceed in order. Every submission completes once.
final class ControllerModel {
    struct Entry {
        let id: Int
        /// The caller's key; `nil` for a submission of the controller itself.
        let key: Int?
        let generation: Int
        let draft: Draft
        let isAnimated: Bool
    }

    /// The keys of the waiting submissions.
    var waiting: [Int] = []
    /// The accepted submissions by generation, and their fates.
    private(set) var entries: [Entry] = []
    private(set) var fate = PipelineModel()
    /// The number of reported completions.
    private var completedCount = 0
    /// The numbers of the updates that the view holds and has not finished.
    var atView: () -> Set<Int> = { [] }
    /// Whether change sets reach the view together if the backlog is full.
    var merges = false
    /// The names of completions by the key of their submission, in the expected order.
    var completions: [Int: [String]] = [:]
    /// Rejected or cancelled submissions whose completion is not reported yet.
    private(set) var rejected: [(id: Int, key: Int?, outcome: String)] = []
    /// The completions that have run since the last reported completion.
    private var ran: [(name: String, end: String)] = []
    /// The outcome of each submission.
    private(set) var ends: [Int: String] = [:]

    private(set) var accepted: [Section] = []
    private(set) var states: [Int: [Section]] = [0: []]
    private(set) var generation = 0
    private(set) var visibleGeneration = 0
    private(set) var hasLoaded = false
    private(set) var nextSectionID = 0
    private(set) var nextSubmission = 1
    /// Submission numbers without any event so far.
    private var unclaimed: Set<Int> = []
    private var countsSince: Int?
    private var outdatedContent: (since: Int, sections: Set<Int>, hasStrays: Bool)?
    var isClosing = false
    private(set) var isClosed = false
    private(set) var faults: [String] = []
    private(set) var log: [String] = []

    /// The elements by their numbers, and the numbers by element.
    private var elements: [Int: CollectionElement] = [:]
    private var tokens: [CollectionElement: Int] = [:]
    private var sections: [Int: CollectionSection] = [:]

    func note(_ text: String) { log.append(text) }

    func fault(_ text: @autoclosure () -> String) {
        if faults.count < 5 { faults.append("\(text()), after \(log.suffix(12))") }
    }

    func expect(_ isRight: Bool, _ text: @autoclosure () -> String) {
        if !isRight { fault(text()) }
    }

    func expectEqual<Value: Equatable>(
        _ found: Value,
        _ expected: Value,
        _ text: @autoclosure () -> String
    ) {
        if found != expected { fault("\(text()) is \(found), not \(expected)") }
    }

    // MARK: Numbers

    /// Whether numbers may be used without an event: by a cancelled call or an unnecessary reload.
    var mayHideNumbers = false

    func claim(_ id: SubmissionID?, _ text: String) {
        guard let id = id?.rawValue else { return fault("\(text) has no number") }
        if id < nextSubmission { return expect(unclaimed.remove(id) != nil, "\(text) has #\(id)") }
        if id > nextSubmission {
            expect(mayHideNumbers, "\(text) has #\(id), not #\(nextSubmission)")
            unclaimed.formUnion(nextSubmission..<id)
        }
        nextSubmission = id + 1
    }

    // MARK: Accepting

    /// The number of accepted change sets that are not visible, themselves or through their
    /// replacement.
    var backlog: Int {
        fate.isCancelled
            ? 0
            : entries.indices.dropFirst(completedCount).count {
                !fate.entries[fate.root($0)].isShown
            }
    }

    var divergence: String? {
        countsSince.map { "counts since #\($0)" }
            ?? outdatedContent.map { "content since #\($0.since)" }
    }

    var countsDiffer: Bool { countsSince != nil }

    func accept(_ draft: Draft, id: Int, key: Int?, isAnimated: Bool) {
        generation += 1
        // The replacement of a refused change set does not query the data source.
        if !fate.isAnswering {
            diverge(lessBy: draft)
            hasLoaded = draft.kind != .clear
        }
        fate.accepted(
            id,
            isLoad: draft.isReload,
            isLoadInsteadOfEdits: draft.isLoadInsteadOfEdits
        )
        entries.append(
            Entry(id: id, key: key, generation: generation, draft: draft, isAnimated: isAnimated)
        )
        accepted = draft.new
        states[generation] = accepted
        nextSectionID = draft.nextSectionID
    }

    /// Reduces the possible divergence by the effect of a change set.
    private func diverge(lessBy draft: Draft) {
        if case .relayout = draft.kind { return }
        countsSince = nil
        if draft.isReload || draft.declaresContentCurrent { outdatedContent = nil }
        guard let old = outdatedContent?.sections else { return }
        for edit in draft.update?.itemRemovals ?? [] {
            guard let target = edit.associatedWith else { continue }
            let isStray =
                old.contains(draft.old[edit.path.section].id)
                && !old.contains(draft.new[target.section].id)
            if isStray { outdatedContent?.hasStrays = true }
        }
        let isNew = draft.new.allSatisfy { !old.contains($0.id) }
        let removes = draft.update?.sectionRemovals.contains { $0.role != .move } == true
        if isNew, removes, outdatedContent?.hasStrays == false { outdatedContent = nil }
    }

    func reject(_ id: Int, key: Int?, _ outcome: String, mayDiverge: Bool = false) {
        if mayDiverge {
            countsSince = countsSince ?? id
            let (since, all) = (outdatedContent?.since ?? id, Set(accepted.map { $0.id }))
            outdatedContent = all.isEmpty ? nil : (since: since, sections: all, hasStrays: false)
        }
        rejected.append((id, key, outcome))
    }

    // MARK: Handing over and deploying

    /// Returns the change sets that the view may receive now as one update, in order, or `nil`.
    func handOver(_ generation: Int) -> [Entry]? {
        let place = generation - 1
        guard entries.indices.contains(place), mayDeploy(generation),
            merges || isHandedOver(through: generation - 1),
            !fate.entries.dropFirst(place).contains(where: \.isReceived)
        else { return nil }
        fate.received(entries[place].id)
        return fate.parts(of: entries[place].id).map { entries[$0.generation - 1] }
    }

    func isHandedOver(through generation: Int) -> Bool {
        fate.isCancelled
            || fate.entries.prefix(generation).allSatisfy {
                $0.isReceived || $0.isShown || $0.head != nil || $0.standIn != nil
            }
    }

    /// Whether the view may deploy a change set, because no reload has replaced it.
    func mayDeploy(_ generation: Int) -> Bool {
        !fate.isCancelled && fate.standIn(generation - 1) == nil
    }

    /// The generation of the next change set to deploy, unless a reload replaces it.
    var nextToDeploy: Int? {
        fate.isCancelled
            ? nil
            : fate.entries.first { !$0.isShown && $0.head == nil && $0.standIn == nil }?.generation
    }

    func show(_ generation: Int) {
        expect(generation > visibleGeneration, "\(generation) is shown after \(visibleGeneration)")
        visibleGeneration = generation
    }

    func deployed(_ generation: Int) { fate.shown(entries[generation - 1].id) }

    /// Records that the view refuses a change set; a reload may replace it until the view's call
    /// returns.
    func refuse(_ generation: Int) { fate.refused(entries[generation - 1].id) }

    func answered() {
        // By now a reload has replaced it and the change sets after it.
        expect(!fate.isAnswering || backlog == 0, "no reload follows a refusal")
        fate.answered()
    }

    func recover(_ id: Int) {
        var draft = Draft(keeping: accepted, nextSectionID: nextSectionID)
        draft.kind = .reload(.automatic)
        accept(draft, id: id, key: nil, isAnimated: false)
    }

    /// Cancels all change sets that are not visible.
    func cancelAccepted() { fate.cancelled() }

    /// Returns the places of the items that these change sets measure again, if the view already
    /// has them.
    func remeasured(by parts: [Entry]) -> [ElementPlace] {
        guard let first = parts.first, let last = parts.last else { return [] }
        let (old, new) = (places(first.generation - 1), places(last.generation))
        let tokens = parts.flatMap { part -> [Int] in
            guard case .relayout(let paths) = part.draft.kind else { return [] }
            return paths.map { part.draft.old[$0.section].items[$0.item].token }
        }
        let paths = Set(tokens).filter { old[$0] != nil }.compactMap { new[$0] }
        return paths.sorted().map { ElementPlace(path: $0) }
    }

    // MARK: Completing

    func completionRan(_ name: String, _ end: String) { ran.append((name, end)) }

    /// Records that a completion was reported.
    ///
    /// - Parameter cancelled: the key of the submission, if it was cancelled before it started.
    func completed(_ id: Int, cancelled: Int? = nil) {
        defer { ran = [] }
        let outcome: String
        let key: Int?
        var generation = ""
        if let cancelled {
            waiting.removeAll { $0 == cancelled }
            (key, outcome) = (cancelled, "cancelled")
        } else if let index = rejected.firstIndex(where: { $0.id == id }) {
            expect(
                index == 0,
                "#\(id) completes before #\(rejected[0].id), which was rejected earlier"
            )
            (key, outcome) = (rejected[index].key, rejected[index].outcome)
            rejected.remove(at: index)
        } else if hasFinished, entries[completedCount].id == id {
            let first = entries[completedCount]
            (key, outcome) = (first.key, fate.outcome(completedCount))
            generation = " in \(first.generation)"
            completedCount += 1
        } else {
            return fault("#\(id) completes out of order: \(left)")
        }
        expect(ends[id] == nil, "#\(id) completes twice")
        ends[id] = outcome
        let names = key.flatMap { completions[$0] } ?? []
        expectEqual(ran.map(\.name), names, "what #\(id) completed")
        let end = "#\(id) \(outcome)\(generation)"
        for one in ran { expectEqual(one.end, end, "the end of \(one.name)") }
    }

    /// Whether the next submission may complete.
    var hasFinished: Bool { fate.completed(atView()) > completedCount }

    /// The accepted submissions that have not completed.
    var left: [Int] { entries.dropFirst(completedCount).map(\.id) }

    var isComplete: Bool { left.isEmpty && rejected.isEmpty && waiting.isEmpty }

    func closed() {
        expect(isComplete, "closed with \(left), \(rejected.map(\.id)), \(waiting)")
        isClosed = true
    }

    // MARK: Maps

    /// Compares a map with a state, including the identity of every element.
    func check(_ map: ElementMap, _ generation: Int, _ name: String) {
        guard map.generation == generation, let state = states[generation] else {
            return fault("\(name) has generation \(map.generation), not \(generation)")
        }
        guard map.shape == state.shape else {
            return fault("\(name) has \(map.shape), not \(state.shape)")
        }
        expectEqual(map.texts, state.map { $0.items.map(\.text) }, name)
        for (index, section) in state.enumerated() {
            check(map, index, section, name)
            for (item, expected) in section.items.enumerated() {
                check(
                    map.element(at: ItemPath(index, item)),
                    expected,
                    "\(name) \(index) - \(item)"
                )
            }
            for kind in Self.kinds {
                for (item, expected) in (section.others[kind] ?? []).enumerated() {
                    let found = map.supplementary(ofKind: kind, at: ItemPath(index, item))
                    check(found, expected, "\(kind) \(index) - \(item) of \(name)")
                }
            }
        }
    }

    private func check(_ map: ElementMap, _ index: Int, _ expected: Section, _ name: String) {
        let section = map.section(at: index)
        let context = (section?.sectionContext as? NumberedContext).map {
            "\($0.generation)/\($0.index)"
        }
        expectEqual(
            "\(section?.id ?? -1), \(context ?? "-")",
            "\(expected.id), \(expected.context)",
            "section \(index) of \(name)"
        )
        for kind in Self.kinds {
            let count = map.numberOfSupplementaries(ofKind: kind, inSection: index)
            let expected = expected.others[kind]?.count ?? 0
            expectEqual(count, expected, "the number of \(kind)s of \(index) in \(name)")
        }
        if let known = sections[expected.id] {
            expect(known === section, "section \(index) of \(name) is another object")
        }
        sections[expected.id] = section
    }

    private func check(_ element: CollectionElement?, _ expected: Item, _ name: String) {
        guard let element else { return fault("\(name) is missing") }
        if let known = elements[expected.token] {
            return expect(known === element, "\(name) has a different element")
        }
        expect(tokens[element] == nil, "\(name) reuses an older element")
        elements[expected.token] = element
        tokens[element] = expected.token
    }

    /// Returns the path of each item of a state, by number.
    private func places(_ generation: Int) -> [Int: ItemPath] {
        var places: [Int: ItemPath] = [:]
        for (section, content) in (states[generation] ?? []).enumerated() {
            for (item, value) in content.items.enumerated() {
                places[value.token] = ItemPath(section, item)
            }
        }
        return places
    }

    /// Returns the path of each item of a state, and its path in another state.
    func paths(_ generation: Int, in other: Int) -> [(ItemPath, ItemPath?)] {
        let places = places(other)
        return (states[generation] ?? []).enumerated().flatMap { section, content in
            content.items.enumerated().map { (ItemPath(section, $0), places[$1.token]) }
        }
    }

    func sectionIndexes(_ generation: Int, in other: Int) -> [Int?] {
        let others = states[other] ?? []
        return (states[generation] ?? []).map { section in
            others.firstIndex { $0.id == section.id }
        }
    }
}
