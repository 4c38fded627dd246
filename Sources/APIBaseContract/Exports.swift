@_exported public import APIBaseTesting
@_exported public import OpenAPIStubs
