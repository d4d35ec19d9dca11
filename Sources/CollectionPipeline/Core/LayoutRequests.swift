import CollectionElements

/// The elements that want to be measured again, until the main lane comes to it.
///
/// A value: it is told what happened and returns what is to be done. The core's lock guards it.
struct LayoutRequests {
    private var elements: [CollectionElement] = []
    private var known: Set<CollectionElement> = []
    private var isTurnUnderWay = false

    /// An element wants to be measured again.
    ///
    /// - Returns: whether a turn has to be asked for; otherwise one is on its way.
    mutating func asked(_ element: CollectionElement) -> Bool {
        if isTurnUnderWay, Mutant.forgetsLayoutRequests.isActive { return false }
        if known.insert(element).inserted { elements.append(element) }
        defer { isTurnUnderWay = true }
        return !isTurnUnderWay
    }

    /// The turn has come, or none ever will.
    ///
    /// - Returns: who asked since the last one, each once, in the order of asking.
    mutating func turnCame() -> [CollectionElement] {
        isTurnUnderWay = false
        defer { (elements, known) = ([], []) }
        return elements
    }
}
