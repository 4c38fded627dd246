import HTTPTransport

extension CurlSession {
    /// A session with its defaults, but for what the job says.
    convenience init(_ job: Job) {
        var configuration = Configuration()
        if let connections = job.connections {
            configuration.connectionsPerHost = connections
            configuration.connections = max(configuration.connections, connections)
        }
        if let threads = job.threads { configuration.threads = threads }
        if let authorities = job.authorities { configuration.certificateAuthorities = authorities }
        self.init(configuration: configuration)
    }
}
