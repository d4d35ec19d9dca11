/// What all maps of a collection have in common: who frees what large ones leave behind, where it holds up nobody,
/// and whose they are.
///
/// How much a map frees is known only when it is freed: all that no other map has. Some tens of
/// nanoseconds an element are too long for a main lane when a million go at once.
package protocol MapReclaimer: AnyObject, Sendable {
    /// Calls `release` somewhere else, and drops it there.
    func reclaim(_ release: @escaping @Sendable () -> Void)

    /// Who keeps the maps; nil where nobody does, and when it is gone. By default nobody.
    var owner: (any ElementOwner)? { get }
}

extension MapReclaimer {
    package var owner: (any ElementOwner)? { nil }
}
