// Pages of other schemes are left as they are. A sandboxed `srcdoc` has neither address nor origin, but its page's base.

if (!anywhere && location.protocol !== 'app-cache-https:' && self.origin.indexOf('app-cache-https://') !== 0
  && (location.protocol !== 'about:' || document.baseURI.indexOf('app-cache-https://') !== 0)) return;
