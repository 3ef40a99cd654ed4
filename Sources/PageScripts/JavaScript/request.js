// `Request`: remembers a body with files, which WebKit 2.50 can't give back of a Request.

const contents = new WeakMap(), plainContents = new WeakMap();

/// The content with files that a request was made with, if `input` is one.
const keptContent = input => isRequest(input) ? weakGet(contents, input) : undefined;

/// Whether a Request was made with content that native code can read: its page may be gone before a script has read it.
const hasPlainContent = input => isRequest(input) && weakGet(plainContents, input) === true;
const isPlainContent = body => typeof body === 'string' || isParameters(body) || isBuffer(body) || isView(body);

/// `init` whose members are read once each, by the native, in its order; `seen` has what it read of some.
const watched = (init, seen) => {
  if (init === null || typeof init !== 'object' && typeof init !== 'function') return init;
  return new Proxy({__proto__: null}, {
    __proto__: null,
    get: (_, name) => {
      const value = init[name];
      if (name in seen) seen[name] = value;
      return value;
    },
  });
};

replaceConstructor(self, 'Request', (native, values, target) => {
  const seen = {__proto__: null, body: undefined};
  if (values.length > 1) values[1] = watched(values[1], seen);
  const kept = keptContent(argument(values, 0)), wasPlain = hasPlainContent(argument(values, 0));
  const request = construct(native, values, target), isGiven = (seen.body ?? null) !== null;
  const content = isGiven ? sentApart(seen.body) : kept;
  if (content) weakSet(contents, request, content);
  else if (isGiven ? isPlainContent(seen.body) : wasPlain) weakSet(plainContents, request, true);
  return request;
});

replace(Request.prototype, 'clone', (native, receiver, values) => {
  const copy = apply(native, receiver, values), content = keptContent(receiver);
  if (content) weakSet(contents, copy, content);
  if (hasPlainContent(receiver)) weakSet(plainContents, copy, true);
  return copy;
});
