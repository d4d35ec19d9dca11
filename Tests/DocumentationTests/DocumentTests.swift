import CollectionReplication
import Foundation
import Testing

/// Checks that the names, links, commands and samples in documents are valid.
@Suite struct DocumentTests {
    @Test func everySampleIsPartOfTestedCode() throws {
        let sources = try Documents.sampleSources()
        let page = try Documents.blocks(
            of: "html",
            in: Documents.text("Examples/browser-replica/README.md")
        )
        var count = 0
        let others = [
            "README.md", "Sources/CollectionTables/CollectionTables.docc/CollectionTables.md",
        ]
        for (name, text) in try Documents.articles() + others.map({ ($0, try Documents.text($0)) })
        {
            for (language, block) in Documents.blocks(in: text) {
                let shown = "\(name):\n" + block.joined(separator: "\n")
                switch language {
                case "swift":
                    count += 1
                    let isThere = sources.contains { Documents.contains(block, in: $0) }
                    #expect(isThere, "no test runs this part of \(shown)")
                case "html": #expect(page.contains(block), "found in no other document: \(shown)")
                case "sh", "text": break
                default: Issue.record("neither code, commands nor a picture: \(shown)")
                }
            }
        }
        #expect(count >= 15)
        let tests = try Documents.text("Tests/DocumentationTests/SampleTests.swift")
        for line in sources[1...2].joined().split(separator: "\n") where line.hasPrefix("func ") {
            let name = line.dropFirst(5).prefix { $0.isLetter || $0.isNumber }
            #expect(tests.contains("\(name)("), "no test runs \(name)")
        }
    }

