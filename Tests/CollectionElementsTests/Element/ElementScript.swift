import TestSupport

@testable import CollectionElements

/// An element of diary nodes, and what the pipeline does with it, by hand.
struct ElementScript {
    let surroundings = ElementSurroundings(Traits(textScale: 0))
    let element: CollectionElement
    /// What the element came with, and its revisions.
    private(set) var contents: [ElementContent] = []
    /// Every node that was made, in order.
    let nodes = Journal<DiaryNode>()

    init(_ text: String) {
        element = ProvidedElement(
            model: text,
            provider: { [nodes] in
                let node = DiaryNode(text)
                nodes.append(node)
                return node
            },
            terms: ElementTerms(sizeRange: .unconstrained, surroundings: surroundings)
        )
        contents = [element.firstContent]
    }

    var traits: Double { surroundings.traits.current.textScale }

    /// What the view shows.
    var node: DiaryNode? { element.nodeIfAllocated as? DiaryNode }

    /// A further revision, not accepted yet.
    @discardableResult
    mutating func revise(
        _ text: String,
        keepsNode: Bool = false,
        retrying retried: ElementContent? = nil
    ) -> ElementContent {
        let content = ElementContent(
            revising: element,
            model: text,
            sizeRange: .unconstrained,
            provider: { [nodes] in
                let node = DiaryNode(text)
                nodes.append(node)
                return node
            },
            keepsNode: keepsNode,
            retried: retried
        )
        contents.append(content)
        return content
    }

    /// A revision that goes all the way.
    mutating func reconfigure(_ text: String, keepsNode: Bool = false) {
        let content = revise(text, keepsNode: keepsNode)
        element.accept(content)
        _ = element.prepare(content)
        element.show(content, isReconfigured: true)
    }

    /// The newest model measured again.
    mutating func relayout() {
        let old = element.content
        let content = revise(old.model as? String ?? "", retrying: old)
        element.accept(content)
        _ = element.prepare(content)
        element.show(content, isReconfigured: false)
    }

    /// Other traits, of which the main lane tells the element.
    func changeTraits() {
        _ = surroundings.traits.replace(with: Traits(textScale: traits + 1))
        element.refreshTraits()
    }
}
