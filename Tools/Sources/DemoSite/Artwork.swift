import CDemoFiles

/// The pictures, the font and the film of the sample site: the files in Sources/CDemoFiles/Files.
enum Artwork {
    /// Names of the product pictures, in catalogue order.
    static let products = ["tomato", "carrot", "avocado", "lemon", "bread", "cheese", "blueberry", "aubergine"]

    /// The pictures as PNG by file name, such as `tomato@2x.png`.
    static let pngs = files.filter { $0.key.hasSuffix(".png") && $0.key != "garden.png" }

    /// A TrueType font of large pixels.
    static let font = files["pantry.ttf"] ?? []
    static let fontFamily = "Pantry Block"

    /// The film of the start page: plants that grow for three seconds.
    ///
    /// PNG in QuickTime: WebKitGTK plays that with GStreamer's "good" plug-ins alone, seeking included. Other engines
    /// may not; the page then keeps the still.
    static let film = files["garden.mov"] ?? []
    /// `Content-Type` of ``film``.
    static let filmType = "video/quicktime"
    /// Where the film is served, without the extension, which is `.mov`; its first frame is beside it as `.png`.
    static let filmStem = "/film/garden"
    /// The first frame of the film as PNG.
    static let still = files["garden.png"] ?? []

    private static let files: [String: [UInt8]] = {
        var (files, index) = ([String: [UInt8]](), 0)
        while let file = larder_demo_file(index)?.pointee {
            files[String(cString: file.name)] = Array(UnsafeBufferPointer(start: file.bytes, count: file.count))
            index += 1
        }
        return files
    }()
}
