/// The content codings that URLSession takes off unasked.
package enum URLSessionCodings {
    /// gzip and deflate since ever, br since iOS 11 and macOS 10.13. Not verified on a device.
    package static let decoded: Set<String> = ["gzip", "deflate", "br"]
}
