import CollectionPublishing
import Foundation
import PipelineTestSupport
import SimulatedView
import Testing

@Suite struct ReadmeTests {
    @Test func theTestOfAViewPasses() throws { try testAView() }

    @Test func everySwiftBlockStandsWholeInWhatATestRuns() throws {
        let sources = try ReadmeSource.all()
        let blocks = Documents.blocks(in: try Documents.text("README.md"))
        #expect(blocks.count >= 4)
        for (language, block) in blocks where language != "sh" {
            let text = block.joined(separator: "\n")
            #expect(language == "swift", "neither Swift nor commands, so unchecked:\n\(text)")
            #expect(sources.contains { $0.runs(block) }, "no test runs this block:\n\(text)")
        }
    }

    @Test func aBlockThatNoTestRunsIsFound() {
        let source = ReadmeSource(
            text: "import One\n\nfunc first() {\n    a()\n    b()\n}\nfunc second() {\n    c()\n}",
            tests: "@Test func itRuns() { first() }"
        )
        #expect(source.runs(["a()", "b()"]))
        #expect(source.runs(["func first() {", "a()"]), "a block may be the declaration itself")
        #expect(!source.runs(["c()"]), "no test calls it")
        #expect(!source.runs(["b()", "a()"]))
        #expect(!source.runs(["import One"]), "it belongs to no declaration")
        #expect(!source.runs([]))
        let program = ReadmeSource(text: "import One\na()\n", tests: "run()", program: "one")
        #expect(!program.runs(["a()"]))
        #expect(ReadmeSource(text: "a()", tests: "run(\"one\")", program: "one").runs(["a()"]))
        let blocks = Documents.blocks(in: "```sh\nx\n```\n\n```\ny\n```\n   ```yaml\nz\n```")
        #expect(blocks.map(\.language) == ["sh", "", "yaml"])
    }

    @Test func everyLinkLeadsToAFile() throws {
        let readme = try Documents.text("README.md")
        let links = readme.components(separatedBy: "](").dropFirst().map { $0.prefix { $0 != ")" } }
        #expect(links.count > 10)
        for link in links { #expect(Documents.exists(String(link)), "\(link)") }
        for article in try Article.all() where article.name != "Guide" {
            #expect(links.contains("\(Article.folder)/\(article.name).md"), "\(article.name)")
        }
    }

    @Test func theSampleIsWholeButForItsImports() throws {
        let block = try #require(
            Documents.blocks(of: "swift", in: Documents.text("README.md")).first
        )
        let lines = try Documents.text("Examples/hello-pipeline/main.swift").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let code = lines.drop { $0.isEmpty || $0.hasPrefix("import ") }.dropLast()
        #expect(code.map { $0.trimmingCharacters(in: .whitespaces) } == block)
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

    @Test func theGateTestsEveryNestedPackage() throws {
        let gate = try Documents.text(".ci/run")
        let manifests = Documents.files(below: "Examples").filter { file in
            file.lastPathComponent == "Package.swift"
        }
        #expect(!manifests.isEmpty)
        for manifest in manifests {
            let name = manifest.deletingLastPathComponent().lastPathComponent
            // What needs servers has a script of its own.
            let script = "Examples/\(name)/test"
            #expect(
                gate.contains("\nswift test --package-path Examples/\(name) ")
                    || Documents.exists(script) && gate.contains(" \(script) "),
                "\(name)"
            )
        }
    }

    @Test func thePurePartPrintsItsEditsInOrder() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) { try thePurePart() }
        #expect(
            String(decoding: result?.standardOutputContent ?? [], as: UTF8.self) == """
                remove item 0 - 2 (delete)
                remove item 0 - 0 (move with 1 - 1)
                insert item 1 - 1 (move with 0 - 0)
                0 - 0

                """
        )
    }

    @Test(.endsHangs)
    func theSingleEditDeploys() async throws {
        let controller = DataController(dataSource: Feed())
        try await controller.reloadData()
        onTheMainLane(controller)
        await controller.reached(.handedOver)
        let texts = controller.visibleMap.items.map { item in
            (item.element.nodeIfAllocated as? PostNode)?.text
        }
        #expect(texts == ["first"])
        await controller.close()
    }

    @Test(.endsHangs)
    func aServerAnswersByTheCode() async throws {
        let controller = DataController(dataSource: Feed())
        try await controller.reloadData()
        #expect(await delete("first", from: controller) == 204)
        #expect(await delete("first", from: controller) == 404)
        #expect(controller.divergence == nil)
        await controller.close()
        #expect(await delete("second", from: controller) == 503)
    }

    @Test(.endsHangs)
    func rowsBecomeOneChangeSet() async throws {
        let view = SimulatedCollectionView(size: Size(width: 40, height: 10))
        let map = try await fromRows(view)
        let rows = map.items.map { ($0.content.model as? Post)?.text }
        #expect(rows == ["Rows that change", "Hello", "and new ones"])
        #expect(map.generation == 2)
    }

    @Test(.endsHangs)
    func modelsAlonePrintTheListWithTheNewOne() async throws {
        let result = await #expect(
            processExitsWith: .success,
            observing: [\.standardOutputContent]
        ) { try await modelsAlone() }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(output == "[\"new\", \"a\", \"b\"]\n")
    }

    @Test(.endsHangs)
    func aReplicaHasWhatWasPublished() async throws {
        let replica = try await publish()
        let payload = replica.state.item(at: ItemPath(section: 0, item: 0))?.payload
        #expect(payload == PublishedPayload("<p>Hello</p>"))
        #expect(replica.isClosed && replica.digest == replica.state.digest)
    }

    @Test(.endsHangs)
    func aTraceHasWhatWasDone() async throws {
        let view = SimulatedCollectionView(size: Size(width: 40, height: 10))
        let trace = try StrictTrace(try await trace(view))
        #expect(trace.processNames == [1: "collection"])
        #expect(trace.spans.count == 1 && trace.flows.count == 1)
        #expect(trace.threadNames.values.contains("worker 1"))
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
