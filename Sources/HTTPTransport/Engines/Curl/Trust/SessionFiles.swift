#if os(Linux) || os(Android)
import CCurl

/// The files of a session that are read anew when they change; nil where there are none, or where libcurl reads them.
struct SessionFiles: Sendable {
    let identity: RenewedFiles?
    let authorities: RenewedFiles?
}

extension SessionFiles {
    init(_ configuration: CurlSession.Configuration, report: @escaping @Sendable (CurlSession.FileChange) -> Void) {
        identity = configuration.identity.flatMap { identity in
            guard ccurl_has_cert_blobs() else { return nil }
            return RenewedFiles(
                "identity",
                [identity.certificate] + (identity.key.map { [$0] } ?? []),
                check: { parts in
                    guard let certificate = parts.first, let key = parts.last else { return "there are no files" }
                    return PEMText.problem(with: certificate, key: key, password: identity.password)
                },
                report: report
            )
        }
        authorities = configuration.certificateAuthorities.flatMap { file in
            guard ccurl_has_authority_blob() else { return nil }
            return RenewedFiles(
                "certificateAuthorities",
                [file],
                check: { $0.first.flatMap(PEMText.problem(with:)) },
                report: report
            )
        }
    }
}
#endif