    @Test func samplesInCommentsCompile() throws {
        let snippets = try Documents.text("Tests/DocumentationTests/CommentSnippets.swift")
        let compiled = try Documents.sampleSources() + [snippets]
        let files =
            Documents.texts(below: "Sources/CollectionPublishing", ending: ".swift")
            + Documents.texts(below: "Sources/CollectionTables", ending: ".swift")
            + Documents.texts(below: "Sources/CollectionChanges", ending: "/ChangeRecording.swift")
        var count = 0
        for (name, text) in files {
            let comments = text.components(separatedBy: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) }
                .filter { $0.hasPrefix("///") }.map { $0.dropFirst(3) }.joined(separator: "\n")
            for block in Documents.blocks(of: "swift", in: comments) {
                count += 1
                let isThere = compiled.contains { Documents.contains(block, in: $0) }
                #expect(isThere, "\(name): \(block.joined(separator: "\n"))")
            }
        }
        #expect(count >= 18)
    }

    @Test func everyNameExists() throws {
        let known = try KnownNames()
        // Words of the language.
        let words: Set<String> = [
            "await", "async", "public", "switch", "@nonexhaustive", "Codable", "Equatable",
            "Identifiable", "SerialExecutor",
        ]
        var count = 0
        let architecture = try Documents.text("ARCHITECTURE.md")
        for (document, text) in Documents.articles() + [("ARCHITECTURE", architecture)] {
            for name in Documents.namesInCodeVoice(of: text).subtracting(words).sorted() {
                count += 1
                let exists = known.contains(name)
                #expect(exists, "\(document): `\(name)` does not exist")
            }
        }
        #expect(count > 130)
    }

    @Test func everyCommandExists() throws {
        let known = try KnownNames()
        let manifest = try Documents.text("Package.swift")
        func isKnown(_ line: String) -> Bool {
            // Environment variables precede a command.
            var words = line.components(separatedBy: "   #")[0].split(separator: " ")
                .drop { $0.contains("=") }
            guard let first = words.first else { return false }
            if first == "swift", words.dropFirst().first != "run" {
                return zip(words, words.dropFirst()).allSatisfy { option, name in
                    !["--filter", "--product"].contains(option) || known.contains(String(name))
                        || manifest.contains("\"\(name)\"")
                }
            }
            if first == "swift" {
                words = words.dropFirst(2).drop { $0 == "-c" || $0 == "release" }
            }
            let program = words.first?.split(separator: "/").last ?? first
            return ["cp"].contains(first) || Documents.exists(String(first))
                || known.contains(([program] + words.dropFirst()).joined(separator: " "))
        }
        let documents = try ["README.md", ".github/CONTRIBUTING.md"].map(Documents.text)
        let lines = (documents + Documents.articles().map(\.text))
            .flatMap { Documents.blocks(of: "sh", in: $0).joined() }
        #expect(lines.count > 10)
        for line in lines { #expect(isKnown(line), "\(line)") }
    }

    @Test func everyLinkAndPathLeadsToAFile() throws {
        let documents = [
            "README.md", "ARCHITECTURE.md", ".github/CONTRIBUTING.md",
            "Examples/LiveBoard/README.md", "Examples/ClusterJournal/README.md",
            "Examples/orders/README.md", "Examples/browser-replica/README.md",
            "Examples/GRDBTables/README.md",
        ]
        for document in documents {
            let folder = document.split(separator: "/").dropLast().joined(separator: "/")
            for part in try Documents.text(document).components(separatedBy: "](").dropFirst() {
                let link = part.prefix { $0 != ")" }
                if link.contains("://") || link.hasPrefix("#") { continue }
                #expect(Documents.exists("\(folder)/\(link)"), "\(document): \(link)")
            }
        }
        let text = try Documents.text(".github/CONTRIBUTING.md")
        let roots = [".ci/", ".github/", "Sources/", "Tests/", "Examples/"]
        let words = Set(text.split { $0.isWhitespace || "`=|(),".contains($0) })
        for path in words where roots.contains(where: { path.hasPrefix($0) }) {
            #expect(
                Documents.exists(String(path.hasSuffix(".") ? path.dropLast() : path)),
                "\(path)"
            )
        }
        let code =
            try [".ci/run", ".ci/thorough", "Package.swift"].map(Documents.text).joined()
            + Documents.texts(below: "Tests", ending: ".swift").map(\.text).joined()
        for name in words
        where name.contains("_") && name.allSatisfy({ $0.isUppercase || $0 == "_" }) {
            let isRead = code.contains(name)
            #expect(isRead, "no file reads \(name)")
        }
    }

    @Test func everyArticleAndExecutableIsListed() throws {
        let readme = try Documents.text("README.md")
        let first = try Documents.text("\(Documents.guide)/Guide.md")
        let topics = first.components(separatedBy: "## Topics")[1]
        for (name, _) in Documents.articles() where name != "Guide" {
            #expect(readme.contains("](\(Documents.guide)/\(name).md)"), "\(name)")
            #expect(topics.contains("- <doc:\(name)>\n"), "\(name)")
        }
        let manifest = try Documents.text("Package.swift")
        for product in manifest.split(separator: "\n") where product.contains(".executable(") {
            let name = try #require(product.split(separator: "\"").dropFirst().first)
            #expect(readme.contains("| `\(name)"), "\(name)")
        }
    }

    @Test func everyGuaranteeHasASuiteOfItsName() throws {
        let names = try Documents.guarantees()
        #expect(names.count >= 18)
        let table = try Documents.text("\(Documents.guide)/Guarantees.md")
        for name in names {
            let row = try #require(
                table.split(separator: "\n").first { $0.hasPrefix("| **\(name)** |") },
                "\(name)"
            )
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let suite = cells[2].replacing("`", with: "")
            let tests = Documents.texts(below: "Tests", ending: "/\(suite).swift").map(\.text)
            #expect(tests.joined().contains("@Suite(\"\(name)\""), "\(name) is not in \(suite)")
        }
    }

    @Test func documentedLimitsAreTheDefaults() throws {
        let rows = try Documents.text("\(Documents.guide)/Limits.md").split(separator: "\n")
        let (pipeline, hub) = (PipelineConfiguration(), HubConfiguration())
        let replication = ReplicationConfiguration()
        #expect(pipeline.limits == ShapeLimits(sections: 1 << 24, items: 1 << 24))
        #expect(pipeline.stallTimeout == .seconds(10))
        let texts: KeyValuePairs<String, String> = [
            "limits": "2²⁴ sections, 2²⁴ items", "stallTimeout": "10 s",
            "backlogLimit": "\(pipeline.backlogLimit) accepted",
            "unpublishedUpdateLimit": "\(hub.unpublishedUpdateLimit) updates",
            "resumableUpdateLimit": "\(grouped(hub.resumableUpdateLimit)) announcements",
            "resumableEditLimit": "\(grouped(hub.resumableEditLimit)) edits",
            "retainedVersionLimit": "\(grouped(hub.retainedVersionLimit)) versions",
            "retainedEditLimit": "\(grouped(hub.retainedEditLimit)) edits",
            "recentUpdateLimit": "\(grouped(hub.recentUpdateLimit)) announcements",
            "readerLimit": "\(grouped(hub.readerLimit)) readers",
            "windowRowLimit": "\(grouped(hub.windowRowLimit)) rows",
            "inFlightRecordLimit": "\(replication.inFlightRecordLimit) records",
            "pendingRecordLimit": "\(grouped(replication.pendingRecordLimit)) records",
            "pendingByteLimit": "\(replication.pendingByteLimit >> 20) MiB",
            "recordByteLimit": "\(replication.recordByteLimit >> 10) KiB",
        ]
        for (name, text) in texts {
            let row = try #require(rows.first { $0.contains("/\(name)``") }, "\(name)")
            #expect(row.contains(text), "\(name) is not \(text)")
        }
    }

    /// Formats a number with a comma before every three digits.
    private func grouped(_ number: Int) -> String {
        let digits = Array("\(number)")
        return digits.indices.reduce(into: "") { text, index in
            if index > 0, (digits.count - index).isMultiple(of: 3) { text += "," }
            text.append(digits[index])
        }
    }

    /// Shows that each of these checks can fail.
    @Test func theChecksFindFaults() throws {
        let known = try KnownNames()
        // A declaration, a file, a product, a variable and an option; then misspellings of each.
        let names = [
            "PipelineCore", ".reload", "wait…", "hello-pipeline", "PIPELINE_FUZZ", "--anomalies",
            ".ci/run", "README.md", "pipeline-simulate --replay", "rejectionPolicy = .reload",
        ]
        let others = [
            "PipelineCor", ".reloadEverythin", "reluctantly…", "hello-pipelin", "--anomal",
            "READYOU.md", "pipeline-simulate --repla", "PipelineConfiguration.contentChec",
        ]
        #expect((names + others).filter(known.contains) == names)
        let text = "`one` and ``/Two/three``, `four(_:)`\n```swift\nfive(`six`)\n```\n| `seven` |"
        #expect(Documents.namesInCodeVoice(of: text) == ["one", "four(_:)", "seven"])
        let blocks = [["a()", "b()"], ["b()"], ["b()", "a()"], ["c()"], []]
        let found = blocks.map { Documents.contains($0, in: "f {\n    a()\n    b()\n}\n") }
        #expect(found == [true, true, false, false, false])
    }
}
