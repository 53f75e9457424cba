import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { AD_PACKAGES } from '@beltway/contracts/payments/ads';
import type { Problem } from '@beltway/contracts/common/basics';
import { eventually } from '@beltway/kit/testing';
import type { AdAnalytics } from '@beltway/contracts/payments/platform';
import type { BoughtAd, ReviewedAd, ReviewedAds } from '@beltway/contracts/catalog/served-ads';
import type { ServedAds } from '@beltway/contracts/catalog/shown-ads';
import { adInvariants } from '../src/ads/invariants.ts';
import { openAdCounting } from '../src/ads/counting.ts';
import { closeAds } from '../src/ads/jobs.ts';
import { rebuild } from '../src/rebuild.ts';
import { embedded, startCatalog, type Catalog } from './catalog.ts';

let catalog: Catalog;
const START = new Date('2026-12-01T12:00:00Z');
const inDays = (days: number) => new Date(START.getTime() + days * 24 * 3_600_000);
const admin = { id: 1, role: 'admin' } as const;
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog.close());
beforeEach(async () => {
  catalog.media.mode = 'up';
  // Ends ads that earlier tests left running.
  catalog.time.now = inDays(100_000);
  await catalog.pool.query(`update ads set ended_at = now() where ended_at is null`);
  catalog.time.now = START;
});

type Link = { adId: string; key: string };
const words = { linkUrl: 'https://wharf.test/go-go?from=beltway', title: 'Go-Go at the Wharf', alt: 'A pier at night' };
const content = { ...words, imageUrl: embedded(2_000) };

const buy = async (packageId: (typeof AD_PACKAGES)[number]['id'], more = {}): Promise<Link> => {
  const link = await catalog.buyAd(packageId, more);
  await catalog.heard();
  return link;
};
const look = ({ adId, key }: Link) =>
  catalog.call<BoughtAd>('GET', `/api/ads/${adId}`, { headers: { 'x-ad-key': key } });
const send = <Body = BoughtAd>({ adId, key }: Link, body: unknown = content) =>
  catalog.call<Body>('PUT', `/api/ads/${adId}/content`, { headers: { 'x-ad-key': key }, body });
const review = <Body = ReviewedAd>(
  adId: string,
  body: object,
  as: { id: number; role?: 'admin' | 'business' } = admin,
) => catalog.call<Body>('POST', `/api/admin/ads/${adId}/review`, { as, body });
const served = async (slot: 'banner' | 'block') =>
  (await catalog.call<ServedAds>('GET', `/api/ads?slot=${slot}`)).body.items.map(({ id }) => id);
