import CWebKitGTK
import WebVisit

extension WebPage {
    /// The outcome of taking a picture.
    enum SnapshotOutcome: Sendable {
        case taken(Screenshot)
        case failed(String)
    }

    /// Paints the visible part of the page into a PNG file.
    func snapshot(to path: String, within limit: Duration) async -> SnapshotOutcome {
        let picture = await paint(within: limit)
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

    /// Whether every pixel has the same colour; `nil` if nobody can tell.
    func isBlank(within limit: Duration) async -> Bool? {
        guard let surface = await paint(within: limit).surface else { return nil }
        defer { cairo_surface_destroy(surface) }
        return Self.isUniform(surface)
    }

    /// Whether a page that shows one colour has elements, which draw nothing; `nil` if it shows something, or nobody
    /// can tell.
    func hasElementsWhereBlank(within limit: Duration) async -> Bool? {
        let picture = await paint(within: limit)
        defer { if let surface = picture.surface { cairo_surface_destroy(surface) } }
        let pixels = picture.surface.map { Self.sample($0) } ?? []
        var children: Int?
        let question = "return document.body ? document.body.childElementCount : 0"
        if case .returned(let text) = await run(question, in: PageObservation.world, within: limit) {
            children = Int(text)
        }
        let hasElements = BlankPicture.hasElements(pixels: pixels, bodyChildCount: children)
        guard hasElements == true else { return hasElements }
        // A word or two are fewer pixels than the sample shows.
        return picture.surface.map { Self.isUniform($0) } == true ? true : nil
    }

    private func paint(within limit: Duration) async -> Picture {
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
        return picture ?? Picture(surface: nil, failure: "not in time.")
    }

    /// A surface on its way from the callback to the waiting function, both on the main thread, hence unchecked.
    private struct Picture: @unchecked Sendable {
        let surface: OpaquePointer?
        let failure: String
    }

    /// Whether every pixel has the same colour.
    private static func isUniform(_ surface: OpaquePointer) -> Bool {
        guard let pixels = Pixels(surface), pixels.count > 0 else { return true }
        let first = pixels[0]
        return (0..<pixels.count).allSatisfy { pixels[$0] == first }
    }

    /// About 4,000 pixels, spread evenly; all of a small picture.
    private static func sample(_ surface: OpaquePointer) -> [UInt32] {
        guard let pixels = Pixels(surface) else { return [] }
        // An odd step meets other columns in each row.
        let step = max(1, pixels.count / 4_096) | 1
        return stride(from: 0, to: pixels.count, by: step).map { pixels[$0] }
    }

    /// The pixels of a surface, row by row. Snapshots have 32 bits a pixel, of which 24 are colour on an opaque page.
    private struct Pixels {
        private let bytes: UnsafeRawBufferPointer
        private let (width, stride): (Int, Int)
        let count: Int

        /// - Parameter surface: Must live as long as this.
        init?(_ surface: OpaquePointer) {
            cairo_surface_flush(surface)
            let height = Int(cairo_image_surface_get_height(surface))
            width = Int(cairo_image_surface_get_width(surface))
            stride = Int(cairo_image_surface_get_stride(surface))
            guard width > 0, height > 0, stride >= width * 4, let start = cairo_image_surface_get_data(surface) else {
                return nil
            }
            bytes = UnsafeRawBufferPointer(start: start, count: stride * height)
            count = width * height
        }

        subscript(_ place: Int) -> UInt32 {
            let (row, column) = place.quotientAndRemainder(dividingBy: width)
            return bytes.loadUnaligned(fromByteOffset: row * stride + column * 4, as: UInt32.self) & 0x00FF_FFFF
        }
    }
}
