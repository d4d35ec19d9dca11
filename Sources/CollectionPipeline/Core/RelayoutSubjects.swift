import CollectionElements

/// What is measured again, or put off and now measured for the first time, and where it is.
typealias RelayoutSubject = (place: ElementPlace, content: ElementContent)

/// What one relayout measures.
struct RelayoutSubjects {
    /// Items that are measured again, ascending.
    private(set) var items: [(path: ItemPath, content: ElementContent)] = []
    /// Supplementary elements that are, in the order in which their sections have them.
    private(set) var supplementaries: [RelayoutSubject] = []
    /// What is measured for the first time.
    private(set) var first: [RelayoutSubject] = []
    /// Where all of that is: items first, each in that order.
    private(set) var places: [ElementPlace] = []
    /// What of it somebody asked for, so that it is not put off.
    private(set) var asked: Set<ElementContent> = []

    var isEmpty: Bool { places.isEmpty }

    /// - Parameter isAsked: whether somebody asked for it.
    mutating func addAgain(_ content: ElementContent, at place: ElementPlace, isAsked: Bool = false)
    {
        if place.kind == nil {
            items.append((place.path, content))
        } else {
            supplementaries.append((place, content))
        }
        places.append(place)
        if isAsked { asked.insert(content) }
    }

    mutating func addFirst(_ content: ElementContent, at place: ElementPlace) {
        first.append((place, content))
        places.append(place)
        asked.insert(content)
    }
}
