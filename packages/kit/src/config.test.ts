import { expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigError, common, readConfig, secretList, urlList } from './config.ts';

const good = {
  SERVICE_PORT: '4000',
  DATABASE_URL: 'postgres://localhost/x',
  INTERNAL_TOKEN: 'x'.repeat(32),
  IDENTITY_URL: 'http://127.0.0.1:1',
};

test('names every wrong variable at once, and never prints a value', () => {
  const attempt = () =>
    readConfig(
      { ...common, SECRET: z.string().min(32) },
      { ...good, SERVICE_PORT: 'high', INTERNAL_TOKEN: 'too-short-secret' },
    );
  expect(attempt).toThrow(ConfigError);
  expect(attempt).toThrow(/SERVICE_PORT[^]*INTERNAL_TOKEN[^]*SECRET/);
  expect(attempt).not.toThrow(/too-short-secret/);
});
test('a variable that is set but empty counts as not set', () => {
  expect(readConfig(common, { ...good, KAFKA_BROKERS: '' }).KAFKA_BROKERS).toBeUndefined();
  expect(() => readConfig(common, { ...good, DATABASE_URL: '' })).toThrow(/DATABASE_URL/);
});
test('embedded mode listens to this machine alone', () => {
  const embedded = { ...good, BELTWAY_MODE: 'embedded' };
  for (const HOST of ['0.0.0.0', '::', '10.0.0.1'])
    expect(() => readConfig(common, { ...embedded, HOST })).toThrow(/HOST must be an address of this machine/);
  for (const HOST of ['', '127.0.0.1', '::1', 'localhost'])
    expect(readConfig(common, { ...embedded, HOST }).BELTWAY_MODE).toBe('embedded');
  expect(readConfig(common, { ...good, HOST: '0.0.0.0' }).HOST).toBe('0.0.0.0');
});
test('no secret has a default', () => expect(() => readConfig(common, {})).toThrow(/INTERNAL_TOKEN/));

test('the addresses of several instances are a list with commas', () => {
  const read = (text: string) => readConfig({ PEERS: urlList }, { PEERS: text }).PEERS;
  expect(read('http://127.0.0.1:1')).toEqual(['http://127.0.0.1:1']);
  expect(read('http://127.0.0.1:1, https://b.example:2')).toEqual(['http://127.0.0.1:1', 'https://b.example:2']);
  for (const wrong of ['http://a:1,', 'a:1', 'http://a:1,redis://b:2'])
    expect(() => read(wrong)).toThrow(/PEERS.*commas/);
});

test('a secret is one, or up to four of which each is long enough and none is there twice', () => {
  const read = (text: string) => readConfig({ TOKEN: secretList() }, { TOKEN: text }).TOKEN;
  const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
  expect(read(a)).toEqual([a]);
  expect(read(`${a}, ${b}`)).toEqual([a, b]);
  const five = ['c', 'd', 'e', 'f', 'g'].map((letter) => letter.repeat(32)).join();
  for (const wrong of [`${a},`, `,${a}`, `${a},short`, `${a},${a}`, five, ','])
    expect(() => read(wrong)).toThrow(/TOKEN/);
  expect(() => read(`${a},short-and-secret`)).not.toThrow(/short-and-secret/);
});
