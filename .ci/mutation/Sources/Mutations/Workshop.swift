import Foundation

/// A copy of the package into which mutations are compiled. It is kept between runs.
package struct Workshop: Sendable {
    /// The root of the package.
    package let root: URL
    let folder: URL
    let tree: URL
    private(set) var files: [MutatedFile] = []
    /// The test targets to build; all of them if empty.
    let testTargets: [String]
    let report: @Sendable (String) -> Void

    /// Creates the folder of the copy.
    ///
    /// - Parameters:
    ///   - root: the root of the package.
    ///   - copy: the name of the copy's folder; each purpose has its own copy.
    ///   - testTargets: the test targets to build; all of them, and the programs, if empty.
    ///   - report: called with messages about the progress.
    package init(
        root: URL,
        copy: String = "tree",
        testTargets: [String] = [],
        report: @escaping @Sendable (String) -> Void
    ) throws {
        self.root = root
        self.testTargets = testTargets
        self.report = report
        folder = root.appendingPathComponent(".build-mutation")
        tree = folder.appendingPathComponent(copy)
        try FileManager.default.createDirectory(at: tree, withIntermediateDirectories: true)
    }

    // MARK: Files and mutations

    /// Returns every file of the package that git does not ignore, relative to the root.
    func allFiles() throws -> [String] {
        var lines: [String] = []
        let git = Command(
            program: "git",
            arguments: ["ls-files", "--cached", "--others", "--exclude-standard"],
            folder: root.path
        )
        let ending = try git.run {
            lines.append($0)
            return false
        }
        guard ending == .exited(0) else { throw MutationError("git ls-files failed") }
        return lines.filter { FileManager.default.fileExists(atPath: url($0).path) }
    }

    private func url(_ path: String) -> URL { root.appendingPathComponent(path) }

    func text(of path: String) throws -> String {
        try String(contentsOf: url(path), encoding: .utf8)
    }

    /// The folders that are mutated by default.
    package static let everything = ["Sources", "Examples"]
    /// Folders that no test of the package reaches: one is used only for fuzzing, the others are
    /// separate packages.
    private static let leftOut = [
        "Examples/pipeline-fuzz/", "Examples/LiveBoard/", "Examples/ClusterJournal/",
        "Examples/GRDBTables/", "Examples/orders/",
    ]

    /// Returns every mutation of the files in some folders, folder by folder.
    package func mutations(in folders: [String]) throws -> [Mutation] {
        let files = try allFiles()
            .filter { $0.hasSuffix(".swift") && !Self.leftOut.contains(where: $0.hasPrefix) }
            .sorted()
        return
            try folders
            .flatMap { folder in files.filter { $0 == folder || $0.hasPrefix(folder + "/") } }
            .flatMap { try MutatedFile.mutations(in: text(of: $0), path: $0) }
    }

    // MARK: Building

    /// Writes the copy with mutations and builds it. Mutations that do not compile are omitted.
    package mutating func build(_ wanted: [Mutation]) throws {
        var keys = Set(wanted.map(\.key))
        for attempt in 1... {
            try write(keys)
            report("build \(attempt): \(keys.count) mutations")
            let errors = try compile()
            if errors.isEmpty { break }
            let suspects = Set(
                errors.flatMap { error in
                    files.first { $0.path == error.path }?
                        .suspects(line: error.line, column: error.column) ?? []
                }
            )
            .intersection(keys)
            guard !suspects.isEmpty else {
                throw MutationError(
                    "the copy does not build:\n"
                        + errors.prefix(9).map(\.text).joined(separator: "\n")
                )
            }
            report("\(suspects.count) mutations do not compile, such as: \(errors[0].text)")
            keys.subtract(suspects)
        }
    }

    private mutating func write(_ keys: Set<String>) throws {
        let paths = try allFiles().filter { !$0.hasPrefix(".ci/mutation/") }
        let keysByPath = Dictionary(grouping: keys) { key in String(key.prefix { $0 != "\u{1F}" }) }
        let old = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0) })
        files = []
        var number = 1
        for path in paths.sorted() {
            guard let keys = keysByPath[path] ?? old[path].map({ _ in [] }) else { continue }
            let file =
                try old[path].flatMap { $0.mutations.count == keys.count ? $0 : nil }
                ?? MutatedFile(path: path, original: text(of: path), firstNumber: number) {
                    keys.contains($0.key)
                }
            number = file.nextNumber
            files.append(file)
        }
        guard number <= 65_536 else {
            throw MutationError("more than 65,535 mutations in one build")
        }
        let changed = Dictionary(uniqueKeysWithValues: files.map { ($0.path, $0.text) })
        try writeCopy(of: paths, changed)
    }

    /// Writes the copy with deliberate bugs, numbered from 1, and builds the simulator.
    package func build(_ bugs: [DeliberateBug]) throws {
        let paths = try allFiles().filter { !$0.hasPrefix(".ci/mutation/") }
        let numbered = bugs.enumerated().map { (number: $0 + 1, bug: $1) }
        var changed: [String: String] = [:]
        for path in Set(bugs.flatMap { $0.changes.map(\.file) }) {
            guard paths.contains(path) else {
                throw MutationError("a deliberate bug changes \(path), which does not exist")
            }
            changed[path] = try DeliberateBug.applied(numbered, toFile: path, text(of: path))
        }
        try writeCopy(of: paths, changed)
        let errors = try compile(["--product", "pipeline-simulate"])
        guard errors.isEmpty else {
            let texts = errors.map(\.text).joined(separator: "\n")
            throw MutationError("the copy does not build:\n\(texts)")
        }
    }

    /// Writes all files and the switch into the copy, and removes files that are no longer in the
    /// package.
    ///
    /// - Parameter changed: the texts of the changed files, by path.
    private func writeCopy(of paths: [String], _ changed: [String: String]) throws {
        for path in paths {
            if let text = changed[path] {
                try put(Data(text.utf8), at: path)
            } else if path == "Package.swift" {
                try put(Data(try text(of: path).appending(Self.switchTargets).utf8), at: path)
            } else {
                try put(Data(contentsOf: url(path)), at: path)
            }
        }
        let switchFolder = root.appendingPathComponent(".ci/mutation/Switch")
        let names = try FileManager.default.subpathsOfDirectory(atPath: switchFolder.path)
            .filter { $0.hasSuffix(".swift") || $0.hasSuffix(".c") || $0.hasSuffix(".h") }
        for name in names {
            try put(
                Data(contentsOf: switchFolder.appendingPathComponent(name)),
                at: "MutationSupport/\(name)"
            )
        }
        try removeOthers(than: Set(paths + names.map { "MutationSupport/\($0)" }))
    }

    /// The lines of the manifest that make every target depend on the switch.
    private static let switchTargets = """

        for target in package.targets where target.type == .regular || target.type == .executable {
            target.dependencies.append("MutationSwitch")
        }
        // Optimizing tests costs more time than it saves, and whole-module compilation uses only
        // one core.
        for target in package.targets where target.type == .test {
            target.swiftSettings = (target.swiftSettings ?? []) + [
                .unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"])
            ]
        }
        package.targets += [
            .target(name: "MutationTable", path: "MutationSupport/MutationTable"),
            .target(
                name: "MutationSwitch",
                dependencies: ["MutationTable"],
                path: "MutationSupport/MutationSwitch"
            ),
        ]

        """

    /// Writes a file unless it already has these contents, so that unchanged files are not compiled
    /// again.
    private func put(_ data: Data, at path: String) throws {
        let target = tree.appendingPathComponent(path)
        if let old = try? Data(contentsOf: target), old == data { return }
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try data.write(to: target)
    }

    private func removeOthers(than paths: Set<String>) throws {
        for path in try FileManager.default.subpathsOfDirectory(atPath: tree.path)
        where !path.hasPrefix(".") && !paths.contains(path) {
            let file = tree.appendingPathComponent(path)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
                !isFolder.boolValue
            {
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    /// The arguments of a release build with assertions.
    private static let buildArguments = [
        "build", "-c", "release", "-Xswiftc", "-enable-testing", "-Xswiftc", "-assert-config",
        "-Xswiftc", "Debug",
    ]

    private func compile(_ product: [String] = ["--build-tests"]) throws -> [CompilerError] {
        var errors: [CompilerError] = []
        var last: [String] = []
        let prefix = tree.path + "/"
        var command = Command(
            program: "swift",
            arguments: Self.buildArguments + product,
            folder: tree.path
        )
        if !testTargets.isEmpty {
            command.environment["PIPELINE_TARGETS"] = testTargets.joined(separator: ",")
        }
        let ending = try command.run { line in
            last = last.suffix(30) + [line]
            if let error = CompilerError(line, below: prefix) { errors.append(error) }
            return false
        }
        guard ending == .exited(0) || !errors.isEmpty else {
            throw MutationError("the copy does not build:\n" + last.joined(separator: "\n"))
        }
        return ending == .exited(0) ? [] : errors
    }

    // MARK: Products

    var products: URL { tree.appendingPathComponent(".build/release") }

    var testBinary: String {
        products.appendingPathComponent("CollectionPipelinePackageTests.xctest").path
    }

    /// The compiled mutations, with their numbers.
    var numbered: [(number: Int, mutation: Mutation)] { files.flatMap(\.mutations) }
}

/// An error that prevents mutations from being tried.
package struct MutationError: Error, CustomStringConvertible {
    package let description: String
    init(_ description: String) { self.description = description }
}
