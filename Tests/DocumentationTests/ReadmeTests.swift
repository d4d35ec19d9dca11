import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

@Suite struct ReadmeTests {
    @Test func everySwiftBlockIsCompiled() throws {
        let compiled = try [
            Documents.text("Examples/hello-pipeline/main.swift"),
            Documents.text("Tests/DocumentationTests/ReadmeSnippets.swift"),
        ]
        let blocks = Documents.blocks(of: "swift", in: try Documents.text("README.md"))
        #expect(blocks.count >= 3)
        for block in blocks where !compiled.contains(where: { Documents.contains(block, in: $0) }) {
            Issue.record("No compiled file has this block:\n\(block.joined(separator: "\n"))")
        }
    }

    @Test func theGateRunsEveryCommand() throws {
        let gate = try Documents.text(".ci/run")
        let manifest = try Documents.text("Package.swift")
        for command in Documents.blocks(of: "sh", in: try Documents.text("README.md")).joined() {
            if gate.contains("\n\(command)\n") { continue }
            // The stress suite runs there with further options.
            let filter = try #require(command.split(separator: " ").last)
            #expect(command.contains("--filter"), "nothing runs '\(command)'")
            #expect(manifest.contains("\"\(filter)\"") && gate.contains("\(filter)."))
        }
    }

    @Test func theTourDoesWhatItSays() throws {
        let update = try thePurePart()
        #expect(update.edits.count == 3)
        let path = ItemPath(section: 0, item: 1)
        #expect(update.newPath(for: path) == ItemPath(section: 0, item: 0))
    }

    @Test(.endsHangs)
    func theSingleEditDeploys() async throws {
        let controller = DataController(dataSource: Feed())
        try await controller.reloadData()
        onTheMainLane(controller)
        await controller.reached(.handedOver)
        #expect(controller.visibleMap.numberOfItems == 1)
        await controller.close()
    }

    @Test(.endsHangs)
    func modelsNeedNoDataSource() async throws {
        #expect(try await modelsAlone() == ["new", "a", "b"])
    }

    @Test(.endsHangs)
    func modelsLoadByTheRange() async throws {
        let source = LogSource()
        source.lines = ["one", "two"]
        let controller = DataController(dataSource: source)
        try await controller.reloadData()
        let models = controller.visibleMap.items.map { $0.content.model as? String }
        #expect(models == ["one", "two"])
        await controller.close()
    }

    @Test func everyExecutableIsListed() throws {
        let readme = try Documents.text("README.md")
        let manifest = try Documents.text("Package.swift")
        let products = manifest.split(separator: "\n").filter { $0.contains(".executable(") }
        #expect(!products.isEmpty)
        for product in products {
            let name = try #require(product.split(separator: "\"").dropFirst().first)
            #expect(readme.contains("| `\(name)"), "\(name) is not in the README")
        }
    }
}
