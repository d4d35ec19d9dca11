import CollectionPublishing
import Foundation
import Logging

/// The files of the page, read once: those of a folder, and the replica for browsers that the library's example has.
struct Assets: Sendable {
    struct Asset: Sendable {
        let type: String
        let bytes: [UInt8]
        /// In quotes, as a header has it.
        let tag: String
    }

    private let assets: [String: Asset]

    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8",
        "js": "text/javascript; charset=utf-8", "mjs": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "png": "image/png", "ico": "image/x-icon",
        "json": "application/json", "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    ]

    /// - Parameter page: a folder; nil for the one beside the sources, wherever the program was started.
    init(page: String?, logger: Logger) {
        let example = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = page.map { URL(fileURLWithPath: $0) } ?? example.appendingPathComponent("Page")
        var assets: [String: Asset] = [:]
        let others = example.deletingLastPathComponent().appendingPathComponent("browser-replica")
        // The scripts of the replica are not this example's own; what else is beside them is no page's.
        let scripts = Self.files(in: others).filter { $0.pathExtension == "js" }
        for file in scripts + Self.files(in: folder) {
            guard let type = Self.types[file.pathExtension], let data = try? Data(contentsOf: file)
            else { continue }
            let bytes = [UInt8](data)
            let tag = "\"\(PublishedPayload(bytes).digest)\""
            assets[file.lastPathComponent] = Asset(type: type, bytes: bytes, tag: tag)
        }
        if assets["index.html"] == nil {
            logger.warning("there is no page in \(folder.path): only lists are served")
        }
        self.assets = assets
    }

    private static func files(in folder: URL) -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.sorted().map { folder.appendingPathComponent($0) }
    }

    func asset(_ name: String) throws(RequestFault) -> Asset {
        guard let asset = assets[name] else { throw .notFound("file") }
        return asset
    }
}
