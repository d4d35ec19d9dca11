// Values that cannot be laid out with, in words.

extension LayoutError {
    /// An error that says what was expected, what was found and where.
    static func unusable(
        _ found: String,
        as code: Code,
        named name: String? = nil,
        at place: LayoutPlace? = nil,
        section: Int? = nil,
        expected: String,
        outcome: String = "it counts as 0"
    ) -> LayoutError {
        let location =
            place.map { " of \($0.phrase)" } ?? section.map { " in section \($0)" } ?? ""
        return LayoutError(
            code,
            at: place,
            message:
                "\(name ?? code.rawValue)\(location): expected \(expected), found \(found); \(outcome)"
        )
    }
}

extension LayoutPlace {
    fileprivate var phrase: String {
        switch category {
        case .cell: "item \(path.item) in section \(path.section)"
        case .supplementary(.header): "the header of section \(path.section)"
        case .supplementary(.footer): "the footer of section \(path.section)"
        case .supplementary, .decoration: "\(category) at \(path)"
        }
    }
}