const run = async (packageId: (typeof AD_PACKAGES)[number]['id']): Promise<Link> => {
  const link = await buy(packageId);
  await send(link);
  await review(link.adId, { action: 'approve', submission: 1 });
  return link;
};
/** Counts one view each from `times` browsers in different networks. */
async function seen(
  adId: string,
  times: number,
  network = (n: number) => `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
) {
  for (let n = 0; n < times; n++)
    catalog.adCounting.seen({ ads: [adId] }, randomUUID(), { network: network(n), userAgent: BROWSER });
  await catalog.adCounting.flush();
}
const tell = (ads: string[], headers: Record<string, string> = {}, view = randomUUID() as string) =>
  catalog.call('POST', '/api/ads/impressions', { body: { ads, view }, headers: { 'user-agent': BROWSER, ...headers } });
const click = (adId: string, headers: Record<string, string> = {}, method = 'GET') =>
  catalog.call(method, `/api/ads/${adId}/click`, { headers: { 'user-agent': BROWSER, ...headers } });
const figures = async (link: Link) => {
  await catalog.adCounting.flush();
  const { impressions, clicks } = (await look(link)).body;
  return [impressions, clicks];
};
const said = async (adId: string) =>
  (await catalog.told())
    .filter(({ data }) => (data as { adId?: string }).adId === adId)
    .map(({ type, data }) => [type, data]);

test('a payment creates one ad, even if several messages report it, and payments is notified once', async () => {
  const [adId, id] = [randomUUID(), randomUUID()];
  for (const message of [id, id, randomUUID(), randomUUID()])
    await catalog.buyAd('banner-7d', { adId, id: message, paymentId: 'pi_twice' });
  await catalog.heard();
  expect(await said(adId)).toEqual([['catalog.ad-ready', { adId, paymentId: 'pi_twice' }]]);
  expect((await look({ adId, key: `key-of-${adId}` })).body).toMatchObject({
    state: 'bought',
    slot: 'banner',
    days: 7,
    maxImpressions: 5_000,
    guaranteedImpressions: null,
    submission: 0,
    sent: null,
    shown: null,
    impressions: 0,
  });
});

test.each(AD_PACKAGES)('the ad bought as $id has the terms of the price list', async (bought) => {
  const { body } = await look(await buy(bought.id));
  const { id: packageId, slot, days, maxImpressions, guaranteedImpressions } = bought;
  expect(body).toMatchObject({ packageId, slot, days, maxImpressions, guaranteedImpressions });
});

test('from picture and link to a place on the page: nothing is shown before an admin approved it', async () => {
  const link = await buy('banner-7d');
  const { adId } = link;
  const answer = await send(link);
  expect([answer.status, answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual([
    200,
    'private, no-store',
    'no-referrer',
  ]);
  expect(answer.body).toMatchObject({ state: 'waiting', submission: 1, isWaiting: true, shown: null, sent: words });
  expect(await served('banner')).toEqual([]);
  const waiting = await catalog.call<ReviewedAds>('GET', '/api/admin/ads', { as: admin });
  expect(waiting.body.items.at(-1)).toMatchObject({ id: adId, businessName: 'The Wharf', sent: words });

  const approved = await review(adId, { action: 'approve', submission: 1 });
  expect([approved.status, approved.headers.get('cache-tag')]).toEqual([200, 'ads']);
  expect(approved.body).toMatchObject({ state: 'running', endsAt: inDays(7).toISOString(), isWaiting: false });
  const list = await catalog.call<ServedAds>('GET', '/api/ads?slot=banner');
  expect(list.headers.get('cache-control')).toBe('public, max-age=1');
  expect(list.body.items).toEqual([
    { id: adId, title: words.title, alt: words.alt, imageUrl: answer.body.sent!.imageUrl, site: 'wharf.test' },
  ]);
  expect(await served('block')).toEqual([]);
  expect((await said(adId)).at(-1)).toEqual([
    'catalog.ad-approved',
    { adId, paymentId: `pi_${adId}`, until: inDays(7).toISOString() },
  ]);
});

test('the buyer of a rejected ad sees the reason, and can submit again without sending the picture again', async () => {
  const link = await buy('basic');
  await send(link);
  const reason = 'The picture shows a brand that is not yours';
  await review(link.adId, { action: 'reject', submission: 1, reason });
  const { body } = await look(link);
  expect(body).toMatchObject({ state: 'rejected', rejection: reason, isWaiting: false, sent: words });
  expect((await said(link.adId)).at(-1)).toEqual([
    'catalog.ad-rejected',
    { adId: link.adId, paymentId: `pi_${link.adId}`, reason },
  ]);
  const stored = catalog.media.stored.length;
  const again = await send(link, { ...words, title: 'Another title', imageUrl: body.sent!.imageUrl });
  expect(again.body).toMatchObject({ state: 'waiting', submission: 2, rejection: null });
  expect(catalog.media.stored).toHaveLength(stored);
});

test('a change of a shown ad waits for approval while the approved content stays; an approval does not apply to a submission sent during the review', async () => {
  const link = await run('banner-7d');
  await send(link, { ...content, title: 'Changed once' });
  await send(link, { ...content, title: 'Changed twice' });
  expect((await look(link)).body).toMatchObject({ state: 'running', isWaiting: true, shown: { title: words.title } });
  const late = await review<Problem>(link.adId, { action: 'approve', submission: 2 });
  expect([late.status, late.body.code]).toEqual([409, 'changed-meanwhile']);
  catalog.time.now = inDays(1);
  await review(link.adId, { action: 'approve', submission: 3 });
  expect((await look(link)).body).toMatchObject({
    shown: { title: 'Changed twice' },
    shownSubmission: 3,
    startsAt: START.toISOString(),
    endsAt: inDays(7).toISOString(),
  });
});

test('when two admins decide concurrently, only one decision takes effect, and a repeat changes nothing', async () => {
  const link = await buy('basic');
  await send(link);
  const decisions = await Promise.all([
    review(link.adId, { action: 'approve', submission: 1 }),
    review(link.adId, { action: 'reject', submission: 1, reason: 'No' }, { id: 2, role: 'admin' }),
  ]);
  // If the rejection comes second, it succeeds and removes the ad. If the approval comes second, it is refused.
  expect(decisions.map(({ status }) => status).filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
  expect(await served('block')).toEqual([]);
  const other = await buy('basic');
  await send(other);
  const headers = { 'idempotency-key': randomUUID() };
  for (let n = 0; n < 2; n++)
    await catalog.call('POST', `/api/admin/ads/${other.adId}/review`, {
      as: admin,
      headers,
      body: { action: 'approve', submission: 1 },
    });
  expect((await said(other.adId)).filter(([type]) => type === 'catalog.ad-approved')).toHaveLength(1);
});

test('a shown ad can be taken down immediately', async () => {
  const link = await run('banner-7d');
  expect(await served('banner')).toEqual([link.adId]);
  await review(link.adId, { action: 'reject', submission: 1, reason: 'The link leads elsewhere now' });
  expect(await served('banner')).toEqual([]);
  expect((await click(link.adId)).status).toBe(404);
  expect((await look(link)).body).toMatchObject({ state: 'rejected', shown: null });
});

test.each(['refunded', 'disputed', 'dispute-lost'] as const)(
  'an ad whose payment was %s is immediately no longer shown',
  async (cause) => {
    const link = await run('banner-7d');
    await seen(link.adId, 3);
    expect(await served('banner')).toEqual([link.adId]);
    const id = randomUUID();
    for (const message of [id, id, randomUUID()]) await catalog.refundAd(link.adId, cause, message);
    await catalog.heard();
    expect(await served('banner')).toEqual([]);
    expect((await look(link)).body).toMatchObject({ state: 'ended', endReason: cause, impressions: 3 });
    expect((await send<Problem>(link)).body.code).toBe('ad-ended');
    expect(await closeAds({ pool: catalog.pool, ads: catalog.ads, clock: () => inDays(100) })).toBe(false);
    expect((await look(link)).body.endReason).toBe(cause);
  },
);

test('a permanently refused ad ends, payments is notified once with the price, and the buyer can read the reason', async () => {
  const link = await buy('basic');
  await send(link);
  const refuse = { action: 'refuse', submission: 1, reason: 'We show no such ads' };
  for (const as of [{ id: 5 }, { id: 6, role: 'business' as const }])
    expect((await review(link.adId, refuse, as)).status).toBe(403);
  expect((await review<Problem>(link.adId, { ...refuse, reason: ' ' })).body.errors?.[0]?.field).toBe('reason');
  const answers = await Promise.all([review(link.adId, refuse), review(link.adId, refuse)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await look(link)).body).toMatchObject({ state: 'ended', endReason: 'refused', rejection: refuse.reason });
  expect((await said(link.adId)).filter(([type]) => type === 'catalog.ad-refused')).toEqual([
    [
      'catalog.ad-refused',
      { adId: link.adId, paymentId: `pi_${link.adId}`, amountCents: 4_999, reason: refuse.reason },
    ],
  ]);
  const running = await run('basic');
  expect((await review<Problem>(running.adId, refuse)).body.code).toBe('was-shown');
});

test('a request without the ad’s key, or with another ad’s key, gets the response for an ad that does not exist', async () => {
  const [own, other] = [await buy('basic'), await buy('basic')];
  for (const key of [other.key, '', `${own.key} `.repeat(99)]) {
    const answer = await look({ adId: own.adId, key });
    expect([answer.status, JSON.stringify(answer.body).includes('Wharf')]).toEqual([404, false]);
    expect((await send({ adId: own.adId, key })).status).toBe(404);
  }
  expect((await catalog.call('GET', `/api/ads/${own.adId}?key=${own.key}`)).status).toBe(404);
  expect((await look({ adId: randomUUID(), key: own.key })).status).toBe(404);
  expect((await look({ adId: 'no-uuid', key: own.key })).status).toBe(404);
  expect((await look(own)).body.submission).toBe(0);
});

test('only admins see and review ads', async () => {
  const link = await buy('basic');
  await send(link);
  for (const as of [{ id: 5 }, { id: 6, role: 'business' as const }]) {
    expect((await catalog.call('GET', '/api/admin/ads', { as })).status).toBe(403);
    expect((await review(link.adId, { action: 'approve', submission: 1 }, as)).status).toBe(403);
  }
  expect((await catalog.call('GET', '/api/admin/ads')).status).toBe(401);
  expect((await catalog.call('POST', `/api/admin/ads/${link.adId}/review`, { body: {} })).status).toBe(401);
  expect((await review(randomUUID(), { action: 'approve', submission: 1 })).status).toBe(404);
  expect((await look(link)).body.state).toBe('waiting');
});

test.each([
  ['linkUrl', 'javascript:alert(document.cookie)'],
  ['linkUrl', 'JaVaScRiPt://wharf.test/%0aalert(1)'],
  ['linkUrl', 'data:text/html,<script>alert(1)</script>'],
  ['linkUrl', 'https://name:password@wharf.test/'],
  ['linkUrl', 'https://wharf.test\\@evil.test/'],
  ['linkUrl', 'https://wharf.test/\nlocation: https://evil.test'],
  ['linkUrl', '//evil.test/'],
  ['linkUrl', 'https://localhost/'],
  ['linkUrl', `https://wharf.test/${'a'.repeat(500)}`],
  ['linkUrl', ''],
  ['title', ''],
  ['title', 'a'.repeat(61)],
  ['alt', ''],
  ['imageUrl', ''],
  ['imageUrl', 'https://evil.test/pixel.png'],
  ['imageUrl', `/media/images/${'0'.repeat(64)}-large.webp`],
])('%s %j is refused with the name of the field, and nothing is stored', async (field, value) => {
  const link = await buy('basic');
  const { status, body } = await send<Problem>(link, { ...content, [field]: value });
  expect([status, body.errors?.map((error) => error.field)]).toEqual([400, [field]]);
  expect((await look(link)).body.submission).toBe(0);
});

