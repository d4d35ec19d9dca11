import CollectionPipeline
import ServiceLifecycle

/// Closes a controller when its group shuts down, and ends when everything accepted is in the view, or time is up.
struct ControllerService<Source: CollectionDataSource>: Service {
    let controller: DataController<Source>
    var drainingTimeout = Duration.seconds(10)

    func run() async {
        await cancelWhenGracefulShutdown { await controller.run(drainingTimeout: drainingTimeout) }
    }
}
