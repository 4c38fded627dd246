import APIBaseKit

/// The kit through its publisher, with both validations, without decoding.
struct StartClient: CallbackClient {
    let job: Job
    private let kit: Kit

    init(_ job: Job) {
        self.job = job
        kit = Kit(job)
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        kit.body.start().subscribe(Reader({ $0.count == job.length }, done))
    }

    func close() async { await kit.close() }
}