test('a title loses the characters that change its direction', async () => {
  const link = await buy('basic');
  await send(link, { ...content, title: 'Go-Go\u202egnp.exe' });
  expect((await look(link)).body.sent?.title).toBe('Go-Gognp.exe');
});

test('a script in a title is shown as text', async () => {
  const link = await buy('basic');
  const title = '<script>alert(1)</script>';
  expect((await send(link, { ...content, title })).body.sent?.title).toBe(title);
});

test('if media refuses a picture, the response names the field; while media is down nothing is lost', async () => {
  const link = await buy('basic');
  catalog.media.mode = 'refuses';
  const svg = `data:image/png;base64,${Buffer.from('<svg onload="alert(1)"/>').toString('base64')}`;
  const refused = await send<Problem>(link, { ...content, imageUrl: svg });
  expect([refused.status, refused.body.errors?.[0]?.field]).toEqual([400, 'imageUrl']);
  catalog.media.mode = 'down';
  expect((await send(link)).status).toBe(503);
  catalog.media.mode = 'up';
  expect((await send(link)).body).toMatchObject({ state: 'waiting', submission: 1 });
});

test('a picture of 100 MB is refused during the upload, and no body is read without the ad’s key', async () => {
  const link = await buy('basic');
  /** Sends as many bytes as are accepted; returns the status and the number sent. */
  const pour = (key: string) =>
    new Promise<[number, number]>((resolve, reject) => {
      const bytes = 100_000_000;
      const headers = { 'x-ad-key': key, 'content-type': 'application/json', 'content-length': bytes };
      const url = new URL(`/api/ads/${link.adId}/content`, catalog.url);
      let sent = 0;
      const req = request(url, { method: 'PUT', headers }, (res) => {
        res.resume();
        req.destroy();
        resolve([res.statusCode ?? 0, sent]);
      });
      req.on('error', reject);
      req.write('{"imageUrl":"data:image/png;base64,');
      const more = () => {
        while (sent < bytes && !req.destroyed) {
          sent += 65_536;
          if (!req.write('A'.repeat(65_536))) return void req.once('drain', more);
        }
      };
      more();
    });
  const [status, sent] = await pour(link.key);
  expect(status).toBe(413);
  expect(sent).toBeLessThan(50_000_000);
  expect((await pour('wrong'))[0]).toBe(404);
});

