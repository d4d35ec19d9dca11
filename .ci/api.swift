import Foundation

// Turns symbol graphs into lists of what a module gives to others, one line a declaration, sorted.
// `api GRAPHS OUTPUT MODULE...`: the modules in order, each after those that it imports.

/// What of a symbol graph's JSON makes a line.
struct SymbolGraph: Decodable {
    var symbols: [Symbol]
    var relationships: [Relationship]

    struct Symbol: Decodable {
        var identifier: Identifier
        var pathComponents: [String]
        var accessLevel: String
        var declarationFragments: [Fragment]
        var swiftExtension: Extension?

        struct Identifier: Decodable { var precise: String }
        struct Fragment: Decodable { var spelling: String }
        struct Extension: Decodable { var constraints: [Constraint]? }
        struct Constraint: Decodable {
            var kind: String
            var lhs: String
            var rhs: String
        }
    }

    struct Relationship: Decodable {
        var kind: String
        var source: String
        var target: String
        var targetFallback: String?
    }
}

/// Gives each declaration to the first module that has it: later ones may export it again.
struct InterfaceList {
    /// The lines that were given out.
    private var known: Set<String> = []
    /// The names of the types and members of all modules so far.
    private var names: [String: String] = [:]

    /// What every type is unless it says otherwise, or by what else it is.
    private static let implied: Set = [
        "Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype",
    ]

    mutating func lines(of graph: SymbolGraph) -> [String] {
        // What a type has from a protocol of the standard library alone is that library's.
        let symbols = graph.symbols.filter { !$0.identifier.precise.contains("::SYNTHESIZED::") }
        for symbol in symbols {
            names[symbol.identifier.precise] = symbol.pathComponents.joined(separator: ".")
        }
        var roles: [String: String] = [:]
        for relationship in graph.relationships {
            switch relationship.kind {
            case "requirementOf", "optionalRequirementOf":
                roles[relationship.source] = "requirement "
            case "defaultImplementationOf": roles[relationship.source] = "default "
            default: break
            }
        }
        let declared = symbols.filter { known.insert($0.identifier.precise).inserted }.map {
            symbol in
            let path = symbol.pathComponents.joined(separator: ".")
            let access = symbol.accessLevel == "open" ? "open " : ""
            return "\(path): \(roles[symbol.identifier.precise] ?? "")\(access)\(Self.text(symbol))"
        }
        let inherited = graph.relationships.compactMap { line(of: $0) }
        return (declared + inherited.filter { known.insert($0).inserted }).sorted()
    }

    /// A declaration on one line, with the conditions of the extension that it stands in.
    private static func text(_ symbol: SymbolGraph.Symbol) -> String {
        let declaration = symbol.declarationFragments.map(\.spelling).joined()
            .split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let conditions = (symbol.swiftExtension?.constraints ?? []).map { constraint in
            "\(constraint.lhs) \(constraint.kind == "sameType" ? "==" : ":") \(constraint.rhs)"
        }
        return conditions.isEmpty
            ? declaration : "\(declaration) [where \(conditions.sorted().joined(separator: ", "))]"
    }

    /// A conformance or a superclass.
    private func line(of relationship: SymbolGraph.Relationship) -> String? {
        guard ["conformsTo", "inheritsFrom"].contains(relationship.kind),
            let source = names[relationship.source],
            let target = names[relationship.target] ?? relationship.targetFallback,
            !Self.implied.contains(target)
        else { return nil }
        return "\(source): is \(target)"
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let (graphs, output) = (URL(fileURLWithPath: arguments[0]), URL(fileURLWithPath: arguments[1]))
var list = InterfaceList()
for module in arguments.dropFirst(2) {
    // What it adds to types of other modules may be in files of its own, `Module@Other.symbols.json`.
    let files = try FileManager.default.contentsOfDirectory(atPath: graphs.path)
        .filter { $0 == "\(module).symbols.json" || $0.hasPrefix("\(module)@") }.sorted()
    let all = try files.map { file in
        let data = try Data(contentsOf: graphs.appendingPathComponent(file))
        return try JSONDecoder().decode(SymbolGraph.self, from: data)
    }
    let whole = SymbolGraph(
        symbols: all.flatMap(\.symbols),
        relationships: all.flatMap(\.relationships)
    )
    let text = list.lines(of: whole).map { $0 + "\n" }.joined()
    try Data(text.utf8).write(to: output.appendingPathComponent("\(module).txt"))
}
