import { expect, test } from 'vitest';
import { WEEK_FROM_CENTS } from './ad-prices.ts';
import { AD_FEATURES, AD_PACKAGES, AdBusinessInfo, AdPackageId, adPackage } from './ads.ts';

test('there are eight packages, at their prices', () =>
  expect(AD_PACKAGES.map(({ id, cents, days, badge }) => [id, cents, days, badge])).toEqual([
    ['banner-7d', 4_999, 7, null],
    ['top-placement-7d', 14_999, 7, 'Most Popular'],
    ['spotlight-14d', 9_999, 14, null],
    ['campaign-30d', 19_999, 30, null],
    ['basic', 2_999, 7, null],
    ['premium', 4_999, 14, 'Most Popular'],
    ['enterprise', 9_999, 30, 'Best Value'],
    ['ultimate', 14_999, 42, 'Premium'],
  ]));

test('every id has one package, and any other text has no package', () => {
  expect(AD_PACKAGES.map(({ id }) => id)).toEqual(AdPackageId.options);
  for (const id of ['', 'Basic', 'toString', '__proto__', 'basic ']) expect(adPackage(id)).toBeUndefined();
});

test('the card of a package names the impressions that the package sells', () => {
  for (const { features, maxImpressions, guaranteedImpressions } of AD_PACKAGES) {
    const said = features.map((feature) => AD_FEATURES[feature]).join(' ');
    if (maxImpressions !== null) expect(said).toContain(`Up to ${maxImpressions.toLocaleString('en-US')} impressions`);
    if (guaranteedImpressions !== null) expect(said).toContain('25K+ guaranteed');
  }
});

test('the advertised starting price is the cheapest package of the linked page, which runs for a week', () => {
  const [cheapest] = AD_PACKAGES.filter(({ offeredBy }) => offeredBy === 'pricing').toSorted(
    (one, other) => one.cents - other.cents,
  );
  expect([cheapest?.cents, cheapest?.days]).toEqual([WEEK_FROM_CENTS, 7]);
});

test('a business needs a name and an email address; all other fields may be empty', () => {
  const least = { businessName: ' The Wharf ', contactEmail: ' ann@example.com ' };
  const rest = { phone: '', eventTitle: '', eventDescription: '', specialRequests: '' };
  expect(AdBusinessInfo.parse(least)).toEqual({ businessName: 'The Wharf', contactEmail: 'ann@example.com', ...rest });
});

test('a line break becomes a space, and invisible characters are removed', () => {
  const info = { businessName: 'The\nWharf', contactEmail: 'ann@example.com', eventTitle: 'Go-Go\u202e' };
  expect(AdBusinessInfo.parse(info)).toMatchObject({ businessName: 'The Wharf', eventTitle: 'Go-Go' });
});

test.each([
  ['businessName', '   '],
  ['businessName', 'a'.repeat(121)],
  ['contactEmail', 'ann@example.com\nBcc: bob@example.com'],
  ['contactEmail', 'nobody'],
  ['phone', 'call me'],
  ['eventDescription', 'a'.repeat(2_001)],
  ['specialRequests', '\u0000'],
])('%s is refused as %j', (field, value) => {
  const info = { businessName: 'The Wharf', contactEmail: 'ann@example.com', [field]: value };
  expect(AdBusinessInfo.safeParse(info).error?.issues[0]?.path).toEqual([field]);
});
