import { expect, test } from 'vitest';
import { beforeCheckout } from './back.tsx';
import { isCheckout } from './checkouts.ts';

test('every checkout page counts as a checkout, and the page after a payment does not', () => {
  for (const path of ['/ticket-checkout', '/checkout', '/livestream-checkout', '/ad-checkout'])
    expect(isCheckout(path), path).toBe(true);
  for (const path of ['/ticket-success', '/checkout/success', '/ad-checkout-success', '/ad-pricing'])
    expect(isCheckout(path), path).toBe(false);
});

test.each([
  ['/ticket-checkout', '?eventId=7', '/event/7'],
  ['/checkout', '?level=premium&eventId=7', '/event/7'],
  ['/checkout', '', '/'],
  ['/ad-checkout', '?package=basic', '/ad-pricing'],
  ['/ticket-checkout', '?eventId=abc', '/'],
])('a checkout that was opened by a link, %s%s, has %s before it', (pathname, search, before) =>
  expect(beforeCheckout(pathname, search)).toBe(before),
);
