import APIBaseKit
import Foundation
import HTTPTransport
import JSONPlaceholder

/// The kit's calls for a job, on the kit's default session where the job asks for nothing else.
struct Kit: Sendable {
    private let base: URL
    private let path: String
    /// nil for the default session.
    private let session: CurlSession?

    init(_ job: Job) {
        base = job.url.deletingLastPathComponent()
        path = "/" + job.url.lastPathComponent
        session = job.isDefault ? nil : CurlSession(job)
    }

    /// The call that decodes nothing.
    var body: BodyRequest { prepared(BodyRequest()) }

    /// The call that makes models.
    var users: UsersRequest { prepared(UsersRequest()) }

    /// The executor of the session.
    @available(macOS 15, *)
    var executor: (any TaskExecutor)? { session?.executor ?? DefaultSession.shared.executor }

    func close() async { await session?.shutdown() }

    private func prepared<Call: APIBase>(_ call: Call) -> Call {
        call.baseURL = base
        call.path = path
        if let session { call.session = session }
        return call
    }
}
