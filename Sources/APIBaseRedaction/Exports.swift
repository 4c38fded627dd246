@_exported public import Foundation
@_exported public import HTTPTransport

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
