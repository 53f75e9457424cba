import { expect, test } from 'vitest';
import { photoUrl } from '@beltway/contracts/media/pictures';
import { askNamed } from './named.ts';

const name = (digit: string) => `${digit.repeat(64)}-0a0b0c`;
/** A service that refers to these pictures, in any size. */
const naming = (...urls: string[]) => ({
  post: async (path: string, body: unknown) => {
    expect(path).toBe('/internal/pictures/named');
    return { named: (body as { urls: string[] }).urls.filter((url) => urls.includes(url)) };
  },
});

test('a picture counts as referenced if an event or a post refers to it, in any size', async () => {
  const catalog = naming(photoUrl(name('1'), 'small'));
  const realtime = naming(photoUrl(name('2')));
  const named = await askNamed([catalog, realtime])(['1', '2', '3'].map(name));
  expect([...named]).toEqual([name('1'), name('2')]);
});

test('while one of the services is down, nothing may be deleted', async () => {
  const away = { post: () => Promise.reject(new Error('realtime is away')) };
  await expect(askNamed([naming(), away])([name('1')])).rejects.toThrow('realtime is away');
});
