// Pages of other schemes are left as they are.

if (!anywhere && location.protocol !== 'app-cache-https:' && self.origin.indexOf('app-cache-https://') !== 0) return;
