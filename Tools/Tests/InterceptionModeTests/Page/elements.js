// Scripts, style sheets, fonts, images and hints.
section = 'Scripts, style sheets, fonts, images and hints';
kind('script', 'ran', () => element('script', {src: '/script.js'}, () => window.ran ?? 'not run'));
kind('script, other origin', 'loaded', () => element('script', {src: `${cdn}/script.js`}));
kind('script crossorigin, allowed', 'loaded',
  () => element('script', {crossorigin: 'anonymous', src: `${cdn}/script.js?allow=any`}));
kind('script crossorigin, not allowed', 'error',
  () => element('script', {crossorigin: 'anonymous', src: `${cdn}/script.js?refused`}));
kind('script, integrity good', 'loaded', async () => {
  const integrity = `sha256-${await sha256(await text('/script.js'))}`;
  return element('script', {integrity, src: '/script.js'});
});
kind('script, integrity bad', 'error',
  () => element('script', {integrity: 'sha256-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=', src: '/script.js?bad'}));
kind('script of a wrong type with nosniff', 'error', () => element('script', {src: '/script.js?type=text/plain&nosniff'}));
kind('script that answers 404', 'error', () => element('script', {src: '/nothing.js'}));
kind('script, redirected', 'loaded', () => element('script', {src: '/redirect?to=/script.js'}));
kind('script, redirected to another origin', 'loaded', () => element('script', {src: `/redirect?to=${encodeURIComponent('https://example.net/script.js')}`}));
kind('script: request', 'sec-fetch-dest: script; sec-fetch-mode: no-cors; sec-fetch-site: same-origin; referer: https://example.com/matrix.html', async () => {
  const id = unique();
  await element('script', {src: `/script.js?cache=no-store&id=${id}`});
  return fields((await asked(id))[0], 'sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site', 'referer');
});
kind('module script', 'ran', () => element('script', {type: 'module', src: '/module-main.js'}, () => window.moduleRan ?? 'not run'));
kind('module script, other origin', 'loaded', () => element('script', {type: 'module', src: `${cdn}/module.js?allow=any`}));
kind('module script, redirected: what it imports', 'loaded',
  () => element('script', {type: 'module', src: '/redirect?to=/below/module.js'}));
kind('import()', 'a module', async () => (await import('/module.js?dynamic')).default);
kind('import(), refused by the other origin', 'TypeError', async () => (await import(`${cdn}/module.js?refused`)).default);

const sheet = (href, attributes = {}) => element('link', {rel: 'stylesheet', href, ...attributes}, link => link);
const colour = name => {
  const made = document.createElement('div');
  made.className = name;
  document.body.append(made);
  return getComputedStyle(made).color;
};
kind('style sheet', 'rgb(1, 2, 3)', async () => (await sheet('/sheet.css'), colour('plain')));
kind('style sheet, other origin', 'rgb(1, 2, 3), rules: SecurityError', async () => {
  const link = await sheet(`${cdn}/sheet.css?other`);
  try { return `${colour('plain')}, rules: ${link.sheet.cssRules.length}`; } catch (error) { return `${colour('plain')}, rules: ${error.name}`; }
});
kind('style sheet, redirected to another origin', 'rules: SecurityError', async () => {
  const link = await sheet(`/redirect?to=${encodeURIComponent('https://example.net/sheet.css')}`);
  if (link === 'error') return link;
  try { return `rules: ${link.sheet.cssRules.length}`; } catch (error) { return `rules: ${error.name}`; }
});
kind('@import', 'rgb(4, 5, 6)', async () => (await sheet('/importing.css'), colour('imported')));
kind('style sheet, redirected: what it imports', 'rgb(7, 8, 9)', async () => {
  const link = await sheet('/redirect?to=/below/importing.css');
  return link === 'error' ? link : colour('inner');
});
kind('url() in a style sheet', '2 wide', () => inFrame('/styled.html'));
kind('@font-face', 'loaded', async () => {
  await sheet('/font.css');
  const faces = await document.fonts.load('16px sampled');
  return faces.map(face => face.status).join(' ') || 'no face';
});
kind('FontFace', 'loaded', async () => (await new FontFace('scripted', 'url(/font.ttf?scripted)').load()).status);
kind('FontFace, other origin allowed', 'loaded', async () => (await new FontFace('far', `url(${cdn}/font.ttf?allow=any)`).load()).status);
kind('FontFace, other origin that allows nothing', 'loaded', async () => (await new FontFace('refused', `url(${cdn}/font.ttf?refused)`).load()).status);

