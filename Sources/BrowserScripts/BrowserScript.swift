/// A script for browsers, as a value that a server can return: a replica of a hub's list, or the
/// list on a page.
///
/// A page that shows a live list needs one script, the ``bundle``, and its element:
///
/// ```html
/// <script type="module" src="/live-list.js"></script>
/// <live-list src="/list"></live-list>
/// ```
///
/// A page with its own program imports from the same script. Alternatively, the server returns all
/// scripts below one path, and the page imports `replica.js`, which imports the others.
/// `Examples/browser-replica` documents the exports.
///
/// ```swift
/// guard let script = BrowserScript.named(name) else { return nil }
/// let headers = ["Content-Type": script.contentType, "ETag": script.entityTag]
/// return (headers, script.bytes)
/// ```
///
/// The scripts are part of the program, so there are no files to deploy. They change only with the
/// program: let browsers cache them and check the entity tag for each use (`Cache-Control:
/// no-cache`).
public struct BrowserScript: Hashable, Sendable {
    /// The file name, such as `replica.js`. Scripts import each other by this name.
    public let name: String
    /// The text, in UTF-8.
    public let bytes: [UInt8]
    /// The value for a script element's `integrity` attribute: `sha256-`, followed by the hash of
    /// the bytes in Base64.
    ///
    /// It covers only this script, not its imports. The ``bundle`` has no imports.
    public let integrity: String

    /// The value for the `Content-Type` header field.
    public var contentType: String { "text/javascript; charset=utf-8" }

    /// The value for the `ETag` header field, in quotation marks.
    ///
    /// If the `If-None-Match` field of a request contains it, the server may respond with status
    /// 304 and no body. The field may contain other tags too, and `W/` before this one if a proxy
    /// compresses responses.
    public var entityTag: String { "\"\(integrity)\"" }

    private init(_ name: String, _ bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        integrity = "sha256-\(SHA256.base64(SHA256.hash(bytes)))"
    }

    /// The script `live-list.js`, which contains everything that a page needs and has no imports.
    public static let bundle = BrowserScript(
        "live-list.js",
        ScriptBundle.joining("live-list.js", of: modules())
    )

    /// All scripts: the bundle, and the modules except the one with the bundle's name.
    public static let all: [BrowserScript] =
        [bundle] + modules().filter { $0.name != bundle.name }.map { BrowserScript($0, $1) }

    /// Returns the script with a name; `nil` if there is none.
    ///
    /// The name may be any text from a request: it is only compared with the known names, and opens
    /// no file.
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

/// A script that joins modules, each after the modules that it imports.
///
/// This is not a parser. It relies on the form of our modules, which a test checks: each import,
/// and each re-export from another module, is one line, and no two modules declare the same name at
/// the top level.
private struct ScriptBundle {
    private let modules: [String: String]
    private var joined: Set<String> = []
    private var text = ""

    /// Returns the bytes of a script with the exports of the module `name`.
    static func joining(_ name: String, of modules: [(name: String, bytes: [UInt8])]) -> [UInt8] {
        let texts = modules.map { ($0.name, String(decoding: $0.bytes, as: UTF8.self)) }
        var bundle = ScriptBundle(modules: Dictionary(uniqueKeysWithValues: texts))
        let exports = bundle.add(name)
        return Array((bundle.text + "\nexport { \(exports.joined(separator: ", ")) };\n").utf8)
    }

    private init(modules: [String: String]) { self.modules = modules }

    /// Appends a module, unless it has been appended before. Returns the names that it exports.
    private mutating func add(_ name: String) -> [Substring] {
        guard joined.insert(name).inserted, let module = modules[name] else { return [] }
        var (body, exports): (String, [Substring]) = ("// \(name)\n", [])
        for line in module.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
            let isExport = line.hasPrefix("export ")
            let words = line.split { !$0.isLetter && !$0.isNumber }
            if line.hasPrefix("import {") || line.hasPrefix("export {") {
                // For example `export { A, B } from './module.js';`
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
