import type { AdContent, AdEndReason } from '@beltway/contracts/catalog/served-ads';
import { scenarios } from '@beltway/event-store/testing';
import { test } from 'vitest';
import { ad } from './decider.ts';
import type { AdCommand, AdEvent, AdTerms } from './events.ts';

const given = scenarios(ad);

const terms: AdTerms = {
  paymentId: 'pi_1',
  packageId: 'banner-7d',
  amountCents: 4_999,
  slot: 'banner',
  days: 7,
  maxImpressions: 5_000,
  guaranteedImpressions: null,
  businessName: 'The Wharf',
  eventTitle: 'Go-Go Night',
  keyHash: 'a'.repeat(64),
};
const guaranteed: AdTerms = { ...terms, days: 42, maxImpressions: null, guaranteedImpressions: 25_000 };
const unlimited: AdTerms = { ...terms, days: 30, maxImpressions: null };

const content = (title: string): AdContent => ({
  imageUrl: '/media/images/0a-0c2d48-large.webp',
  linkUrl: 'https://wharf.test/',
  title,
  alt: 'A pier at night',
});
const [first, second] = [content('Go-Go'), content('Jazz')];

const DAY_ONE = '2026-12-01T12:00:00.000Z';
const DAY_TWO = '2026-12-02T12:00:00.000Z';
const END = '2026-12-08T12:00:00.000Z';

const bought = (of = terms): AdEvent => ({ type: 'AdBought', data: of });
const submitted = (submission: number, sent: AdContent): AdEvent => ({
  type: 'AdSubmitted',
  data: { submission, content: sent },
});
const approved = (submission: number, sent: AdContent, until = END): AdEvent => ({
  type: 'AdApproved',
  data: { paymentId: 'pi_1', submission, content: sent, startsAt: DAY_ONE, until },
});
const rejected = (submission: number, wasShown = false): AdEvent => ({
  type: 'AdRejected',
  data: { paymentId: 'pi_1', submission, reason: 'Too loud', wasShown },
});
const ended = (reason: AdEndReason, impressions: number): AdEvent => ({
  type: 'AdEnded',
  data: { reason, impressions },
});
const extended = (until: string, impressions: number): AdEvent => ({
  type: 'AdExtended',
  data: { until, impressions },
});

const submit = (sent: AdContent): AdCommand => ({ type: 'SubmitAd', content: sent });
const approve = (submission: number, at = DAY_ONE): AdCommand => ({ type: 'ApproveAd', submission, at });
const reject = (submission: number): AdCommand => ({ type: 'RejectAd', submission, reason: 'Too loud' });
const close = (impressions: number, at: string): AdCommand => ({ type: 'CloseAd', impressions, at });

test('a payment creates one ad, even if the message about the payment is repeated', () => {
  given().when({ type: 'BookAd', terms }).yields(bought());
  given(bought()).when({ type: 'BookAd', terms }).yields();
  given(bought()).when({ type: 'BookAd', terms: unlimited }).yields();
});

test('an ad that was not paid cannot be submitted, approved or rejected', () => {
  given().when(submit(first)).rejects('no-such-ad');
  given().when(approve(1)).rejects('no-such-ad');
  given().when(reject(1)).rejects('no-such-ad');
  given().when(close(0, END)).yields();
});

test('a submission waits for an admin, and a repeated submission changes nothing', () => {
  given(bought()).when(submit(first)).yields(submitted(1, first));
  given(bought(), submitted(1, first)).when(submit(first)).yields();
  for (const change of [{ title: 'x' }, { alt: 'x' }, { linkUrl: 'https://x.test/' }, { imageUrl: '/x.webp' }])
    given(bought(), submitted(1, first))
      .when(submit({ ...first, ...change }))
      .yields(submitted(2, { ...first, ...change }));
});

test('an ad’s time begins with its approval, not with its payment', () => {
  given(bought(), submitted(1, first)).when(approve(1)).yields(approved(1, first));
  given(bought(), submitted(1, first), approved(1, first)).when(approve(1, DAY_TWO)).yields();
});

