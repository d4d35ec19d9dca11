import CollectionPublishing
import Foundation
import PipelineTestSupport
import Testing

/// The scripts for pages: their names, their hashes and the bundle.
@Suite struct BrowserScriptTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let folder = root.appendingPathComponent("Sources/BrowserScripts/Scripts")

    @Test func scriptNamesAreExactlyTheFiles() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(BrowserScript.all.map(\.name).sorted() == files.sorted() && files.count > 10)
        for script in BrowserScript.all {
            let (name, hash) = (script.name, Data(SHA256.hash(script.bytes)).base64EncodedString())
            #expect(BrowserScript.named(name) == script)
            #expect(script.integrity == "sha256-\(hash)")
            #expect(script.entityTag == "\"sha256-\(hash)\"")
            let file = try Data(contentsOf: Self.folder.appendingPathComponent(name))
            #expect(script == .bundle || Data(script.bytes) == file, "\(name)")
            let others = [
                "/\(name)", "./\(name)", "\(name)/", "\(name) ", "\(name)\0", "\(name)\u{301}",
                "\(name.dropLast())", name.uppercased(), "../Scripts/\(name)", "x\(name)",
            ]
            #expect(others.compactMap(BrowserScript.named) == [])
        }
        let anything: [[UInt8]] = [[], [0], [0xff], [0xed, 0xa0, 0x80], Array("..".utf8)]
        let names = anything.map { String(decoding: $0, as: UTF8.self) }
        #expect(names.compactMap(BrowserScript.named) == [])
    }

    /// The vectors of FIPS 180-4, and every length around a block.
    @Test func hashesMatchTheStandard() {
        let vectors = [
            "": "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "abc": "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq":
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ]
        for (text, hash) in vectors {
            let digits = SHA256.hash(Array(text.utf8)).map { byte in
                (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
            #expect(digits.joined() == hash, "\(text)")
        }
        // The hashes of 0 to 130 bytes, hashed together; the expected value was computed with
        // Python.
        let lengths = (0...130).map { Array(UInt8(0)..<UInt8($0)) }
        let all = lengths.flatMap(SHA256.hash)
        #expect(SHA256.base64(SHA256.hash(all)) == "5bu+zWDDYyo0VfRlv9iwecMO9gjSvMNCJ/TlVzApAg4=")
        for bytes in lengths + [all] {
            #expect(SHA256.base64(bytes) == Data(bytes).base64EncodedString())
        }
    }

    /// The bundler works line by line and relies on this form.
    @Test func modulesHaveTheFormThatTheBundleRequires() throws {
        let linked = #/(?:im|ex)port { \w+(?:, \w+)* } from '\./([\w-]+\.js)';/#
        let declared = #/(?:export )?(?:async )?(?:class|const|function\*?) (\w+)\b.*/#
        var names: [Substring: String] = [:]
        for script in BrowserScript.all {
            let file = Self.folder.appendingPathComponent(script.name)
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard line.first?.isLetter == true || line.first == "{" else { continue }
                if let match = line.wholeMatch(of: linked) {
                    #expect(BrowserScript.named(String(match.1)) != nil, "\(line)")
                } else if let match = line.wholeMatch(of: declared) {
                    let other = names.updateValue(script.name, forKey: match.1)
                    #expect(other == nil, "\(match.1) is declared in \(script.name) too")
                } else {
                    #expect(line.hasPrefix("if (globalThis."), "\(script.name): \(line)")
                }
            }
        }
        #expect(names.count > 60)
        let bundle = String(decoding: BrowserScript.bundle.bytes, as: UTF8.self)
        let lines = bundle.split(separator: "\n").filter { $0.contains(#/^(im|ex)port\b/#) }
        #expect(lines.count == 1 && lines.first == bundle.split(separator: "\n").last)
    }

    /// Runs the module's tests on the bundle if Node.js is installed.
    @Test func theBundlePassesTheModulesTests() throws {
        let file = FileManager.default.temporaryDirectory
            .appendingPathComponent("live-list-\(UUID().uuidString).mjs")
        try Data(BrowserScript.bundle.bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let tests = Self.root.appendingPathComponent("Examples/browser-replica/live-list.test.mjs")
        let result = try BuiltProgram(URL(fileURLWithPath: "/usr/bin/env"))
            .run(["node", "--test", tests.path], environment: ["LIVE_LIST": file.absoluteString])
        let isMissing = result.code == 127
        #expect(isMissing || result.code == 0, "\(result.output)")
    }
}
