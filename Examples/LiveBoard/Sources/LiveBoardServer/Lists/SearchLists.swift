import CollectionPublishing
import Synchronization

/// The lists that searches make: one for each list and query, which all who ask it follow, and which goes some time
/// after the last of them.
final class SearchLists: Sendable {
    private struct Key: Hashable {
        let list: String
        let query: SearchQuery
    }

    private struct Entry {
        let derived: DerivedList
        var leases = 0
        /// Changes with every lease, so that who comes back in time keeps the list.
        var visits = 0
    }

    private let surroundings: ListSurroundings
    /// How many there may be at once.
    let limit: Int
    /// How long a list without readers stays.
    let linger: Duration
    private let entries = Mutex<[Key: Entry]>([:])

    init(surroundings: ListSurroundings, limit: Int = 64, linger: Duration = .seconds(5)) {
        self.surroundings = surroundings
        self.limit = limit
        self.linger = linger
    }

    var count: Int { entries.withLock { $0.count } }

    /// The lists that there are now.
    var lists: [LiveList] { entries.withLock { $0.values.map(\.derived.list) } }

    /// The list of what a query finds in another.
    ///
    /// - Throws: where there are as many as there may be.
    func join(_ base: any NamedList, _ query: SearchQuery) throws(RequestFault) -> SearchLease {
        let key = Key(list: base.name, query: query)
        let derived: DerivedList? = entries.withLock { entries in
            if entries[key] == nil {
                guard entries.count < limit else { return nil }
                entries[key] = Entry(
                    derived: DerivedList(of: base, query, surroundings: surroundings)
                )
            }
            entries[key]?.leases += 1
            entries[key]?.visits += 1
            return entries[key]?.derived
        }
        guard let derived else { throw .tooManySearches(limit) }
        derived.begin()
        return SearchLease(list: derived.list) { [weak self] in self?.leave(key) }
    }

    private func leave(_ key: Key) {
        let visits: Int? = entries.withLock { entries in
            entries[key]?.leases -= 1
            return entries[key].flatMap { $0.leases == 0 ? $0.visits : nil }
        }
        guard let visits else { return }
        Task { [weak self, linger] in
            try? await Task.sleep(for: linger)
            await self?.remove(key, ifStillAt: visits)
        }
    }

    private func remove(_ key: Key, ifStillAt visits: Int) async {
        let gone: DerivedList? = entries.withLock { entries in
            guard let entry = entries[key], entry.leases == 0, entry.visits == visits else {
                return nil
            }
            entries[key] = nil
            return entry.derived
        }
        await gone?.end()
    }

    /// Ends all of them; who follows one is told.
    func close() async {
        let all = entries.withLock { entries in
            defer { entries = [:] }
            return entries.values.map(\.derived)
        }
        for derived in all { await derived.end() }
    }
}

/// That somebody follows what a search found; letting go of it is leaving.
final class SearchLease: Sendable {
    let list: LiveList
    private let leave: @Sendable () -> Void

    init(list: LiveList, leave: @escaping @Sendable () -> Void) {
        self.list = list
        self.leave = leave
    }

    deinit { leave() }
}

/// A list of what a query finds in another, made anew with each state of that; of several that come while one is being
/// searched, the newest counts.
final class DerivedList: Sendable {
    let list: LiveList
    private let base: any NamedList
    private let query: SearchQuery
    private let task = Mutex<Task<Void, Never>?>(nil)

    init(of base: any NamedList, _ query: SearchQuery, surroundings: ListSurroundings) {
        self.base = base
        self.query = query
        list = LiveList(
            name: "\(base.name).search",
            title: base.title,
            surroundings: surroundings
        )
    }

    /// Begins, once.
    func begin() {
        task.withLock { task in
            guard task == nil else { return }
            let (states, continuation) = AsyncStream.makeStream(
                of: ListState.self,
                bufferingPolicy: .bufferingNewest(1)
            )
            base.follow(as: self) { continuation.yield($0) }
            task = Task { [list, query] in
                for await state in states {
                    // Only a close rejects it, and that ends this task too.
                    try? await list.show(state.filtered(by: query))
                }
            }
        }
    }

    func end() async {
        base.unfollow(self)
        task.withLock { $0?.cancel() }
        await list.controller.close(draining: false)
    }
}
