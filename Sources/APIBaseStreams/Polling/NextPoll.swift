import HTTPTransport

/// The step after a response to a call that begins or asks about a long operation.
public enum NextPoll: Sendable, Hashable {
    /// The operation is over: the value is its result.
    case done
    /// The URL of the response is asked, by `GET`.
    case again(after: Duration)
    /// This URL is asked, by `GET`. A relative one is resolved against the URL of the response.
    case at(URL, after: Duration)

    /// The next poll by the head of a response, as ``PolledRequest/nextPoll(after:_:)`` has it by default.
    ///
    /// After a 2xx with `Azure-AsyncOperation`, or else with `Operation-Location`, it is the URL there, unless that is
    /// the URL of the response itself and the status is another than 202. After a 202 without them, it is the URL of
    /// `Location` (RFC 9110, section 10.2.2), or else that of the response. After anything else it is ``done``.
    ///
    /// The delay is that of `Retry-After` (section 10.2.3), at least a tenth of a second; without that header it is a
    /// second.
    public init(_ response: HTTPURLResponse) {
        guard response.goesOn else {
            self = .done
            return
        }
        let delay = max(.milliseconds(100), RetryAfter.wait(asked: ResponseHead(response)) ?? .seconds(1))
        if let named = response.namedTarget, let url = (try? response.url?.resolving(named)) ?? URL(string: named) {
            self = .at(url, after: delay)
        } else {
            self = .again(after: delay)
        }
    }
}

extension HTTPURLResponse {
    /// The URL at which the server reports on the operation, as it has named it.
    fileprivate var namedTarget: String? {
        guard 200..<300 ~= statusCode else { return nil }
        // Of a resource that was created, `Location` is its own URL.
        let names = ["Azure-AsyncOperation", "Operation-Location"] + (statusCode == 202 ? ["Location"] : [])
        return names.lazy.compactMap { self.value(forHTTPHeaderField: $0) }.first { !$0.isEmpty }
    }

    /// Whether the head says that the operation goes on. A report that names itself does not say so: asking again would
    /// not end.
    var goesOn: Bool {
        guard statusCode != 202, let namedTarget else { return statusCode == 202 }
        return (try? url?.resolving(namedTarget).absoluteString) != url?.absoluteString
    }

    /// - Throws: ``TransportError`` if the server names a URL that cannot be read. That of the response is no
    ///   replacement: it may answer with anything.
    func checkTarget() throws(TransportError) {
        guard let namedTarget, let url else { return }
        do throws(TransportError.InvalidRequest) { _ = try url.resolving(namedTarget) } catch {
            throw TransportError(phase: .redirect, reason: .invalidRedirect(error), url: url)
        }
    }
}

extension NextPoll: CustomStringConvertible, CustomReflectable {
    /// The delay, and the URL without user-info and the values of its query.
    public var description: String {
        switch self {
        case .done: "done"
        case .again(let delay): "again(after: \(delay))"
        case .at(let url, let delay): "at(\(url.redacted?.absoluteString ?? "<no URL>"), after: \(delay))"
        }
    }

    /// The mirror for `dump`: the description only.
    public var customMirror: Mirror { Mirror(self, children: ["next": description], displayStyle: .enum) }
}
