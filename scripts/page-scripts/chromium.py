#!/usr/bin/env python3
"""Opens pages of web-platform-tests in Chromium without a window, and prints what their tests say.

    chromium.py [SCRIPT] < URLS > RESULTS

Each line of RESULTS is JSON: {"url", "status", "tests": {name: passed}}. SCRIPT runs at the start of every document, in all frames
of the process. The pages have to leave their results as scripts/transparency's testharnessreport.js does. Certificates are not
looked at: only pages on loopback are meant."""
import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import time

PROGRAM = "/usr/bin/chromium"
LIMIT = 30
FLAGS = [
    "--headless=new", "--no-sandbox", "--remote-debugging-pipe", "--ignore-certificate-errors", "--disable-popup-blocking",
    "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-gpu",
    # Frames of other sites are then in the page's process, where the script runs too.
    "--disable-site-isolation-trials", "--disable-features=IsolateOrigins,site-per-process",
]
ASK = "(async () => await (self[Symbol.for('results')] || 'none'))()"


class Ended(Exception):
    """The browser has ended."""


class Late(Exception):
    """No answer in time."""


class Browser:
    """Over the DevTools protocol: JSON ended by a zero byte, on descriptors 3 and 4."""

    def __init__(self, flags=FLAGS, folder=None):
        """`folder` holds cookies and the disk cache, and stays; without it there is one that goes."""
        self.folder, self.stays = folder or tempfile.mkdtemp(), folder is not None
        to_browser, self.writing = os.pipe()
        self.reading, from_browser = os.pipe()
        command = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", command, "bash", PROGRAM, *flags, f"--user-data-dir={self.folder}", "about:blank"],
            pass_fds=(to_browser, from_browser), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.unread, self.calls, self.events = b"", 0, []

    def message(self, deadline):
        while b"\0" not in self.unread:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.reading], [], [], left)[0]:
                raise Late()
            more = os.read(self.reading, 1 << 20)
            if not more:
                raise Ended()
            self.unread += more
        line, _, self.unread = self.unread.partition(b"\0")
        return json.loads(line)

    def call(self, method, parameters=None, session=None, deadline=None):
        deadline = deadline or time.monotonic() + LIMIT
        self.calls += 1
        request = {"id": self.calls, "method": method, "params": parameters or {}}
        if session:
            request["sessionId"] = session
        try:
            os.write(self.writing, json.dumps(request).encode() + b"\0")
        except BrokenPipeError:
            raise Ended() from None
        while True:
            answer = self.message(deadline)
            if answer.get("id") == request["id"]:
                return answer.get("result"), answer.get("error")
            if "method" in answer:
                self.events.append((answer["method"], answer.get("sessionId")))

    def wait(self, event, session, deadline):
        while (event, session) not in self.events:
            answer = self.message(deadline)
            if "method" in answer:
                self.events.append((answer["method"], answer.get("sessionId")))
        self.events.clear()

    def results(self, url, script):
        context = self.call("Target.createBrowserContext")[0]["browserContextId"]
        try:
            target = self.call("Target.createTarget", {"url": "about:blank", "browserContextId": context})[0]["targetId"]
            session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})[0]["sessionId"]
            self.call("Page.enable", session=session)
            if script:
                self.call("Page.addScriptToEvaluateOnNewDocument", {"source": script}, session)
            self.events.clear()
            deadline = time.monotonic() + LIMIT
            self.call("Page.navigate", {"url": url}, session, deadline)
            self.wait("Page.loadEventFired", session, deadline)
            while True:
                asked = {"expression": ASK, "awaitPromise": True, "returnByValue": True}
                answer, error = self.call("Runtime.evaluate", asked, session, deadline)
                text = None if error else answer["result"].get("value")
                if text is not None and text != "none":
                    return json.loads(text)
                if error is None:
                    return {"status": "late", "tests": {}, "message": "no results"}
                # The page has gone to another document, or loaded itself again.
        except Late:
            return {"status": "late", "tests": {}}
        finally:
            self.call("Target.disposeBrowserContext", {"browserContextId": context})

    def end(self):
        self.process.kill()
        self.process.wait()
        os.close(self.writing)
        os.close(self.reading)
        if not self.stays:
            shutil.rmtree(self.folder, ignore_errors=True)


def main():
    script = open(sys.argv[1], encoding="utf-8").read() if len(sys.argv) > 1 else None
    browser = None
    for url in [line.strip() for line in sys.stdin if line.strip()]:
        browser = browser or Browser()
        try:
            result = browser.results(url, script)
        except (Ended, Late):
            result = {"status": "crashed", "tests": {}}
            browser.end()
            browser = None
        print(json.dumps({"url": url} | result), flush=True)
    if browser:
        browser.end()


if __name__ == "__main__":
    main()
