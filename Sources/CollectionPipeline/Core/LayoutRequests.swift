import CollectionElements

/// The elements that want to be measured, and whether all do, until the main lane comes to it.
///
/// A value: it is told what happened and returns what is to be done. The core's lock guards it.
struct LayoutRequests {
    /// What an element wants.
    enum Wish {
        /// To be measured at all, where that was put off.
        case size
        /// To be measured again, where it is measured.
        case newSize
    }

    /// What was asked for since the last turn.
    struct Asked {
        /// Who asked, each once, in the order of asking.
        let elements: [(element: CollectionElement, wish: Wish)]
        /// Whether everything is to be measured again that has other sizes to choose from.
        let isForAll: Bool
    }

    private var elements: [CollectionElement] = []
    private var wishes: [CollectionElement: Wish] = [:]
    private var isForAll = false
    private var isTurnUnderWay = false

    /// An element wants to be measured. Who wants another size is not content with any.
    ///
    /// - Returns: whether a turn has to be asked for; otherwise one is on its way.
    mutating func asked(_ element: CollectionElement, _ wish: Wish) -> Bool {
        switch wishes[element] {
        case nil:
            elements.append(element)
            wishes[element] = wish
        case .size: wishes[element] = wish
        case .newSize: break
        }
        defer { isTurnUnderWay = true }
        return !isTurnUnderWay
    }

    /// Somebody wants everything to be measured again that has other sizes to choose from.
    ///
    /// - Returns: as of ``asked(_:_:)``.
    mutating func askedForAll() -> Bool {
        isForAll = true
        defer { isTurnUnderWay = true }
        return !isTurnUnderWay
    }

    /// The turn has come, or none ever will.
    mutating func turnCame() -> Asked {
        isTurnUnderWay = false
        defer { (elements, wishes, isForAll) = ([], [:], false) }
        return Asked(
            elements: elements.compactMap { element in wishes[element].map { (element, $0) } },
            isForAll: isForAll
        )
    }
}
