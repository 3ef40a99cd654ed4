// `fetch`: the content of an upload is made readable, and options that no field shows are said.

const headersGet = method(Headers.prototype, 'get');
const headersSet = method(Headers.prototype, 'set');
const headersOf = getter(Request.prototype, 'headers');
const methodOf = getter(Request.prototype, 'method');
const modeOf = getter(Request.prototype, 'mode');
const redirectOf = getter(Request.prototype, 'redirect');
const credentialsOf = getter(Request.prototype, 'credentials');
const requestBytes = method(Request.prototype, 'arrayBuffer');
const rejectNatively = Promise.reject;
const rejected = reason => apply(rejectNatively, Promise, [reason]);
const fetchNatively = self.fetch;

/// WebKit makes it of 16 letters and digits behind these.
const formType = 'multipart/form-data; boundary=';

const sayWhatIsSent = request => {
  const headers = headersOf(request), accept = headersGet(headers, 'accept');
  const said = `${mark};credentials=${credentialsOf(request)};redirect=${redirectOf(request)}`;
  headersSet(headers, 'accept', accept ? `${accept}, ${said}` : said);
};

const sendBytes = async (request, bytes) =>
  apply(fetchNatively, undefined, [request, {__proto__: null, body: await bytes}]);

/// Sends what `new Request(input, init)` takes.
const send = (input, init) => {
  const seen = {body: undefined};
  let request;
  try {
    request = construct(Request, [input, watched(init, seen)]);
  } catch (error) {
    return rejected(error);
  }
  if (!isHandled(urlOf(request))) return apply(fetchNatively, undefined, [request]);
  const isUsual = modeOf(request) !== 'no-cors' && redirectOf(request) === 'follow'
    && credentialsOf(request) === 'same-origin';
  if (isBodiless(methodOf(request))) {
    if (!isUsual) sayWhatIsSent(request);
    return apply(fetchNatively, undefined, [request]);
  }
  sayWhatIsSent(request);
  const isGiven = (seen.body ?? null) !== null;
  const content = isGiven ? fileContent(seen.body) : keptContent(input);
  if (!content) {
    if (isGiven || !isRequest(input)) return apply(fetchNatively, undefined, [request]);
    return sendBytes(request, requestBytes(request));
  }
  const headers = headersOf(request), type = headersGet(headers, 'content-type');
  // The boundary that the native chose for this request.
  const isNative = type !== null && indexOf(type, formType) === 0;
  const flat = flatten(content, isNative ? slice(type, formType.length) : undefined);
  return sendBytes(request, flat.bytes);
};

replace(self, 'fetch', (native, receiver, values) => {
  // Wrong receivers and missing arguments are the native's to refuse.
  if (values.length === 0 || receiver !== undefined && receiver !== null && receiver !== self) {
    return apply(native, receiver, values);
  }
  return send(values[0], values[1]);
});
