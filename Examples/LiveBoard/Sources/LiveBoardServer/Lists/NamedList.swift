import CollectionPublishing

/// A list that has a name in addresses, whoever makes it: this server, or one elsewhere that this one follows.
protocol NamedList: AnyObject, Sendable {
    /// What it is called in addresses.
    var name: String { get }
    /// What it is called on a page.
    var title: String { get }
    /// What readers join.
    var hub: UpdateHub { get }
    var streams: ListStreams { get }
    /// The list with its controller, where it is made here.
    var source: LiveList? { get }

    /// Calls `body` once there is something to follow, or at once, inline, where there is.
    func whenLoaded(_ body: @escaping @Sendable () -> Void)

    /// Edits the list where it is made here, and returns the version from which on every state that readers are given
    /// has it.
    ///
    /// - Parameter updates: changes the source's state and records how; or throws a `Withdrawal`.
    func change(
        context: (any Sendable)?,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws -> PublishedVersion

    /// Tells `follower` of every state from now on, beginning with the one that is there; of several that come together
    /// perhaps only of the last.
    func follow(as identity: AnyObject, _ follower: @escaping @Sendable (ListState) -> Void)
    func unfollow(_ identity: AnyObject)

    /// What is announced, as the object of a `reset`, with one more member, `map`: whether the view's map has the same.
    func snapshotText() async throws -> String
}

extension LiveList: NamedList {
    var source: LiveList? { self }

    func change(
        context: (any Sendable)?,
        _ updates: @escaping @Sendable (ListSource, inout BatchRecorder) throws -> Void
    ) async throws -> PublishedVersion {
        let result = try await edit(context: context, updates)
        return PublishedVersion(handle: hub.snapshot.version.handle, number: number(of: result))
    }

    /// The version of the hub that has what an edit did; one that changed nothing is in the newest.
    func number(of result: UpdateResult) -> Int {
        result.generation ?? controller.visibleMap.generation
    }
}