test('an impression counts once per page view, and at most four times per visitor and day', async () => {
  const link = await run('banner-7d');
  const view = randomUUID();
  for (let n = 0; n < 3; n++) await tell([link.adId, link.adId], {}, view);
  expect(await figures(link)).toEqual([1, 0]);
  // The same view repeated in a later batch does not count again.
  await tell([link.adId], {}, view);
  expect(await figures(link)).toEqual([1, 0]);
  for (let n = 0; n < 6; n++) await tell([link.adId]);
  expect(await figures(link)).toEqual([4, 0]);
  catalog.time.now = inDays(1);
  await tell([link.adId]);
  expect(await figures(link)).toEqual([5, 0]);
});

test('only admins see how often the ads of each package were shown and opened in the last days', async () => {
  const analytics = (days: number, as?: { id: number; role?: 'admin' | 'business' }) =>
    catalog.call<AdAnalytics>('GET', `/api/platform/analytics/ads?days=${days}`, { ...(as && { as }) });
  const of = async (days: number) => {
    const { packages } = (await analytics(days, admin)).body;
    return packages.find(({ packageId }) => packageId === 'campaign-30d') ?? { ads: 0, impressions: 0, clicks: 0 };
  };
  const before = await of(366);
  const [one, other] = [await run('campaign-30d'), await run('campaign-30d')];
  await seen(one.adId, 3);
  catalog.time.now = inDays(7);
  await seen(other.adId, 2);
  await click(other.adId);
  await catalog.adCounting.flush();
  const all = await of(366);
  expect([all.ads - before.ads, all.impressions - before.impressions, all.clicks - before.clicks]).toEqual([2, 5, 1]);
  // Seven days ago is the eighth day, so it is outside of the last seven.
  expect(await of(7)).toMatchObject({ ads: 1, impressions: 2, clicks: 1 });
  expect((await analytics(6, admin)).status).toBe(400);
  for (const as of [{ id: 5 }, { id: 6, role: 'business' as const }]) expect((await analytics(7, as)).status).toBe(403);
  expect((await analytics(7)).status).toBe(401);
});

