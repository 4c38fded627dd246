@_exported public import APIBaseStubs
@_exported public import OpenAPIDocument
