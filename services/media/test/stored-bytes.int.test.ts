import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Problem } from '@beltway/contracts/common/basics';
import { openAllowances } from '@beltway/kit/allowances';
import { photo } from '../src/image/testing.ts';
import { storedBytes, type Uploader } from '../src/upload/stored-bytes.ts';
import { mp4 } from '../src/video/testing.ts';
import { INTERNAL_TOKEN, startMedia, type Media } from './service.ts';

let media: Media;
beforeAll(async () => void (media = await startMedia()));
afterAll(() => media.stop());

const MB = 1_000_000;
let lastAccount = 800;
let lastAddress = 0;
const newAddress = () => `10.8.0.${++lastAddress}`;
/** Uses more than a day's allowance, so that no bytes become free again during the test. */
const exhaust = (of: 'pictures' | 'videos', uploader: Uploader) =>
  storedBytes(openAllowances(media.pool, INTERNAL_TOKEN)).charge(of, uploader)(20_000 * MB);
const files = async () =>
  (await readdir(media.dataDir, { recursive: true })).filter((name) => /\.(webp|mp4)$/.test(name));

async function refused(response: Response, code: string) {
  expect(response.status).toBe(429);
  expect(Problem.parse(await response.json()).code).toBe(code);
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
}

test.each([
  ['an account', { isVerified: true, exhausted: 'account' }],
  ['an unverified account', { isVerified: false, exhausted: 'account' }],
  ['all accounts of a network', { isVerified: true, exhausted: 'network' }],
])(
  '%s may store a limited number of picture bytes a day; a further picture leaves no files',
  async (_who, { isVerified, exhausted }) => {
    const [id, address] = [++lastAccount, newAddress()];
    const before = await files();
    await exhaust('pictures', exhausted === 'account' ? { account: { id, isVerified } } : { address });
    await refused(await media.upload(await photo(), { userId: id, isVerified, address }), 'too-many-pictures');
    expect(await files()).toEqual(before);
    // Neither this account nor this IP address has reached its limit.
    expect(
      (await media.upload(await photo(), { userId: ++lastAccount, isVerified, address: newAddress() })).status,
    ).toBe(201);
  },
);

test('a picture costs its bytes in all sizes, once', async () => {
  const [id, address] = [++lastAccount, newAddress()];
  const picture = await photo('jpeg', 1_200, 800);
  expect((await media.upload(picture, { userId: 1, address: newAddress() })).status).toBe(201);
  // The picture's bytes are already stored, so uploading them again costs nothing.
  await exhaust('pictures', { account: { id, isVerified: true } });
  expect((await media.upload(picture, { userId: id, address })).status).toBe(201);
  const other = ++lastAccount;
  await exhaust('pictures', { account: { id: other, isVerified: true } });
  await refused(await media.upload(await photo(), { userId: other, address }), 'too-many-pictures');
});

test('pictures of events count for the account and the IP address in the catalog’s request', async () => {
  const dataUrl = async () => `data:image/jpeg;base64,${(await photo()).toString('base64')}`;
  const [uploadedBy, address] = [++lastAccount, newAddress()];
  const send = async (more: object) => media.postInternal({ dataUrl: await dataUrl(), ...more });
  expect((await send({ uploadedBy, isVerified: false, address })).status).toBe(201);
  const other = ++lastAccount;
  await exhaust('pictures', { account: { id: other, isVerified: false } });
  await refused(await send({ uploadedBy: other, isVerified: false, address }), 'too-many-pictures');
  // An ad's picture belongs to no account.
  const crowded = newAddress();
  await exhaust('pictures', { address: crowded });
  await refused(await send({ address: crowded }), 'too-many-pictures');
});

test('a video counts with the bytes of its file', async () => {
  const [id, address] = [++lastAccount, newAddress()];
  const upload = async () => {
    const form = new FormData();
    form.set('title', 'Lights on U Street');
    form.set('video', new Blob([new Uint8Array(mp4({ seed: 77, bytes: 50_000 }))], { type: 'video/mp4' }), 'a.mp4');
    const headers = {
      authorization: `Bearer ${await media.tokenFor({ id, isVerified: false })}`,
      'x-forwarded-for': address,
    };
    return media.get('/api/top-picks/upload', { method: 'POST', headers, body: form });
  };
  await exhaust('videos', { account: { id, isVerified: false } });
  const before = await files();
  await refused(await upload(), 'too-many-videos');
  expect((await files()).filter((name) => name.endsWith('.mp4'))).toEqual(
    before.filter((name) => name.endsWith('.mp4')),
  );
});

test('a thumbnail uploaded with a video counts as a picture', async () => {
  const [id, address] = [++lastAccount, newAddress()];
  await exhaust('pictures', { address });
  const form = new FormData();
  form.set('title', 'Lights on U Street');
  form.set('video', new Blob([new Uint8Array(mp4({ seed: 78, bytes: 500 }))], { type: 'video/mp4' }), 'a.mp4');
  form.set('thumbnail', new Blob([new Uint8Array(await photo())]), 'a.jpg');
  const headers = { authorization: `Bearer ${await media.tokenFor({ id })}`, 'x-forwarded-for': address };
  await refused(await media.get('/api/top-picks/upload', { method: 'POST', headers, body: form }), 'too-many-pictures');
});

test.each([
  ['pictures', 'an account', 400, (id: number): Uploader => ({ account: { id, isVerified: true } })],
  ['pictures', 'an unverified account', 100, (id: number): Uploader => ({ account: { id, isVerified: false } })],
  ['pictures', 'an address', 2_000, (id: number): Uploader => ({ address: `10.9.${id >> 8}.${id & 255}` })],
  ['videos', 'an account', 2_000, (id: number): Uploader => ({ account: { id, isVerified: true } })],
  ['videos', 'an unverified account', 400, (id: number): Uploader => ({ account: { id, isVerified: false } })],
  ['videos', 'an address', 8_000, (id: number): Uploader => ({ address: `10.9.${id >> 8}.${id & 255}` })],
] as const)('%s of %s: %s MB a day', async (of, _who, megabytes, uploader) => {
  const charge = storedBytes(openAllowances(media.pool, INTERNAL_TOKEN)).charge(of, uploader(++lastAccount));
  await charge(megabytes * MB);
  await expect(charge(megabytes * 0.1 * MB)).rejects.toMatchObject({ status: 429, code: `too-many-${of}` });
});
