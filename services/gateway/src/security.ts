import { EMBED_ORIGINS } from '@beltway/contracts/media/broadcast';
import helmet from 'helmet';
import type { RequestHandler } from 'express';
import type { Config } from './config.ts';
import type { RouteTable } from './routes/table.ts';

/**
 * Hash of the inline script in frontend/index.html. The script chooses theme and language before the first paint, then
 * loads the other scripts. A test of the frontend's build checks the hash.
 */
const INLINE_SCRIPT = "'sha256-zIcGSVQ/paImVuAFYGVzy7tal1k3bprvwhdxR7NmMpw='";

/**
 * The sources that Stripe's integration security guide lists for Stripe.js. Stripe's frames have a policy of their own.
 */
const STRIPE = {
  scripts: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  calls: ['https://api.stripe.com'],
};

/** The sources in Google Maps' guide to content security policies. `https:` already covers its pictures. */
const GOOGLE_MAPS = {
  scripts: ['https://maps.googleapis.com'],
  calls: ['https://maps.googleapis.com', 'https://maps.gstatic.com'],
  styles: ['https://fonts.googleapis.com'],
  fonts: ['https://fonts.gstatic.com'],
};

const isHttps = ({ PUBLIC_URL }: Config): boolean => PUBLIC_URL.startsWith('https:');

/** Headers for answers of the API, which contain data and may load nothing (OWASP REST Security Cheat Sheet). */
export const apiHeaders = (config: Config): Record<string, string> => ({
  'content-security-policy': "default-src 'none';frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  ...(isHttps(config) && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
});

/**
 * Headers for the event list that other sites show in a frame. The list may load pictures, our style sheet and our one
 * script. It may have no form, call or frame.
 */
export const framedHeaders = (config: Config): Record<string, string> => ({
  'content-security-policy': [
    "default-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    'frame-ancestors *',
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' https:${isHttps(config) ? '' : ' http:'}`,
  ].join(';'),
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  ...(isHttps(config) && { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }),
});

/**
 * The API's default `Cache-Control`. A service sets a different header for a cacheable answer (OWASP ASVS 5.0, 14.3.2).
 */
export const KEEP_NOTHING = 'private, no-store';

/** A script that other sites load into their own pages. */
const FOR_OTHER_SITES = '/embed.js';

/**
 * Security headers of all answers, unless a service sets its own. Allowed scripts: ours, the inline one in the
 * frontend, the card provider's if the provider is the real one, and Google Maps' if a key is set. Pictures and videos
 * of live streams may come from URLs that organizers enter, and frames from the sites of those streams. Inline style
 * attributes are allowed because dialogs and menus use them for their position.
 */
export function securityHeaders(config: Config, table: Pick<RouteTable, 'find'>): RequestHandler {
  const stripe = config.SANDBOX_URL ? { scripts: [], frames: [], calls: [] } : STRIPE;
  const maps = config.GOOGLE_MAPS_KEY ? GOOGLE_MAPS : { scripts: [], calls: [], styles: [], fonts: [] };
  const https = isHttps(config);
  const api = new Map(Object.entries(apiHeaders(config)));
  const pages = helmet({
    // The first four settings concern Internet Explorer and Flash. No current browser reads them.
    xDownloadOptions: false,
    xPermittedCrossDomainPolicies: false,
    xXssProtection: false,
    xDnsPrefetchControl: false,
    crossOriginEmbedderPolicy: false,
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'base-uri': ["'none'"],
        'object-src': ["'none'"],
        'frame-ancestors': ["'self'"],
        'form-action': ["'self'"],
        'script-src': ["'self'", INLINE_SCRIPT, ...stripe.scripts, ...maps.scripts],
        'script-src-attr': ["'none'"],
        'style-src': ["'self'", "'unsafe-inline'", ...maps.styles],
        'font-src': ["'self'", ...maps.fonts],
        'img-src': ["'self'", 'data:', 'blob:', 'https:', ...(https ? [] : ['http:'])],
        'media-src': ["'self'", 'blob:', 'https:'],
        'connect-src': ["'self'", ...stripe.calls, ...maps.calls],
        'frame-src': ["'self'", ...stripe.frames, ...EMBED_ORIGINS],
        'worker-src': ["'self'"],
        'manifest-src': ["'self'"],
        ...(https ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    xFrameOptions: { action: 'sameorigin' },
  });
  const framed = new Map(Object.entries(framedHeaders(config)));
  return (req, res, next) => {
    const isFramed = table.find(req.method ?? '', req.path)?.isFramed === true;
    if (isFramed || req.url.startsWith('/api/')) {
      res.setHeaders(isFramed ? framed : api);
      res.setHeader('cache-control', KEEP_NOTHING);
      return next();
    }
    pages(req, res, (error) => {
      if (req.path === FOR_OTHER_SITES) res.setHeader('cross-origin-resource-policy', 'cross-origin');
      next(error);
    });
  };
}
