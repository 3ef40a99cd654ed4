#!/usr/bin/env python3
"""Opens pages of web-platform-tests in a session of Larder's web view, and prints what their tests say.

    session.py PROGRAM MODE CERTIFICATE < URLS > RESULTS

PROGRAM is larder-webview-testhost, MODE none, appScheme or httpsScheme, CERTIFICATE what the server presents. Each line of
RESULTS is JSON: {"url", "status", "tests": {name: passed}}. The pages have to leave their results as
scripts/transparency's testharnessreport.js does. Needs a display."""
import json
import os
import shutil
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from web_view_session import Session, SessionEnded  # noqa: E402

LIMIT = 30
program, mode, certificate = sys.argv[1:]
with open(certificate) as file:
    trusted = [{"host": host, "certificatePEM": file.read()} for host in ["localhost"]]
    trusted += [{"host": "127.0.0.1", "certificatePEM": trusted[0]["certificatePEM"]}]
VIEW = {"width": 800, "height": 600, "quietMilliseconds": 20, "pendingLimitMilliseconds": 50, "timeoutSeconds": LIMIT,
        "scriptTimeoutSeconds": LIMIT, "trusted": trusted}
# The page may have loaded itself again.
ASK = "return await (window[Symbol.for('results')] || 'none');"


def results(session, url):
    opened = session.perform({"open": {"url": url}}, 2 * LIMIT)
    if opened.get("webProcessTerminated"):
        return {"status": "crashed", "tests": {}}
    if opened.get("loadError"):
        return {"status": "not loaded", "tests": {}, "message": str(opened["loadError"])}
    said = session.perform({"run": {"script": ASK}}, 2 * LIMIT)
    text = json.loads(said.get("scriptResult") or "null")
    if text is None or text == "none":
        return {"status": "late", "tests": {}, "message": said.get("scriptError") or "no results"}
    return json.loads(text)


folder = tempfile.mkdtemp()
session = None
try:
    for number, url in enumerate(line.strip() for line in sys.stdin if line.strip()):
        try:
            if session is None:
                store = os.path.join(folder, str(number))
                session = Session(program, Session.request(mode, VIEW, store, certificate))
            result = results(session, url)
        except SessionEnded as error:
            result = {"status": "crashed", "tests": {}, "message": str(error)}
        print(json.dumps({"url": url} | result), flush=True)
        if result["status"] in ("crashed", "late"):
            session.kill()
            session = None
    if session is not None:
        session.end()
finally:
    shutil.rmtree(folder, ignore_errors=True)
