import PersistentTrees

/// What a map keeps of one item: the element and the content that it shows in this map, in the room of
/// one reference, and the label that it is found by.
struct ElementSlot: OrderLabelled {
    let label: Int
    private let body: Body

    private enum Body {
        /// What the element came with, in the place that it was first put.
        case first(CollectionElement)
        /// Another content in that place.
        case revised(ElementRevising)
        /// Any content in another place.
        case placed(ElementPlacing)
    }

    /// An element that is put into a map with what it came with.
    init(_ element: CollectionElement, in section: CollectionSection, label: Int) {
        self.label = label
        if element.place(in: section, label: label) {
            body = .first(element)
        } else {
            body = .placed(Self.placing(element.firstContent, in: section, label: label))
        }
    }

    private init(label: Int, _ body: Body) {
        self.label = label
        self.body = body
    }

    private static func placing(
        _ content: ElementContent,
        in section: CollectionSection,
        label: Int
    ) -> ElementPlacing {
        let placing = ElementPlacing(content, section, label: label)
        content.element.note(placing)
        return placing
    }

    var element: CollectionElement {
        switch body {
        case .first(let element): element
        case .revised(let revising): revising.content.element
        case .placed(let placing): placing.content.element
        }
    }

    var content: ElementContent {
        switch body {
        case .first(let element): ElementContent(element, nil)
        case .revised(let revising): revising.content
        case .placed(let placing): placing.content
        }
    }

    /// The same place with another content of the same element.
    func showing(_ content: ElementContent) -> ElementSlot {
        switch body {
        case .first, .revised:
            return ElementSlot(label: label, .revised(ElementRevising(content)))
        case .placed(let placing):
            let placing = Self.placing(content, in: placing.section, label: label)
            return ElementSlot(label: label, .placed(placing))
        }
    }

    /// The same content in another place: under another label, in the same section or another.
    func placed(in section: CollectionSection, label: Int) -> ElementSlot {
        ElementSlot(label: label, .placed(Self.placing(content, in: section, label: label)))
    }
}

/// A content other than the first, so that a slot needs the room of one reference only.
final class ElementRevising: Sendable {
    let content: ElementContent

    init(_ content: ElementContent) { self.content = content }
}