const size = image => `${image.naturalWidth}x${image.naturalHeight}`;
const readable = image => {
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d');
  context.drawImage(image, 0, 0);
  try { return `readable ${context.getImageData(0, 0, 1, 1).data.join(',')}`; } catch (error) { return error.name; }
};
kind('img', '2x2', () => element('img', {src: '/image.png'}, size));
kind('img srcset', '2x2', () => element('img', {srcset: '/image.png?set 1x'}, size));
kind('picture', '2x2', () => {
  const picture = document.createElement('picture');
  picture.innerHTML = '<source srcset="/image.png?source" type="image/png"><img>';
  document.body.append(picture);
  return event(picture.lastChild, 'load').then(() => size(picture.lastChild));
});
kind('svg img', '8x6', () => element('img', {src: '/image.svg'}, size));
kind('svg use', '5 wide', async () => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  const load = event(use, 'load');
  use.setAttribute('href', '/image.svg#shape');
  svg.append(use);
  document.body.append(svg);
  await load;
  return `${use.getBBox().width} wide`;
});
kind('img that answers 404', 'error', () => element('img', {src: '/nothing.png'}));
kind('img: request', 'sec-fetch-dest: image; sec-fetch-mode: no-cors; sec-fetch-site: cross-site; referer: https://example.com/', async () => {
  const id = unique();
  await element('img', {src: `${cdn}/image.png?cache=no-store&id=${id}`});
  return fields((await asked(id))[0], 'sec-fetch-dest', 'sec-fetch-mode', 'sec-fetch-site', 'referer');
});
kind('canvas of an img', 'readable 255,0,0,255', () => element('img', {src: '/image.png?canvas'}, readable));
kind('canvas of an img, other origin', 'SecurityError', () => element('img', {src: `${cdn}/image.png?canvas`}, readable));
kind('canvas of an img, redirected to another origin', 'SecurityError', () => element('img', {src: `/redirect?to=${encodeURIComponent('https://example.net/image.png?red')}`}, readable));
kind('img crossorigin, allowed', 'readable 255,0,0,255',
  () => element('img', {crossorigin: 'anonymous', src: `${cdn}/image.png?allow=origin`}, readable));
kind('img crossorigin, not allowed', 'error', () => element('img', {crossorigin: 'anonymous', src: `${cdn}/image.png?refused`}));
kind('img, Cross-Origin-Resource-Policy', 'error', () => element('img', {src: `${cdn}/image.png?policy=same-origin`}));

kind('own img, Cross-Origin-Resource-Policy', 'loaded', () => element('img', {src: '/image.png?policy=same-origin'}));
kind('own style, Cross-Origin-Resource-Policy', 'loaded',
  () => element('link', {rel: 'stylesheet', href: '/sheet.css?policy=same-origin'}));
kind('own script, Cross-Origin-Resource-Policy', 'loaded', () => element('script', {src: '/script.js?policy=same-site'}));

kind('preload', 'loaded', () => element('link', {rel: 'preload', as: 'script', href: '/script.js?preload'}));
kind('modulepreload', 'loaded', () => element('link', {rel: 'modulepreload', href: '/module.js?preload'}));
kind('prefetch', 'not supported', () => document.createElement('link').relList.supports('prefetch')
  ? element('link', {rel: 'prefetch', href: '/script.js?prefetch'}) : 'not supported');
kind('manifest', 'not supported', () => document.createElement('link').relList.supports('manifest')
  ? element('link', {rel: 'manifest', href: '/app.webmanifest'}) : 'not supported');
