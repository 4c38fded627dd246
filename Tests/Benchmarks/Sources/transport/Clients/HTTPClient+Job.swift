import AsyncHTTPClient
import NIOSSL

extension HTTPClient {
    /// A client with its defaults, but for what the job says.
    convenience init(_ job: Job) {
        var configuration = HTTPClient.Configuration()
        if let connections = job.connections {
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
        }
        if let authorities = job.authorities {
            var tls = TLSConfiguration.makeClientConfiguration()
            tls.trustRoots = .file(authorities.path)
            configuration.tlsConfiguration = tls
        }
        self.init(configuration: configuration)
    }
}