test('10,000 impressions from one IP address count as one visitor, or with invented browser names as 64 visitors', async () => {
  const link = await run('campaign-30d');
  await seen(link.adId, 10_000, () => '203.0.113.7');
  expect(await figures(link)).toEqual([4, 0]);
  for (let n = 0; n < 10_000; n++)
    catalog.adCounting.seen({ ads: [link.adId] }, randomUUID(), {
      network: '203.0.113.8',
      userAgent: `${BROWSER} ${n}`,
    });
  expect((await figures(link))[0]).toBe(4 + 64 * 4);
});

test('a whole IPv6 site counts as one network', async () => {
  const link = await run('campaign-30d');
  await seen(link.adId, 1_000, (n) => `2001:db8:7:${n.toString(16)}::/64`);
  expect(await figures(link)).toEqual([4, 0]);
});

test('two instances that count concurrently count each view once, and at most the bought impressions', async () => {
  const link = await run('banner-7d');
  await catalog.pool.query('insert into ad_counts (ad_id, impressions) values ($1, 4950)', [link.adId]);
  const other = openAdCounting({
    pool: catalog.pool,
    log: { warn: (error: unknown) => expect.unreachable(JSON.stringify(error)) } as never,
    clock: () => catalog.time.now,
  });
  for (let n = 0; n < 100; n++)
    for (const counting of [catalog.adCounting, other])
      counting.seen({ ads: [link.adId] }, `view-${n}`, { network: `10.9.0.${n}`, userAgent: BROWSER });
  // The lock prevents both from writing until both have begun.
  const holder = await catalog.pool.connect();
  await holder.query('begin');
  await holder.query('select from ad_counts where ad_id = $1 for update', [link.adId]);
  const flushed = Promise.all([catalog.adCounting.flush(), other.flush()]);
  await eventually(async () => {
    const { rowCount } = await catalog.pool.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return rowCount === 2;
  });
  await holder.query('commit');
  holder.release();
  await flushed;
  await other.stop();
  expect(await figures(link)).toEqual([5_000, 0]);
  expect(await served('banner')).toEqual([]);
});

