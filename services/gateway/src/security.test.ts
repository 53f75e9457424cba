import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, test } from 'vitest';
import type { Config } from './config.ts';
import { routeTable } from './routes/table.ts';
import { securityHeaders } from './security.ts';

async function headersOf(config: Pick<Config, 'PUBLIC_URL' | 'SANDBOX_URL' | 'GOOGLE_MAPS_KEY'>): Promise<Headers> {
  const app = express().use(
    securityHeaders(config as Config, routeTable({ isEmbedded: false, hasSandbox: false })),
    (_req, res) => void res.end(),
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { headers } = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  await new Promise((resolve) => (server.close(resolve), server.closeAllConnections()));
  return headers;
}
const INLINE = "'sha256-zIcGSVQ/paImVuAFYGVzy7tal1k3bprvwhdxR7NmMpw='";
const policyOf = (headers: Headers) =>
  Object.fromEntries(
    headers
      .get('content-security-policy')!
      .split(';')
      .map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')]),
  );

test('with the sandbox the policy allows no script and no call to another site', async () => {
  const headers = await headersOf({
    PUBLIC_URL: 'http://localhost:3000',
    SANDBOX_URL: 'http://127.0.0.1:1',
    GOOGLE_MAPS_KEY: undefined,
  });
  expect(policyOf(headers)).toMatchObject({
    'default-src': "'self'",
    'script-src': `'self' ${INLINE}`,
    'connect-src': "'self'",
    'frame-src': "'self' https://www.youtube-nocookie.com https://player.vimeo.com",
    'frame-ancestors': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
  });
  expect(policyOf(headers)).not.toHaveProperty('upgrade-insecure-requests');
  expect(headers.get('strict-transport-security')).toBeNull();
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin');
});

test('with Stripe the policy allows only the sources that Stripe’s guide lists', async () => {
  const headers = await headersOf({
    PUBLIC_URL: 'https://beltway.example',
    SANDBOX_URL: undefined,
    GOOGLE_MAPS_KEY: undefined,
  });
  expect(policyOf(headers)).toMatchObject({
    'script-src': `'self' ${INLINE} https://js.stripe.com https://*.js.stripe.com`,
    'frame-src':
      "'self' https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com https://www.youtube-nocookie.com https://player.vimeo.com",
    'connect-src': "'self' https://api.stripe.com",
    'img-src': "'self' data: blob: https:",
  });
  expect(policyOf(headers)).toHaveProperty('upgrade-insecure-requests');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000; includeSubDomains');
});

test('with a Google Maps key the policy allows only the sources that the library requires', async () => {
  const sandbox = { PUBLIC_URL: 'https://beltway.example', SANDBOX_URL: 'http://127.0.0.1:1' };
  const without = policyOf(await headersOf({ ...sandbox, GOOGLE_MAPS_KEY: undefined }));
  expect(policyOf(await headersOf({ ...sandbox, GOOGLE_MAPS_KEY: 'key-1' }))).toEqual({
    ...without,
    'script-src': `'self' ${INLINE} https://maps.googleapis.com`,
    'connect-src': "'self' https://maps.googleapis.com https://maps.gstatic.com",
    'style-src': "'self' 'unsafe-inline' https://fonts.googleapis.com",
    'font-src': "'self' https://fonts.gstatic.com",
  });
  expect(Object.values(without).join(' ')).not.toContain('google');
});
