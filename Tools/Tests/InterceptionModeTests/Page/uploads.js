// Requests with a body. The origin tells what it got; boundaries of forms become B.
section = 'Uploads';
const got = async (url, options) => upload(await (await fetch(url, options)).json());
const upload = ({method, type, text}) => {
  const boundary = /boundary=(.*)/.exec(type ?? '')?.[1];
  const plain = value => (boundary ? value.replaceAll(boundary, 'B') : value).replaceAll('\r\n', '|');
  return `${method} ${plain(type ?? '-')} ${plain(text)}`;
};
const send = (body, options = {}) => got('/echo', {method: 'POST', body, ...options});
const form = (...entries) => {
  const made = new FormData();
  for (const entry of entries) made.append(...entry);
  return made;
};
const part = (name, value) => `--B|Content-Disposition: form-data; name="${name}"||${value}|`;
const file = new File(['in a file'], 'notes.txt', {type: 'text/plain'});
const filePart = '--B|Content-Disposition: form-data; name="file"; filename="notes.txt"|Content-Type: text/plain||in a file|';

kind('POST without a body', 'POST - ', () => send(undefined));
kind('POST string', 'POST text/plain;charset=UTF-8 hello', () => send('hello'));
kind('POST JSON', 'POST application/json {"a":1}', () => send('{"a":1}', {headers: {'Content-Type': 'application/json'}}));
kind('POST urlencoded', 'POST application/x-www-form-urlencoded;charset=UTF-8 a=b+c', () => send(new URLSearchParams({a: 'b c'})));
kind('POST ArrayBuffer', 'POST - 70000 octets', () => send(new Uint8Array(70000)));
kind('POST FormData', `POST multipart/form-data; boundary=B ${part('a', 'b')}--B--|`, () => send(form(['a', 'b'])));
kind('POST FormData with a file', `POST multipart/form-data; boundary=B ${part('a', 'b')}${filePart}--B--|`,
  () => send(form(['a', 'b'], ['file', file])));
kind('POST Blob', 'POST text/x in a blob', () => send(new Blob(['in a blob'], {type: 'text/x'})));
kind('POST File', 'POST text/plain in a file', () => send(file));
kind('POST Request', 'POST text/plain;charset=UTF-8 in a request', () => got(new Request('/echo', {method: 'POST', body: 'in a request'})));
kind('POST Request with a Blob', 'POST text/x in a request',
  () => got(new Request('/echo', {method: 'POST', body: new Blob(['in a request'], {type: 'text/x'})})));
kind('POST stream', 'NotSupportedError', () => send(new ReadableStream({
  start(controller) {
    controller.enqueue(new TextEncoder().encode('in a stream'));
    controller.close();
  },
}), {duplex: 'half'}));
kind('POST, five megabytes', 'POST - 5242880 octets', () => send(new Uint8Array(5242880)));
kind('POST: request', 'accept: */*; origin: https://example.com; content-length: 5', async () => {
  const id = unique();
  await fetch(`/echo?id=${id}`, {method: 'POST', body: 'hello'});
  return fields((await asked(id))[0], 'accept', 'origin', 'content-length');
});
kind('POST to an https URL: request', 'accept: */*; origin: https://example.com', async () => {
  const id = unique();
  await fetch(`https://example.net/echo?allow=any&id=${id}`, {method: 'POST', body: 'hello'});
  return fields((await asked(id))[0], 'accept', 'origin');
});
kind('POST Request to an https URL', 'POST text/plain;charset=UTF-8 in a request',
  () => got(new Request('https://example.net/echo?allow=any', {method: 'POST', body: 'in a request'})));
kind('POST, other origin', 'POST text/plain;charset=UTF-8 hello', () => got(`${cdn}/echo?allow=any`, {method: 'POST', body: 'hello'}));
kind('POST JSON, other origin', 'POST application/json {"a":1}; OPTIONS POST', async () => {
  const id = unique();
  const result = await got(`${cdn}/echo?allow=any&grant&id=${id}`, {method: 'POST', body: '{"a":1}', headers: {'Content-Type': 'application/json'}});
  return `${result}; ${await methods(id)}`;
});
kind('POST JSON, preflight refused', 'TypeError; OPTIONS', async () => {
  const id = unique();
  const result = await got(`${cdn}/echo?allow=any&id=${id}`, {method: 'POST', body: '{"a":1}', headers: {'Content-Type': 'application/json'}})
    .catch(error => error.name);
  return `${result}; ${await methods(id)}`;
});
kind('POST, no-cors', 'opaque; POST', async () => {
  const id = unique();
  const answer = await fetch(`${cdn}/echo?id=${id}`, {method: 'POST', body: 'hello', mode: 'no-cors'});
  return `${answer.type}; ${await methods(id)}`;
});
kind('POST, redirected by 303', 'GET - ', () => got('/redirect?status=303&to=/echo', {method: 'POST', body: 'hello'}));
kind('POST, redirected by 307', 'POST text/plain;charset=UTF-8 hello', () => got('/redirect?status=307&to=/echo', {method: 'POST', body: 'hello'}));
kind('POST Blob, redirected by 307', 'POST text/x in a blob',
  () => got('/redirect?status=307&to=/echo', {method: 'POST', body: new Blob(['in a blob'], {type: 'text/x'})}));
kind('PUT', 'PUT text/plain;charset=UTF-8 hello', () => send('hello', {method: 'PUT'}));
kind('PATCH', 'PATCH text/plain;charset=UTF-8 hello', () => send('hello', {method: 'PATCH'}));
kind('DELETE', 'DELETE - ', () => send(undefined, {method: 'DELETE'}));
kind('PUT, other origin', 'PUT text/plain;charset=UTF-8 hello; OPTIONS PUT', async () => {
  const id = unique();
  return `${await got(`${cdn}/echo?allow=any&grant&id=${id}`, {method: 'PUT', body: 'hello'})}; ${await methods(id)}`;
});
kind('POST, keepalive', 'POST text/plain;charset=UTF-8 hello', () => send('hello', {keepalive: true}));
kind('POST, aborted', 'AbortError', async () => {
  const id = unique();
  const controller = new AbortController();
  const answer = fetch(`/held?id=${id}`, {method: 'POST', body: 'hello', signal: controller.signal}).then(head, error => error.name);
  await text(`/arrived?of=${id}`);
  controller.abort();
  const result = await answer;
  await text(`/release?of=${id}`);
  return result;
});

const beacon = async body => {
  const id = unique();
  const isQueued = navigator.sendBeacon(`/beacon?id=${id}`, body);
  return `${isQueued} ${upload(JSON.parse(await text(`/beaconed?of=${id}`)))}`;
};
kind('sendBeacon string', 'true POST text/plain;charset=UTF-8 hello', () => beacon('hello'));
kind('sendBeacon Blob', 'true POST text/x in a blob', () => beacon(new Blob(['in a blob'], {type: 'text/x'})));
kind('sendBeacon FormData with a file', `true POST multipart/form-data; boundary=B ${filePart}--B--|`, () => beacon(form(['file', file])));
kind('sendBeacon without data', 'true POST - ', () => beacon());
