/// What is shown in place of a page whose process has ended, and that is not loaded again.
public enum ErrorPage {
    package static let html = """
        <!doctype html><meta charset=utf-8><meta name=color-scheme content="light dark"><meta name=viewport content="width=device-width">
        <title>This page has stopped</title>
        <style>body{font:17px/1.5 system-ui,sans-serif;max-width:32em;margin:20vh auto;padding:0 1.5em;color:#222}
        @media(prefers-color-scheme:dark){body{background:#1c1c1e;color:#eee}}</style>
        <h1>This page has stopped</h1>
        <p>It ended by itself, and was not loaded again. Try again later, or go back.</p>
        """
}
