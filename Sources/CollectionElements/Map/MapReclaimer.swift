/// Frees what large maps leave behind, where it holds up nobody.
///
/// How much a map frees is known only when it is freed: all that no other map has. Some tens of
/// nanoseconds an element are too long for a main lane when a million go at once.
package protocol MapReclaimer: AnyObject, Sendable {
    /// Calls `release` somewhere else, and drops it there.
    func reclaim(_ release: @escaping @Sendable () -> Void)
}
