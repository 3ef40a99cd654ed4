import CWebKitGTK
import WebVisit

extension WebPage {
    /// What taking a picture came to.
    enum SnapshotOutcome: Sendable {
        case taken(Screenshot)
        case failed(String)
    }

    /// Paints the visible part of the page into a PNG file.
    func snapshot(to path: String, within limit: Duration) async -> SnapshotOutcome {
        let picture = await Reply<Picture>.first(within: limit) { reply in
            webkit_web_view_get_snapshot(
                view, WEBKIT_SNAPSHOT_REGION_VISIBLE, WEBKIT_SNAPSHOT_OPTIONS_NONE, nil,
                { source, result, data in
                    var error: UnsafeMutablePointer<GError>?
                    let surface = webkit_web_view_get_snapshot_finish(
                        source?.cast(to: WebKitWebView.self), result, &error)
                    let picture = Picture(surface: surface, failure: surface == nil ? String(taking: error) : "")
                    Reply<Picture>.take(data) { $0.resolve(picture) }
                }, reply.retainedForCallback())
        }
        guard let picture else { return .failed("The picture was not painted in time.") }
        guard let surface = picture.surface else { return .failed("The picture was not painted: \(picture.failure)") }
        defer { cairo_surface_destroy(surface) }
        let status = cairo_surface_write_to_png(surface, path)
        guard status == CAIRO_STATUS_SUCCESS else {
            let reason = String(copying: cairo_status_to_string(status)) ?? ""
            return .failed("The picture cannot be written to '\(path)': \(reason).")
        }
        return .taken(
            Screenshot(
                path: path, width: Int(cairo_image_surface_get_width(surface)),
                height: Int(cairo_image_surface_get_height(surface)), uniform: Self.isUniform(surface)))
    }

    /// A surface on its way from the callback to the waiting function, both on the main thread, hence unchecked.
    private struct Picture: @unchecked Sendable {
        let surface: OpaquePointer?
        let failure: String
    }

    /// Whether every pixel has the same colour. Snapshots have 32 bits a pixel, of which 24 are colour on a page that
    /// is opaque.
    private static func isUniform(_ surface: OpaquePointer) -> Bool {
        cairo_surface_flush(surface)
        let width = Int(cairo_image_surface_get_width(surface))
        let height = Int(cairo_image_surface_get_height(surface))
        let stride = Int(cairo_image_surface_get_stride(surface))
        guard width > 0, height > 0, stride >= width * 4, let start = cairo_image_surface_get_data(surface) else {
            return true
        }
        let bytes = UnsafeRawBufferPointer(start: start, count: stride * height)
        let colour = { (offset: Int) in bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self) & 0x00FF_FFFF }
        let first = colour(0)
        return (0..<height).allSatisfy { row in
            (0..<width).allSatisfy { column in colour(row * stride + column * 4) == first }
        }
    }
}
