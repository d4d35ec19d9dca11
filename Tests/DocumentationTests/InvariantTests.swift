import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

/// Claims of the documents about the sources, mostly that something is absent.
@Suite struct InvariantTests {
    /// Returns the lines of source below a folder, without comments, by file name.
    private func lines(below folder: String) -> [(file: String, line: String)] {
        Documents.texts(below: folder, ending: ".swift").flatMap { name, text in
            text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { !$0.hasPrefix("//") }.map { (name, $0) }
        }
    }

    private func files(below folder: String, with pattern: String) throws -> Set<String> {
        let expression = try Regex(pattern)
        return Set(lines(below: folder).filter { $0.line.contains(expression) }.map(\.file))
    }

    @Test func pureValuesImportOnlyTrees() throws {
        let importing = lines(below: "Sources/CollectionChanges")
            .filter { $0.line.contains("import ") }
        #expect(
            importing.allSatisfy { file, line in
                line == "import PersistentTrees" || file == "FileJournalStorage.swift"
            },
            "\(importing)"
        )
        let imports = lines(below: "Sources/PersistentTrees").map(\.line)
            .filter { $0.contains("import ") }
        #expect(imports == ["import Synchronization"], "PersistentTrees imports no other module")
    }

    @Test func theLibraryHasOneLockAndNoFoundation() throws {
        #expect(try files(below: "Sources", with: "(^|[^A-Za-z])Mutex[<(]") == ["Lock.swift"])
        #expect(try files(below: "Sources", with: "^(@.* )?import Foundation") == [])
        let racy = "isKnownUniquelyReferenced|DispatchWorkItem|Thread\\.isMainThread"
        #expect(try files(below: "Sources", with: racy) == [])
    }

    @Test func oneFileBranchesOnAProfile() throws {
        let branch = #"switch .*profile|profile [!=]= |(case|[!=]=) \.(strict|texture)"#
        #expect(try files(below: "Sources", with: branch) == ["ValidationProfile.swift"])
    }

    @Test func onlyTheMapUsesItsStorageTypes() throws {
        let names = "(^|[^A-Za-z])(SectionEntry|Slots|Entries)([^A-Za-z]|$)|storage\\.entries"
        let modules = ["Elements", "Pipeline", "Layouts"].map { "Collection\($0)" }
        let files = try (modules + ["SimulatedView"]).reduce(into: Set<String>()) { files, name in
            files.formUnion(try self.files(below: "Sources/\(name)", with: names))
        }
        let others = files.filter { !$0.hasPrefix("ElementMap") && $0 != "ElementSlot.swift" }
        #expect(files.count > 2 && others.isEmpty, "\(others)")
    }

    @Test func theEnvironmentIsThePipelinesOnlyHook() throws {
        let conditions = lines(below: "Sources").filter { $0.line.hasPrefix("#if") }
            .filter { $0.line != "#if DEBUG" && !$0.line.contains("canImport") }
        #expect(conditions.isEmpty, "\(conditions)")
        let time = #"DispatchTime|DispatchSemaphore|asyncAfter|DispatchQueue\(|\.global\("#
        #expect(
            try files(below: "Sources/CollectionPipeline", with: time) == [
                "PipelineEnvironment.swift", "DispatchLane.swift", "WorkerPool.swift",
            ]
        )
    }

    /// Runs a pipeline that loads, fails, rejects and closes, in a separate process.
    @Test func aPipelineWritesNothingAndOpensNoFile() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent, \.standardErrorContent]
        ) {
            let before = Self.openFiles()
            let nodes = NodeBook()
            nodes.onMake { if $0 == "bad" { throw TestFailure() } }
            let view = SimulatedCollectionView(size: Size(width: 10, height: 10))
            let controller = DataController(
                dataSource: TextDataSource([["a", "bad"]], nodes: nodes),
                view: view
            )
            try await controller.reloadData()
            _ = try? await controller.performBatchUpdates { $1.deleteSections([9]) }
            try await controller.performBatchUpdates { $0.append("b", &$1) }
            let after = Self.openFiles()
            await controller.close()
            if after != before { fatalError("\(after.subtracting(before)) were opened") }
        }
        #expect(String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == "")
        #expect(String(decoding: result?.standardErrorContent ?? [], as: UTF8.self) == "")
    }

    private static func openFiles() -> Set<String> {
        let manager = FileManager.default
        let folder = "/proc/self/fd"
        let names = (try? manager.contentsOfDirectory(atPath: folder)) ?? []
        let targets = names.compactMap {
            try? manager.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
        }
        return Set(targets.filter { $0.hasPrefix("/") && !$0.hasPrefix("/proc/") })
    }
}
