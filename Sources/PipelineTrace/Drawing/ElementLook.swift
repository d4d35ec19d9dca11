import CollectionLayouts

/// How elements of a kind look that nobody has marked.
enum ElementLook: String, CaseIterable {
    case decoration, cell, header, footer, supplementary

    init(_ category: ElementCategory) {
        switch category {
        case .cell: self = .cell
        case .supplementary(.header): self = .header
        case .supplementary(.footer): self = .footer
        case .supplementary: self = .supplementary
        case .decoration: self = .decoration
        }
    }

    var fill: String {
        switch self {
        case .decoration: "#f3efe4"
        case .cell: "#ffffff"
        case .header: "#ccd2d9"
        case .footer: "#e7eaee"
        case .supplementary: "#f0f0f0"
        }
    }

    /// The pattern of the outline; one unbroken line for nil.
    var dashes: String? {
        switch self {
        case .decoration: "1 2"
        case .supplementary: "4 2"
        case .cell, .header, .footer: nil
        }
    }

    /// Where a heavy line runs, beside the content that it opens or closes.
    var heavyEdge: HeavyEdge? {
        switch self {
        case .header: .lower
        case .footer: .upper
        case .cell, .decoration, .supplementary: nil
        }
    }

    enum HeavyEdge { case upper, lower }

    var fontWeight: String { self == .header ? "bold" : "normal" }

    var fontStyle: String { self == .footer ? "italic" : "normal" }
}
