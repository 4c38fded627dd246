@_exported public import APIBaseModels
@_exported public import APIBaseRedaction
@_exported public import Foundation
@_exported public import HTTPTransport
@_exported public import PortableCombine

#if canImport(FoundationNetworking)
@_exported public import FoundationNetworking
#endif
