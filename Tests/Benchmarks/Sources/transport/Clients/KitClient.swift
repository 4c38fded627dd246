import APIBaseKit

/// The kit through its publisher, with both validations, and with a response of Foundation's, without decoding.
struct KitClient: CallbackClient {
    let job: Job
    private let kit: Kit

    init(_ job: Job) {
        self.job = job
        kit = Kit(job)
    }

    func send(_ done: @escaping @Sendable (Bool) -> Void) {
        let length = job.length
        kit.body.sendRequest().subscribe(Reader({ $0.data.count == length }, done))
    }

    func close() async { await kit.close() }
}
