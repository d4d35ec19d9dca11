import Foundation
import SimulatedView

let isHelp = CommandLine.arguments.dropFirst() == ["--help"]
if CommandLine.arguments.count > 1 {
    let stream = isHelp ? FileHandle.standardOutput : FileHandle.standardError
    stream.write(Data("Usage: hello-pipeline\nIt takes no arguments.\n".utf8))
    exit(isHelp ? 0 : 2)
}

/// A node that shows the text of a post, as high as its lines at a given width.
final class PostNode: CollectionNode {
    let text: String
    init(_ text: String) { self.text = text }
    func measure(in range: SizeRange) -> Size {
        let lines = (Double(text.count) / range.maximum.width).rounded(.up)
        return Size(width: range.maximum.width, height: lines)
    }
}

/// The model. It is confined to the controller's main lane, so it needs no lock.
final class Feed: CollectionDataSource {
    var posts = ["Hello, pipeline."]
    func numberOfItems(inSection section: Int) -> Int { posts.count }
    func nodeProvider(forItemAt path: ItemPath) -> NodeProvider {
        let text = posts[path.item]
        return { PostNode(text) }  // runs on a worker
    }
    func model(forItemAt path: ItemPath) -> (any Sendable)? { posts[path.item] }
}

let view = SimulatedCollectionView(size: Size(width: 40, height: 10))
let controller = DataController(dataSource: Feed(), view: view)
try await controller.reloadData()  // returns when it is deployed
try await controller.performBatchUpdates { feed, changes in
    feed.posts.insert("Change sets are validated, measured on workers, and deployed.", at: 0)
    changes.insertItems(at: [ItemPath(section: 0, item: 0)], animation: .fade)
}
for item in controller.visibleMap.items {
    let node = try await item.element.node as? PostNode
    print("\(item.path)  \(item.content.size?.height ?? 0) lines  \(node?.text ?? "")")
}
await controller.close()
