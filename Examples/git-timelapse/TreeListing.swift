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
    init(_ command: GitCommand) throws(GitError) {
        var files: [FileName: [File]] = [:]
        while let record = try command.nextField() {
            // A record is `mode type object`, a tab, and the path.
            let parts = record.split(separator: UInt8(ascii: "\t"), maxSplits: 1)
            let words = parts.first?.split(separator: UInt8(ascii: " ")) ?? []
            let path = FileName(parts.count == 2 ? parts[1] : [])
            guard path.isFilePath, words.count == 3, let mode = FileMode(octal: words[0]),
                let object = ObjectID(words[2])
            else {
                throw GitError(
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

/// The differences between the files that are shown and those that git lists.
struct TreeComparison: Hashable, Sendable {
    /// The number of files that are missing, unexpected or different, and of files and sections
    /// that are out of order or empty.
    private(set) var differences = 0

    /// The first few differences, one line each.
    private(set) var descriptions: [String] = []

    private static let descriptionLimit = 5

    /// Compares `shown`, in its order, with git's own listing.
    init(of shown: TreeListing, with expected: TreeListing) {
        checkOrder(of: shown)
        let (shown, expected) = (shown.contents, expected.contents)
        for path in Set(shown.keys).union(expected.keys).sorted() {
            check(path, shown[path], expected[path])
        }
    }

    private mutating func check(_ path: FileName, _ shown: FileContent?, _ expected: FileContent?) {
        guard let shown else { return add("\(path) is missing") }
        guard let expected else { return add("\(path) is shown, but git does not list it") }
        if shown.mode != expected.mode {
            add("\(path) has mode \(shown.mode), but git lists \(expected.mode)")
        } else if shown.object != expected.object {
            let (found, listed) = (shown.object.abbreviated, expected.object.abbreviated)
            add("\(path) is \(found), but git lists \(listed)")
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
        if descriptions.count < Self.descriptionLimit { descriptions.append(description) }
    }
}

extension TreeListing {
    /// The content of each file, by its path from the root.
    fileprivate var contents: [FileName: FileContent] {
        var contents: [FileName: FileContent] = [:]
        for section in sections {
            for file in section.files { contents[section.path.appending(file.name)] = file.content }
        }
        return contents
    }
}
