import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URLSession {
    /// A session with its defaults, but for what the job says.
    static func ephemeral(for job: Job) -> URLSession {
        let configuration = URLSessionConfiguration.ephemeral
        if let connections = job.connections { configuration.httpMaximumConnectionsPerHost = connections }
        return URLSession(configuration: configuration)
    }
}
