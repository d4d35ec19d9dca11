/// Every file of a tree by section: the final state of a replay, or git's own listing.
struct TreeListing: Hashable, Sendable {
    /// One file of a section.
    struct File: Hashable, Sendable {
        var name: FileName
        var content: FileContent
    }

    /// One directory with the files directly in it.
    struct Section: Hashable, Sendable {
        var path: FileName
        var files: [File]
    }

    /// The sections in the order in which they are shown, which ``TreeComparison`` checks.
    var sections: [Section]

    /// Makes a listing of `sections` in the given order.
    init(_ sections: [Section]) { self.sections = sections }

    /// Reads the output of `git ls-tree -r -z --full-tree`, and sorts it in the model's order.
    ///
    /// It shares no code with the model, because the model is checked against it.
    init(gitOutput reader: NULTerminatedReader) throws(GitError) {
        var reader = reader
        var files: [FileName: [File]] = [:]
        while let record = try reader.next() {
            // A record is `mode type object`, a tab, and the path.
            let parts = record.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            let words = parts.first?.split(separator: UInt8(ascii: " ")) ?? []
            let path = FileName(parts.count == 2 ? parts[1] : [])
            guard path.isFilePath, words.count == 3, let mode = FileMode(octal: words[0]),
                let object = ObjectID(hexadecimal: words[2])
            else {
                throw GitError(
                    .unexpectedOutput,
                    "expected a file from git, but found '\(FileName(record.prefix(80)))'"
                )
            }
            let (directory, name) = path.splitIntoDirectoryAndName()
            let content = FileContent(mode: mode, object: object)
            files[directory, default: []].append(File(name: name, content: content))
        }
        sections = files.map { directory, files in
            Section(path: directory, files: files.sorted { $0.name < $1.name })
        }
        sections.sort { $0.path < $1.path }
    }
}

extension RepositoryModel {
    /// The model as a listing, in the model's order.
    var listing: TreeListing {
        TreeListing(
            sections.map { section in
                TreeListing.Section(
                    path: section.path,
                    files: section.files.map {
                        TreeListing.File(name: $0.name, content: $0.content)
                    }
                )
            }
        )
    }
}

/// The differences between the files that are shown and those that git lists.
struct TreeComparison: Hashable, Sendable {
    /// The number of files that are missing, unexpected or different, and of files and sections
    /// that are out of order or empty.
    private(set) var differences = 0

    /// The first few differences, one line each.
    private(set) var descriptions: [String] = []

    private let descriptionLimit: Int

    /// Compares `shown`, in its order, with git's own listing.
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

    /// Calls `body` with the elements of two ascending lists, in one call if their keys are equal.
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