test('only the submission that the admin saw can be approved', () => {
  given(bought()).when(approve(1)).rejects('changed-meanwhile');
  given(bought(), submitted(1, first), submitted(2, second)).when(approve(1)).rejects('changed-meanwhile');
  given(bought(), submitted(1, first), submitted(2, second)).when(reject(1)).rejects('changed-meanwhile');
  given(bought(), submitted(1, first), rejected(1)).when(approve(1)).rejects('changed-meanwhile');
  given(bought(), submitted(1, first), rejected(1)).when(reject(1)).rejects('changed-meanwhile');
});

test('a rejected submission may be sent again, with or without changes', () => {
  given(bought(), submitted(1, first)).when(reject(1)).yields(rejected(1));
  given(bought(), submitted(1, first), rejected(1)).when(submit(second)).yields(submitted(2, second));
  given(bought(), submitted(1, first), rejected(1)).when(submit(first)).yields(submitted(2, first));
});

test('a change of a shown ad needs a new approval, and keeps the start and the end of the ad', () => {
  const shown = [bought(), submitted(1, first), approved(1, first)];
  given(...shown)
    .when(submit(first))
    .yields();
  given(...shown)
    .when(submit(second))
    .yields(submitted(2, second));
  given(...shown, submitted(2, second))
    .when(approve(2, DAY_TWO))
    .yields(approved(2, second));
  given(...shown, submitted(2, second))
    .when(reject(2))
    .yields(rejected(2));
  // `first` is still shown, so submitting it again changes nothing.
  given(...shown, submitted(2, second), rejected(2))
    .when(submit(first))
    .yields();
});

test('an admin can remove a shown ad', () => {
  const shown = [bought(), submitted(1, first), approved(1, first)];
  given(...shown)
    .when(reject(1))
    .yields(rejected(1, true));
  given(...shown, submitted(2, second))
    .when(reject(1))
    .yields(rejected(1, true));
  given(...shown, submitted(2, second), rejected(1, true))
    .when(approve(2, DAY_TWO))
    .yields(approved(2, second));
  given(...shown, rejected(1, true))
    .when(submit(first))
    .yields(submitted(2, first));
});

test('an ad ends when it reaches its bought number of impressions, or when its time is over', () => {
  const shown = [bought(), submitted(1, first), approved(1, first)];
  given(...shown)
    .when(close(4_999, DAY_TWO))
    .yields();
  given(...shown)
    .when(close(5_000, DAY_TWO))
    .yields(ended('all-shown', 5_000));
  given(...shown)
    .when(close(17, END))
    .yields(ended('time-over', 17));
  given(...shown, ended('time-over', 17))
    .when(close(17, END))
    .yields();
});

test('an ad without a bought number of impressions runs until its time is over', () => {
  const shown = [bought(unlimited), submitted(1, first), approved(1, first)];
  given(...shown)
    .when(close(1_000_000, DAY_TWO))
    .yields();
  given(...shown)
    .when(close(1_000_000, END))
    .yields(ended('time-over', 1_000_000));
});

test('an ad that was never approved never ends', () =>
  given(bought(), submitted(1, first)).when(close(0, '2028-01-01T00:00:00.000Z')).yields());

test('an ad does not end when it reaches its guaranteed number early; if it misses the number, it is extended by the missing share', () => {
  const shown = [bought(guaranteed), submitted(1, first), approved(1, first)];
  given(...shown)
    .when(close(25_000, DAY_TWO))
    .yields();
  given(...shown)
    .when(close(25_000, END))
    .yields(ended('time-over', 25_000));
  // A tenth of the impressions is missing. A tenth of 42 days, rounded up, is five days.
  given(...shown)
    .when(close(22_500, END))
    .yields(extended('2026-12-13T12:00:00.000Z', 22_500));
  given(...shown)
    .when(close(24_999, END))
    .yields(extended('2026-12-09T12:00:00.000Z', 24_999));
});

