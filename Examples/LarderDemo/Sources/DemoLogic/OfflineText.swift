import LarderKit

/// The page that is shown for a document that can't be had.
public enum OfflineText {
    public static let page = OfflinePage(Array(html.utf8))

    static let html = """
        <!doctype html><meta charset=utf-8><meta name=viewport content="width=device-width"><title>Offline</title>
        <style>body{font:17px/1.5 -apple-system,sans-serif;margin:20vh auto;max-width:30em;padding:0 1.5em}</style>
        <h1>Offline</h1><p>This page is not stored, and there is no network. <a href="">Try again</a></p>
        """
}
