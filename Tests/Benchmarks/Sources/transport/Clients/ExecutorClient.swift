/// A client of the kit whose tasks run on the threads of its session.
struct ExecutorClient<Base: KitTaskClient>: Client {
    private let base: Base

    init(_ base: Base) { self.base = base }

    func run(_ count: Int) async -> Int {
        guard #available(macOS 15, *) else { return await base.run(count) }
        return await withTaskExecutorPreference(base.kit.executor) { await base.run(count) }
    }

    func close() async { await base.close() }
}

/// A client that awaits the kit's calls.
protocol KitTaskClient: TaskClient {
    var kit: Kit { get }
}
