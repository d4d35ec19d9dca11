import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An SVG document, read by an independent parser.
final class ParsedSVG: NSObject, XMLParserDelegate {
    /// An element with its content.
    final class Node {
        let name: String
        let attributes: [String: String]
        fileprivate(set) var children: [Node] = []
        fileprivate(set) var text = ""

        init(_ name: String, _ attributes: [String: String]) {
            self.name = name
            self.attributes = attributes
        }

        /// All elements inside, in the order of the document.
        var descendants: [Node] { children.flatMap { [$0] + $0.descendants } }

        /// Returns all elements inside with a class.
        func all(ofClass name: String) -> [Node] {
            descendants.filter {
                $0.attributes["class"]?.split(separator: " ").contains(Substring(name)) ?? false
            }
        }

        func all(named name: String) -> [Node] { descendants.filter { $0.name == name } }

        func number(_ name: String) -> Double? { attributes[name].flatMap(Double.init) }
    }

    private var path: [Node] = []
    private var root: Node?

    /// Returns the root element; throws if the text is not well-formed.
    static func root(of text: String) throws -> Node {
        let document = ParsedSVG()
        let parser = XMLParser(data: Data(text.utf8))
        parser.delegate = document
        let isWellFormed = parser.parse()
        try #require(isWellFormed, "\(String(describing: parser.parserError))")
        return try #require(document.root)
    }

    func parser(
        _ parser: XMLParser,
        didStartElement name: String,
        namespaceURI: String?,
        qualifiedName: String?,
        attributes: [String: String]
    ) {
        let node = Node(name, attributes)
        path.last?.children.append(node)
        if path.isEmpty { root = node }
        path.append(node)
    }

    func parser(
        _ parser: XMLParser,
        didEndElement name: String,
        namespaceURI: String?,
        qualifiedName: String?
    ) { path.removeLast() }

    func parser(_ parser: XMLParser, foundCharacters text: String) { path.last?.text += text }
}