test('an extension ends when the guaranteed number is reached; otherwise the ad is extended again', () => {
  const past = [bought(guaranteed), submitted(1, first), approved(1, first), extended(END, 22_500)];
  given(...past)
    .when(close(24_000, DAY_TWO))
    .yields();
  given(...past)
    .when(close(25_000, DAY_TWO))
    .yields(ended('all-shown', 25_000));
  given(...past)
    .when(close(24_000, END))
    .yields(extended('2026-12-10T12:00:00.000Z', 24_000));
  given(...past, extended('2026-12-10T12:00:00.000Z', 24_000))
    .when(close(24_000, '2026-12-10T11:59:59.999Z'))
    .yields();
});

test('an extension begins when the ad is closed, so closing late does not shorten the extension', () =>
  given(bought(guaranteed), submitted(1, first), approved(1, first))
    .when(close(24_999, '2026-12-20T12:00:00.000Z'))
    .yields(extended('2026-12-21T12:00:00.000Z', 24_999)));

test('an ad that an admin removed is not extended', () =>
  given(bought(guaranteed), submitted(1, first), approved(1, first), rejected(1, true))
    .when(close(10, END))
    .yields(ended('time-over', 10)));

test('an ad that has ended cannot be changed', () => {
  const over = [bought(), submitted(1, first), approved(1, first), submitted(2, second), ended('time-over', 9)];
  given(...over)
    .when(submit(first))
    .rejects('ad-ended');
  given(...over)
    .when(approve(2))
    .rejects('ad-ended');
  given(...over)
    .when(reject(1))
    .rejects('ad-ended');
});

test('an ad can be changed at most fifty times', () => {
  const many = Array.from({ length: 50 }, (_, n) => submitted(n + 1, content(`Try ${n}`)));
  given(bought(), ...many.slice(1))
    .when(submit(content('Another one')))
    .rejects('too-many-changes');
});

test('an ad whose payment was refunded or lost ends once and permanently, in any state', () => {
  const lost: AdCommand = { type: 'EndUnpaidAd', reason: 'dispute-lost', impressions: 7 };
  for (const log of [
    [],
    [submitted(1, first)],
    [submitted(1, first), approved(1, first)],
    [submitted(1, first), rejected(1)],
  ])
    given(bought(), ...log)
      .when(lost)
      .yields(ended('dispute-lost', 7));
  given(bought(), ended('dispute-lost', 7)).when(lost).yields();
  given(bought(), ended('time-over', 9)).when(lost).yields();
  given(bought(), submitted(1, first), ended('dispute-lost', 7)).when(approve(1)).rejects('ad-ended');
  given().when(lost).rejects('no-such-ad');
});

test('only an ad that was never shown can be refused permanently, and only the submission that the admin saw', () => {
  const refuse = (submission: number): AdCommand => ({ type: 'RefuseAd', submission, reason: 'Too loud' });
  const refused = (submission: number): AdEvent => ({
    type: 'AdRefused',
    data: { paymentId: 'pi_1', amountCents: 4_999, submission, reason: 'Too loud' },
  });
  given(bought()).when(refuse(0)).yields(refused(0));
  given(bought(), submitted(1, first)).when(refuse(1)).yields(refused(1));
  given(bought(), submitted(1, first), rejected(1)).when(refuse(1)).yields(refused(1));
  given(bought(), submitted(1, first)).when(refuse(0)).rejects('changed-meanwhile');
  given(bought(), submitted(1, first), approved(1, first)).when(refuse(1)).rejects('was-shown');
  given(bought(), submitted(1, first), approved(1, first), rejected(1, true)).when(refuse(1)).rejects('was-shown');
  given(bought(), refused(0)).when(refuse(0)).rejects('ad-ended');
  given(bought(), refused(0)).when(submit(first)).rejects('ad-ended');
  given(bought(), refused(0)).when({ type: 'EndUnpaidAd', reason: 'refunded', impressions: 0 }).yields();
});
