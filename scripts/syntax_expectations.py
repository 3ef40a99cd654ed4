"""Writes what html5lib and tinycss2 read in shared, random and real inputs, one JSON object a line.

Arguments: the folder to write to, the number of random inputs, the seed, and perhaps a folder of real files.
"""
import json
import pathlib
import random
import re
import sys
import warnings

import html5lib
import tinycss2
from html5lib import _tokenizer, constants

warnings.simplefilter("ignore")
root, count, seed = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
pages = pathlib.Path(sys.argv[4]) if len(sys.argv) > 4 else None
rng = random.Random(seed)
KINDS = {value: key for key, value in constants.tokenTypes.items()}


def unicode(text):
    """Without halves of surrogate pairs, which are in no UTF-8."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


# HTML -----------------------------------------------------------------------------------------------------------


def canonical(tokens):
    """Tokens of html5lib as lists; text in one run."""
    result = []
    for token in tokens:
        kind = KINDS[token["type"]]
        if kind == "ParseError":
            continue
        if kind in ("Characters", "SpaceCharacters"):
            if result and result[-1][0] == "T":
                result[-1][1] += token["data"]
            else:
                result.append(["T", token["data"]])
        elif kind == "Comment":
            result.append(["C", token["data"]])
        elif kind == "Doctype":
            result.append(["D"])
        elif kind == "EndTag":
            result.append(["E", token["name"]])
        else:
            raw = token["data"]
            attributes = {}
            for name, value in raw.items() if hasattr(raw, "items") else raw:
                attributes.setdefault(name, value)
            result.append(["S", token["name"], attributes, bool(token["selfClosing"])])
    return result


def tokenize(text):
    return canonical([dict(token) for token in _tokenizer.HTMLTokenizer(text)])


def parse(text):
    """The tokens that the parser asks its tokenizer for, with the states that it sets."""
    seen = []
    plain = _tokenizer.HTMLTokenizer.__iter__

    def recording(tokenizer):
        for token in plain(tokenizer):
            copy = dict(token)
            if isinstance(copy.get("data"), list):
                copy["data"] = list(copy["data"])
            seen.append(copy)
            yield token

    _tokenizer.HTMLTokenizer.__iter__ = recording
    try:
        html5lib.HTMLParser().parse(text, scripting=True)
    finally:
        _tokenizer.HTMLTokenizer.__iter__ = plain
    return canonical(seen)


PIECES = """< > / = " ' & ; - -- ! ? [ ] ]]> <!-- --> --!> <!--> <!---> <! </ <a <b </a> </b> <p> </p> <div> </div> <a href
<a href=x> <a href="x"> <a href='y' <img src=a srcset="a 1x, b 2x"> <script> </script> <script> <!-- <script </script
<style> </style> </styl <textarea> </textarea> <title> </title> <xmp> </xmp> <noscript> </noscript> <iframe> </iframe>
<!DOCTYPE <!doctype html> PUBLIC SYSTEM "x" 'y' &amp; &amp &lt &#60; &#x3c; &#x80 &#0; &#xd800; &notit; &not &copy= &copyx
&CounterClockwiseContourIntegral; &nosuch; <br/> <br /> <input/ a=b/ a = b a="1" A='2' a \t \n \r \r\n \f x y z é 日本 😀 <3 <?php ?>
<plaintext> a="&amp;b" a=&lt; a=`x` x=> ="y" <svg> </svg> <math> </math>""".split(" ") + [" ", "\x00", "\n", " "]
PIECES = [piece.encode().decode("unicode_escape").encode("latin1").decode() if "\\" in piece else piece
          for chunk in PIECES for piece in ([chunk] if chunk.isspace() or not chunk else chunk.split("\n"))]


def random_html():
    return "".join(rng.choice(PIECES) for _ in range(rng.randrange(1, 30)))


def mutated(text):
    text = list(text)
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(text) + 1)
        choice = rng.randrange(3)
        if choice == 0:
            text[place:place + rng.randrange(4)] = []
        elif choice == 1:
            text[place:place] = list(rng.choice(PIECES))
        elif text:
            other = rng.randrange(len(text))
            text[place:place] = text[other:other + rng.randrange(12)]
    return "".join(text)


HTML_NAMES = "div span b p section a ul".split()
SVG_NAMES = "g path use a image desc title foreignObject style script text".split()
MATH_NAMES = "mi mo mrow mtext annotation-xml mglyph semantics".split()


def attributes():
    return "".join(" " + rng.choice(["a=1", "b='2'", 'c="&lt;3"', "d", "href=x", 'style="x:url(a)"'])
                   for _ in range(rng.randrange(3)))


def nested(depth, names):
    """Elements whose tags match."""
    parts = []
    for _ in range(rng.randrange(1, 4)):
        choice = rng.randrange(12)
        if depth <= 0 or choice < 2:
            parts.append(rng.choice(["text", "a &amp; b", " ", "<!-- c -->", "1 < 2"]))
        elif choice == 2 and names is HTML_NAMES:
            raw = rng.choice(["script", "style", "textarea", "title", "noscript", "iframe", "xmp"])
            parts.append(f"<{raw}{attributes()}>a<b>&amp;<!-- </{raw[:-1]} --></{raw}>")
        elif choice == 3 and names is HTML_NAMES:
            parts.append(f"<svg>{nested(depth - 1, SVG_NAMES)}</svg>")
        elif choice == 4 and names is HTML_NAMES:
            parts.append(f"<math>{nested(depth - 1, MATH_NAMES)}</math>")
        elif choice == 5 and names is not HTML_NAMES:
            parts.append("<![CDATA[ a<b>]] ]]]>")
        elif choice == 6 and names is HTML_NAMES:
            parts.append(rng.choice(["<br>", "<img src=x>", "<input>", "<hr>"]))
        elif choice == 7 and names is not HTML_NAMES:
            parts.append(f"<{rng.choice(names)}{attributes()} />")
        else:
            name = rng.choice(names)
            inner = names
            if name in ("foreignObject", "desc", "title", "mi", "mo", "mtext") and names is not HTML_NAMES:
                inner = HTML_NAMES
            if name == "annotation-xml":
                inner = SVG_NAMES if rng.random() < 0.3 else MATH_NAMES
                if inner is SVG_NAMES:
                    parts.append(f"<{name}><svg>{nested(depth - 1, SVG_NAMES)}</svg></{name}>")
                    continue
            if name == "p":
                parts.append("<p>" + rng.choice(["text", "<b>x</b>"]) + "</p>")
                continue
            if name == "a" and names is HTML_NAMES:
                parts.append("<a href=x>text</a>")
                continue
            parts.append(f"<{name}{attributes()}>{nested(depth - 1, inner)}</{name}>")
    return "".join(parts)


STATES = {"Data state": "data", "PLAINTEXT state": "plaintext", "RCDATA state": "rcdata", "RAWTEXT state": "rawText",
          "Script data state": "script", "CDATA section state": "cdata"}


def unescaped(value):
    if isinstance(value, str):
        return re.sub(r"\\u([0-9A-Fa-f]{4})", lambda match: chr(int(match[1], 16)), value)
    if isinstance(value, list):
        return [unescaped(item) for item in value]
    if isinstance(value, dict):
        return {unescaped(key): unescaped(item) for key, item in value.items()}
    return value


def shared_tests(folder):
    """The tests that readers of HTML share: html5lib-tests."""
    for file in sorted(folder.glob("*.test")):
        for test in json.loads(file.read_text()).get("tests", []):
            source, output = test["input"], test["output"]
            if test.get("doubleEscaped"):
                source, output = unescaped(source), unescaped(output)
            if any("\ud800" <= c <= "\udfff" for c in source):
                continue
            tokens = []
            for token in output:
                if token == "ParseError":
                    continue
                kind = token[0]
                if kind == "Character":
                    if tokens and tokens[-1][0] == "T":
                        tokens[-1][1] += token[1]
                    else:
                        tokens.append(["T", token[1]])
                elif kind == "Comment":
                    tokens.append(["C", token[1]])
                elif kind == "DOCTYPE":
                    tokens.append(["D"])
                elif kind == "StartTag":
                    tokens.append(["S", token[1], token[2], len(token) > 3])
                else:
                    tokens.append(["E", token[1]])
            for state in test.get("initialStates", ["Data state"]):
                if state in STATES:
                    yield {"name": f"{file.name}: {test['description']}", "source": source, "state": STATES[state],
                           "end": test.get("lastStartTag", ""), "tokens": tokens}


# CSS ------------------------------------------------------------------------------------------------------------


def flat(nodes, out):
    """Nodes of tinycss2 as tokens, without what closes a block: at the end of the source it may be missing."""
    for node in nodes:
        kind = node.type
        if kind == "comment" or kind == "error":
            if kind == "error" and node.kind in ("bad-string", "bad-url"):
                out.append([node.kind])
        elif kind == "whitespace":
            out.append(["space"])
        elif kind in ("ident", "at-keyword", "string", "url", "hash"):
            out.append([kind, unicode(node.value)])
        elif kind == "function":
            out.append([kind, unicode(node.name)])
            flat(node.arguments, out)
        elif kind in ("() block", "[] block", "{} block"):
            out.append(["delim", kind[0]])
            flat(node.content, out)
        elif kind in ("number", "percentage"):
            out.append([kind, node.representation])
        elif kind == "dimension":
            out.append([kind, node.representation, unicode(node.unit)])
        elif kind == "literal" and node.value not in ("<!--", "-->"):
            out.extend(["delim", character] for character in node.value)
        elif kind == "literal":
            out.append(["delim", node.value])
        else:
            raise ValueError(kind)
    return out


def css(text):
    return flat(tinycss2.parse_component_value_list(text), [])


CSS_PIECES = ["@import", "@media", "@font-face", "url(", "URL(", "u\\72l(", ")", "(", "{", "}", "[", "]", ";", ":", ",", '"', "'",
              '"a"', "'b\\'c'", "url(a.png)", "url( 'a' )", 'url("b" )', "url(a b)", "url(a\\)b)", "image-set(", "\\", "\\\n", "\n", " ",
              "\t", "\f", "\r\n", "/*", "*/", "/* c */", "/", "*", "<!--", "-->", "--x", "-", "+", ".", "1", "1.5e3", "+.5", "-1px",
              "10%", "#id", "#", "#1a", "a", "src", "é", "😀", "\\26 B", "\\110000", "\\0", "!", "important", "@", "~=", "|", "$", "\x00",
              "\x01", "\\d800 ", "_", "1e", "e5", "-\\2d", "--"]


def is_fair(text):
    """The unicode-range token is no part of css-syntax-3 any more; tinycss2 takes an escaped line end into a URL."""
    return not re.search(r"[uU]\+", text) and not ("(" in text and re.search(r"\\[\n\r\f]", text))


def random_css():
    while True:
        text = "".join(rng.choice(CSS_PIECES) for _ in range(rng.randrange(1, 25)))
        if is_fair(text):
            return text


# Files ----------------------------------------------------------------------------------------------------------


def write(name, rows):
    number = 0
    with open(root / name, "w") as file:
        for row in rows:
            file.write(json.dumps(row) + "\n")
            number += 1
    print(f"{name}: {number} inputs")


def real(*suffixes, most=400_000):
    if not pages:
        return
    for file in sorted(path for suffix in suffixes for path in pages.rglob("*" + suffix)):
        if file.is_file() and file.stat().st_size <= most:
            try:
                yield str(file.relative_to(pages)), file.read_text("utf-8")
            except UnicodeDecodeError:
                continue


def html_rows():
    inputs = [("random", random_html()) for _ in range(count)]
    inputs += [("mutated", mutated(nested(3, HTML_NAMES))) for _ in range(count)]
    inputs += list(real(".html", ".htm"))
    for name, text in inputs:
        yield {"name": name, "source": text, "state": "data", "end": "", "tokens": tokenize(text)}


def tree_rows():
    inputs = [("nested", "<!doctype html><body>" + nested(5, HTML_NAMES)) for _ in range(count)]
    inputs += list(real(".html", ".htm", ".svg"))
    for name, text in inputs:
        yield {"name": name, "source": text, "tokens": parse(text)}


def css_rows():
    inputs = [("random", random_css()) for _ in range(2 * count)]
    inputs += list(real(".css", most=150_000))
    for name, text in inputs:
        if is_fair(text):
            yield {"name": name, "source": text, "tokens": css(text)}


write("html-shared.jsonl", shared_tests(
    pathlib.Path(sys.argv[5]) if len(sys.argv) > 5 else next(root.glob("html5lib-*/html5lib/tests/testdata/tokenizer"))))
write("html-tokens.jsonl", html_rows())
write("html-tree.jsonl", tree_rows())
write("css.jsonl", css_rows())