test('bots, pages of other sites and prefetching are not counted', async () => {
  const link = await run('banner-7d');
  const { adId } = link;
  for (const headers of [
    { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
    { 'user-agent': 'curl/8.5.0' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-purpose': 'prefetch' },
  ]) {
    expect((await tell([adId], headers)).status).toBe(204);
    expect((await click(adId, headers)).status).toBe(302);
  }
  await click(adId, {}, 'HEAD');
  expect(await figures(link)).toEqual([0, 0]);
});

test('a click opens only the approved link, is stored without the visitor, and counts once', async () => {
  const link = await run('banner-7d');
  const { adId } = link;
  // The redirect does not use the link of a submission that awaits approval.
  await send(link, { ...content, linkUrl: 'https://elsewhere.test/' });
  for (const path of ['', '?to=https://evil.test/', '?url=//evil.test&link=javascript:alert(1)']) {
    const answer = await catalog.call('GET', `/api/ads/${adId}/click${path}`, { headers: { 'user-agent': BROWSER } });
    expect([answer.status, answer.headers.get('location')]).toEqual([302, words.linkUrl]);
    expect([answer.headers.get('cache-control'), answer.headers.get('referrer-policy')]).toEqual([
      'no-store',
      'strict-origin',
    ]);
  }
  expect(await figures(link)).toEqual([0, 1]);
  await click(adId);
  expect(await figures(link)).toEqual([0, 1]);
  expect((await click((await buy('basic')).adId)).status).toBe(404);
});

test.each([
  [{ ads: [], view: randomUUID() }, 'ads'],
  [{ ads: Array.from({ length: 9 }, () => randomUUID()), view: randomUUID() }, 'ads'],
  [{ ads: ['1; drop table ads'], view: randomUUID() }, 'ads.0'],
  [{ ads: [randomUUID()] }, 'view'],
])('invalid impressions are refused with the name of the field: %j', async (body, field) => {
  const answer = await catalog.call<Problem>('POST', '/api/ads/impressions', { body });
  expect([answer.status, answer.body.errors?.[0]?.field]).toEqual([400, field]);
});

test('an unknown or hidden ad counts nothing', async () => {
  const link = await buy('banner-7d');
  await tell([link.adId, randomUUID()]);
  expect(await figures(link)).toEqual([0, 0]);
});

test('an ad ends once at its bought number of impressions, even if the closing job does not run', async () => {
  const link = await run('banner-7d');
  await catalog.pool.query('insert into ad_counts (ad_id, impressions) values ($1, 4990)', [link.adId]);
  expect(await served('banner')).toEqual([link.adId]);
  await seen(link.adId, 30);
  expect(await served('banner')).toEqual([]);
  expect(await figures(link)).toEqual([5_000, 0]);
  const closing = { pool: catalog.pool, ads: catalog.ads, clock: () => catalog.time.now };
  await Promise.all([closeAds(closing), closeAds(closing)]);
  expect((await look(link)).body).toMatchObject({ state: 'ended', endedAt: expect.any(String) as string });
  expect((await send<Problem>(link)).body.code).toBe('ad-ended');
});

test('an ad ends when its time is over, which began with the approval', async () => {
  const link = await buy('banner-7d');
  catalog.time.now = inDays(20);
  await send(link);
  await review(link.adId, { action: 'approve', submission: 1 });
  catalog.time.now = new Date(inDays(27).getTime() - 1);
  await closeAds({ pool: catalog.pool, ads: catalog.ads, clock: () => catalog.time.now });
  expect(await served('banner')).toEqual([link.adId]);
  catalog.time.now = inDays(27);
  expect(await served('banner')).toEqual([]);
  await closeAds({ pool: catalog.pool, ads: catalog.ads, clock: () => catalog.time.now });
  expect((await look(link)).body.state).toBe('ended');
});

test('an ad that misses its guaranteed number is extended in proportion, until the number is reached', async () => {
  const link = await run('ultimate');
  const close = () => closeAds({ pool: catalog.pool, ads: catalog.ads, clock: () => catalog.time.now });
  await catalog.pool.query('insert into ad_counts (ad_id, impressions) values ($1, 24990)', [link.adId]);
  catalog.time.now = inDays(42);
  await close();
  expect((await look(link)).body).toMatchObject({
    state: 'running',
    isExtended: true,
    endsAt: inDays(43).toISOString(),
  });
  expect(await served('banner')).toEqual([link.adId]);
  await seen(link.adId, 10);
  expect(await served('banner')).toEqual([]);
  await close();
  expect((await look(link)).body).toMatchObject({ state: 'ended', impressions: 25_000 });
});

test('only digests of visitors are stored, and the digests are deleted after their day', async () => {
  const link = await run('banner-7d');
  await seen(link.adId, 3);
  const kept = await catalog.pool.query<{ visitor: Buffer }>('select visitor from ad_visitors');
  expect(kept.rows.length).toBeGreaterThan(2);
  for (const { visitor } of kept.rows) expect(visitor).toHaveLength(12);
  catalog.time.now = inDays(1);
  await catalog.adCounting.forget();
  expect((await catalog.pool.query(`select from ad_visitors where day < '2026-12-02'`)).rowCount).toBe(0);
});

test('the cursor continues a list of waiting ads, which begins with the ad that has waited longest', async () => {
  const links = [await buy('basic'), await buy('basic'), await buy('basic')];
  for (const link of links) await send(link);
  const ids: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: ReviewedAds = (
      await catalog.call<ReviewedAds>('GET', `/api/admin/ads?limit=2${cursor && `&cursor=${cursor}`}`, { as: admin })
    ).body;
    ids.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  expect(ids.slice(-3)).toEqual(links.map(({ adId }) => adId));
  expect(new Set(ids).size).toBe(ids.length);
});

test('the read model matches the log, a rebuild keeps the counts, and the invariants hold', async () => {
  const link = await run('banner-7d');
  await send(link, { ...content, title: 'Changed' });
  await seen(link.adId, 5);
  const rows = async () => (await catalog.pool.query('select * from ads order by ad_id')).rows;
  // Ads that other tests ended directly in the database do not match the log.
  await catalog.pool.query('delete from ads where ad_id <> $1', [link.adId]);
  const [before] = await rows();
  await rebuild(catalog.databaseUrl);
  expect((await rows()).find((row: { ad_id: string }) => row.ad_id === link.adId)).toEqual(before);
  expect(await figures(link)).toEqual([5, 0]);
  expect((await adInvariants(catalog.pool)).filter(({ ok }) => !ok)).toEqual([]);
  await catalog.pool.query('delete from ads where ad_id = $1', [link.adId]);
  expect((await adInvariants(catalog.pool))[0]).toMatchObject({ ok: false, examples: [`ad-${link.adId}`] });
  await rebuild(catalog.databaseUrl);
  await catalog.pool.query('update ad_counts set impressions = 5001 where ad_id = $1', [link.adId]);
  expect((await adInvariants(catalog.pool))[1]).toMatchObject({ ok: false, examples: [link.adId] });
});
