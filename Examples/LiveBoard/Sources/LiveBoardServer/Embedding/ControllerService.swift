import CollectionPipeline
import ServiceLifecycle

/// Closes a controller when its group shuts down: what was accepted is deployed first, or time is up; then readers are
/// told that nothing comes any more.
///
/// In a group it stands before whoever edits the list, since services shut down in reverse order.
struct ControllerService<Source: CollectionDataSource>: Service {
    let controller: DataController<Source>
    var drainingTimeout = Duration.seconds(10)

    func run() async {
        await cancelWhenGracefulShutdown { await controller.run(drainingTimeout: drainingTimeout) }
    }
}
