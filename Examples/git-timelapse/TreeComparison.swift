/// What is shown against what git lists, file by file.
struct TreeComparison: Hashable, Sendable {
    /// How many files are missing, unexpected or other than git lists them, and how many files,
    /// sections or empty sections are out of place.
    private(set) var differences = 0

    /// The first few differences, a line each.
    private(set) var descriptions: [String] = []

    private let descriptionLimit: Int

    /// Compares `shown`, in the order in which it is shown, with git's own listing.
    init(of shown: TreeListing, with expected: TreeListing, describing descriptionLimit: Int = 5) {
        self.descriptionLimit = descriptionLimit
        checkOrder(of: shown)
        let shown = Self.sorted(shown)
        let expected = Self.sorted(expected)
        Self.merge(shown.sections, expected.sections, by: \.path) { shown, expected in
            guard let path = (shown ?? expected)?.path else { return }
            Self.merge(shown?.files ?? [], expected?.files ?? [], by: \.name) { shown, expected in
                note(path, shown, expected)
            }
        }
    }

    private mutating func note(
        _ directory: FileName,
        _ shown: TreeListing.File?,
        _ expected: TreeListing.File?
    ) {
        guard shown != expected, let name = (shown ?? expected)?.name else { return }
        let path = directory.appending(name)
        if let shown, let expected {
            let (found, listed) = (shown.content, expected.content)
            if found.mode != listed.mode {
                add("\(path) has mode \(found.mode), but git lists \(listed.mode)")
            } else {
                add(
                    "\(path) is \(found.object.abbreviated), but git lists"
                        + " \(listed.object.abbreviated)"
                )
            }
        } else if shown == nil {
            add("\(path) is missing")
        } else {
            add("\(path) is shown, but git does not list it")
        }
    }

    private mutating func checkOrder(of shown: TreeListing) {
        for (index, section) in shown.sections.enumerated() {
            if section.files.isEmpty { add("directory \(section.path) is shown without files") }
            if index > 0, shown.sections[index - 1].path >= section.path {
                add("directory \(section.path) is shown after \(shown.sections[index - 1].path)")
            }
            for (index, file) in section.files.enumerated().dropFirst()
            where section.files[index - 1].name >= file.name {
                let before = section.path.appending(section.files[index - 1].name)
                add("\(section.path.appending(file.name)) is shown after \(before)")
            }
        }
    }

    private mutating func add(_ description: String) {
        differences += 1
        if descriptions.count < descriptionLimit { descriptions.append(description) }
    }

    private static func sorted(_ listing: TreeListing) -> TreeListing {
        var sections = listing.sections
        for index in sections.indices { sections[index].files.sort { $0.name < $1.name } }
        sections.sort { $0.path < $1.path }
        return TreeListing(sections)
    }

    /// Hands over the elements of two ascending lists, those of equal key together.
    private static func merge<Element, Key: Comparable>(
        _ left: [Element],
        _ right: [Element],
        by key: (Element) -> Key,
        _ body: (Element?, Element?) -> Void
    ) {
        var (nextLeft, nextRight) = (0, 0)
        while nextLeft < left.count || nextRight < right.count {
            let leftKey = nextLeft < left.count ? key(left[nextLeft]) : nil
            let rightKey = nextRight < right.count ? key(right[nextRight]) : nil
            let takesLeft = leftKey.map { left in rightKey.map { left <= $0 } ?? true } ?? false
            let takesRight = rightKey.map { right in leftKey.map { right <= $0 } ?? true } ?? false
            body(takesLeft ? left[nextLeft] : nil, takesRight ? right[nextRight] : nil)
            if takesLeft { nextLeft += 1 }
            if takesRight { nextRight += 1 }
        }
    }
}
