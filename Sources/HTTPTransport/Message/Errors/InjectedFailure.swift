import Foundation

/// An error that a stub was given, on its way through a session: the ``TransportError/underlying`` of an exchange that
/// never reached a network. `APIBase` hands it out as it is.
package struct InjectedFailure: LocalizedError {
    package let error: any Error

    package init(_ error: any Error) {
        self.error = error
    }

    package var errorDescription: String? { error.localizedDescription }
}
