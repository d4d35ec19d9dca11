/// A script for browsers, as a value for a server to answer with: the replica of a hub's list, and the list on a page.
///
/// A page that shows a live list needs one script, the ``bundle``, and its element:
///
/// ```html
/// <script type="module" src="/live-list.js"></script>
/// <live-list src="/list"></live-list>
/// ```
///
/// A page with a program of its own imports from the same script, or serves all scripts below one path and imports
/// `replica.js`, which imports its neighbours. `Examples/browser-replica` says what the scripts export.
///
/// ```swift
/// guard let script = BrowserScript.named(name) else { return nil }
/// let headers = ["Content-Type": script.contentType, "ETag": script.entityTag]
/// return (headers, script.bytes)
/// ```
///
/// The scripts are part of the program, so there are no files to deploy. They change only with the program: let
/// browsers keep them, and ask each time (`Cache-Control: no-cache`) whether the entity tag is still the same.
public struct BrowserScript: Hashable, Sendable {
    /// The name of the file, such as `replica.js`. Scripts import each other by it.
    public let name: String
    /// The text, in UTF-8.
    public let bytes: [UInt8]
    /// The value for a script element's `integrity` attribute: `sha256-`, and the hash of the bytes in Base64.
    ///
    /// It covers this script alone and not what the script imports. The ``bundle`` imports nothing.
    public let integrity: String

    /// The value for the `Content-Type` field.
    public var contentType: String { "text/javascript; charset=utf-8" }

    /// The value for the `ETag` field, in quotation marks.
    ///
    /// A request whose `If-None-Match` field contains it can be answered with status 304 and no body. The field may have
    /// other tags beside it, and a `W/` before it if a proxy compresses answers.
    public var entityTag: String { "\"\(integrity)\"" }

    private init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        integrity = "sha256-\(SHA256.base64(SHA256.hash(bytes)))"
    }

    /// Everything that a page needs, in one script without imports: `live-list.js`.
    public static let bundle = BrowserScript(
        "live-list.js",
        ScriptBundle.joining("live-list.js", of: modules())
    )

    /// The modules, and the bundle in place of the module of its name.
    public static let all: [BrowserScript] =
        [bundle] + modules().filter { $0.name != bundle.name }.map { BrowserScript($0, $1) }

    /// Returns the script of a name; `nil` if there is none.
    ///
    /// The name may be anything that a request contains: it is compared, and leads to no file.
    public static func named(_ name: String) -> BrowserScript? {
        all.first { $0.name == name }
    }

    private static func modules() -> [(name: String, bytes: [UInt8])] {
        [
            ("arrangement.js", PackageResources.arrangement_js),
            ("digest.js", PackageResources.digest_js),
            ("follow.js", PackageResources.follow_js),
            ("list-view.js", PackageResources.list_view_js),
            ("live-list.js", PackageResources.live_list_js),
            ("optimistic.js", PackageResources.optimistic_js),
            ("renumbering.js", PackageResources.renumbering_js),
            ("replica.js", PackageResources.replica_js),
            ("room.js", PackageResources.room_js),
            ("window.js", PackageResources.window_js),
            ("window-follower.js", PackageResources.window_follower_js),
        ]
    }
}

/// Modules joined to one script, each after those that it imports.
///
/// This is no parser. It relies on the form of our modules, which a test checks: each import and each export of another
/// module's names is one line, and no two modules declare the same name at the top level.
private struct ScriptBundle {
    private let modules: [String: String]
    private var joined: Set<String> = []
    private var text = ""

    /// Returns the bytes of the script that exports what the module `name` exports.
    static func joining(_ name: String, of modules: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        let texts = modules.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }
        var bundle = ScriptBundle(modules: Dictionary(uniqueKeysWithValues: texts))
        let exports = bundle.add(name)
        return Array((bundle.text + "\nexport { \(exports.joined(separator: ", ")) };\n").utf8)
    }

    private init(modules: [String: String]) { self.modules = modules }

    /// Appends a module that is not there yet, and returns the names that it exports.
    private mutating func add(_ name: String) -> [Substring] {
        guard joined.insert(name).inserted, let module = modules[name] else { return [] }
        var (body, exports): (String, [Substring]) = ("// \(name)\n", [])
        for line in module.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let isExport = line.hasPrefix("export ")
            let words = line.split { !$0.isLetter && !$0.isNumber }
            if line.hasPrefix("import {") || line.hasPrefix("export {") {
                // `export { A, B } from './module.js';`
                if let source = line.split(separator: "'").dropFirst().first?.dropFirst(2) {
                    _ = add(String(source))
                }
                if isExport { exports += words.dropFirst().prefix { $0 != "from" } }
                continue
            }
            if isExport {
                let keywords: Set<Substring> = ["export", "async", "class", "const", "function"]
                exports += words.drop(while: keywords.contains).prefix(1)
            }
            body += "\(isExport ? line.dropFirst(7) : line[...])\n"
        }
        text += text.isEmpty ? body : "\n\(body)"
        return exports
    }
}
