import APIBaseKit

/// The kit through its publisher, decoded.
struct KitDecodedClient: CallbackClient {
    let job: Job
    private let kit: Kit

    init(_ job: Job) {
        self.job = job
        kit = Kit(job)
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        kit.users.start().subscribe(Reader({ $0.count == Users.count }, done))
    }

    func close() async { await kit.close() }
}
