// `XMLHttpRequest`: the content of an upload is made readable, and `withCredentials` is said.

const states = new WeakMap();
const readyState = getter(XMLHttpRequest.prototype, 'readyState');
const withCredentials = getter(XMLHttpRequest.prototype, 'withCredentials');
const setField = method(XMLHttpRequest.prototype, 'setRequestHeader');
const isXHR = isOf(readyState);

replace(XMLHttpRequest.prototype, 'open', (native, receiver, values) => {
  if (!isXHR(receiver) || values.length < 2) return apply(native, receiver, values);
  // Converted once, and in the native's order.
  values[0] = `${values[0]}`;
  values[1] = `${values[1]}`;
  const result = apply(native, receiver, values);
  weakSet(states, receiver, {
    method: values[0], isAsync: values.length < 3 || !!values[2], isHandled: isHandled(values[1]),
    hasAccept: false, hasType: false, isReading: false,
  });
  return result;
});

replace(XMLHttpRequest.prototype, 'setRequestHeader', (native, receiver, values) => {
  const state = isXHR(receiver) && weakGet(states, receiver);
  if (!state || values.length < 2) return apply(native, receiver, values);
  // Refused by a native that is not open either, so that the error is its own.
  if (state.isReading) return apply(native, new XMLHttpRequest(), values);
  values[0] = `${values[0]}`;
  const result = apply(native, receiver, values);
  const name = lowerCase(values[0]);
  if (name === 'accept') state.hasAccept = true;
  if (name === 'content-type') state.hasType = true;
  return result;
});

replace(XMLHttpRequest.prototype, 'abort', (native, receiver, values) => {
  const state = isXHR(receiver) && weakGet(states, receiver);
  if (state && state.isReading) {
    // As far as the page knows it was sent: the events of an aborted request follow.
    state.isReading = false;
    apply(sendNatively, receiver, ['-']);
  }
  return apply(native, receiver, values);
});

const sendNatively = XMLHttpRequest.prototype.send;

const isDocument = isOf(getter(Node.prototype, 'nodeType'));
const isParameters = isOf(method(URLSearchParams.prototype, 'toString'));
const isBuffer = isOf(getter(ArrayBuffer.prototype, 'byteLength'));
const isView = ArrayBuffer.isView;
/// Whether the native would convert a body to text, which may run code of the page.
const becomesText = body => (body ?? null) !== null && typeof body !== 'string' && !isView(body) && !isBlob(body)
  && !isForm(body) && !isDocument(body) && !isParameters(body) && !isBuffer(body);

replace(XMLHttpRequest.prototype, 'send', (native, receiver, values) => {
  const state = isXHR(receiver) && readyState(receiver) === 1 && weakGet(states, receiver);
  if (!state || !state.isHandled) return apply(native, receiver, values);
  // Refused by a native that is not open either, so that the error is its own.
  if (state.isReading) return apply(native, new XMLHttpRequest(), values);
  if (values.length > 0 && becomesText(values[0])) {
    values[0] = `${values[0]}`;
    // What ran meanwhile may have sent it.
    if (readyState(receiver) !== 1 || weakGet(states, receiver) !== state) return apply(native, receiver, values);
  }
  const sendsNothing = isBodiless(state.method);
  if (sendsNothing && !withCredentials(receiver)) return apply(native, receiver, values);
  const said = `${mark};credentials=${withCredentials(receiver) ? 'include' : 'same-origin'}`;
  // A second value is appended to the first one.
  const sayWhatIsSent = () => setField(receiver, 'Accept', state.hasAccept ? said : `*/*, ${said}`);
  const content = sendsNothing ? undefined : fileContent(argument(values, 0));
  if (!content) {
    try {
      sayWhatIsSent();
    } catch {
      // Sent already; the native says so.
    }
    return apply(native, receiver, values);
  }
  const flat = flatten(content);
  const sendBytes = bytes => {
    if (flat.type !== null && !state.hasType) setField(receiver, 'Content-Type', flat.type);
    sayWhatIsSent();
    apply(native, receiver, [bytes]);
  };
  if (flat.text) return sendBytes(new Uint8Array(flat.text));
  if (!state.isAsync) throw new DOMException('A network error occurred.', 'NetworkError');
  state.isReading = true;
  (async () => {
    let bytes;
    try {
      bytes = new Uint8Array((await flat.later).bytes);
    } catch {
      // The native ends a request whose content can't be read with its error events.
    }
    if (!state.isReading || weakGet(states, receiver) !== state) return;
    state.isReading = false;
    if (bytes) sendBytes(bytes);
    else apply(native, receiver, values);
  })();
});
