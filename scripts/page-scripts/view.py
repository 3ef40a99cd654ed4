#!/usr/bin/python3
"""Opens pages of web-platform-tests in WebKitGTK, one after the other, and prints what their tests say.

    view.py [SCRIPT] < URLS > RESULTS

Each line of RESULTS is JSON: {"url", "status", "tests": {name: passed}}. SCRIPT runs at the start of every document, in
all frames. Needs Debian's python3-gi and gir1.2-webkit2-4.1, and a display."""
import json
import sys

import gi
gi.require_version("Gtk", "3.0")
gi.require_version("WebKit2", "4.1")
from gi.repository import GLib, Gtk, WebKit2  # noqa: E402

LIMIT = 30
REPORT = """
(() => {
  const tell = text => webkit.messageHandlers.done.postMessage(text);
  if (!self.add_completion_callback) return;
  add_completion_callback((tests, status) => {
    const names = {}, messages = {};
    for (const test of tests) {
      let name = test.name, count = 1;
      while (name in names) name = `${test.name} (${++count})`;
      names[name] = test.status === 0;
      if (test.status !== 0) messages[name] = test.message;
    }
    tell(JSON.stringify({status: status.status, tests: names, messages, message: status.message}));
  });
})();
"""


class Runner:
    def __init__(self, script, urls):
        self.urls = list(reversed(urls))
        self.context = WebKit2.WebContext.new_ephemeral()
        self.context.get_website_data_manager().set_tls_errors_policy(WebKit2.TLSErrorsPolicy.IGNORE)
        self.script = script
        self.view = None
        self.timer = None
        self.next()

    def open_view(self):
        content = WebKit2.UserContentManager()
        content.register_script_message_handler("done")
        content.connect("script-message-received::done", self.done)
        if self.script:
            content.add_script(WebKit2.UserScript.new(
                self.script, WebKit2.UserContentInjectedFrames.ALL_FRAMES,
                WebKit2.UserScriptInjectionTime.START, None, None))
        content.add_script(WebKit2.UserScript.new(
            REPORT, WebKit2.UserContentInjectedFrames.TOP_FRAME, WebKit2.UserScriptInjectionTime.END, None, None))
        self.view = WebKit2.WebView(web_context=self.context, user_content_manager=content)
        settings = self.view.get_settings()
        settings.set_javascript_can_open_windows_automatically(True)
        self.view.connect("web-process-terminated", lambda *_: self.finish({"status": "crashed", "tests": {}}))
        self.window = Gtk.Window()
        self.window.set_default_size(800, 600)
        self.window.add(self.view)
        self.window.show_all()

    def next(self):
        if not self.urls:
            Gtk.main_quit() if Gtk.main_level() else sys.exit(0)
            return False
        self.url = self.urls.pop()
        if self.view is not None:
            self.window.destroy()
        self.open_view()
        self.timer = GLib.timeout_add_seconds(LIMIT, self.late)
        self.view.load_uri(self.url)
        return False

    def late(self):
        self.timer = None
        self.finish({"status": "late", "tests": {}})
        return False

    def done(self, _, result):
        self.finish(json.loads(result.get_js_value().to_string()))

    def finish(self, result):
        if self.url is None:
            return
        result["url"], self.url = self.url, None
        print(json.dumps(result), flush=True)
        if self.timer:
            GLib.source_remove(self.timer)
            self.timer = None
        GLib.idle_add(self.next)


script = open(sys.argv[1]).read() if len(sys.argv) > 1 else None
runner = Runner(script, [line.strip() for line in sys.stdin if line.strip()])
Gtk.main()
