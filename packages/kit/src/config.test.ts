import { expect, test } from 'vitest';
import { z } from 'zod';
import { ConfigError, common, readConfig, secretList, urlList } from './config.ts';
import { objectsVariables } from './engines/settings.ts';

const good = {
  SERVICE_PORT: '4000',
  DATABASE_URL: 'postgres://localhost/x',
  INTERNAL_TOKEN: 'x'.repeat(32),
  IDENTITY_URL: 'http://127.0.0.1:1',
};

test('reports all wrong variables together, and never prints a value', () => {
  const attempt = () =>
    readConfig(
      { ...common, SECRET: z.string().min(32) },
      { ...good, SERVICE_PORT: 'high', INTERNAL_TOKEN: 'too-short-secret' },
    );
  expect(attempt).toThrow(ConfigError);
  expect(attempt).toThrow(/SERVICE_PORT[^]*INTERNAL_TOKEN[^]*SECRET/);
  expect(attempt).not.toThrow(/too-short-secret/);
});
test('an empty variable counts as not set', () => {
  expect(readConfig(common, { ...good, KAFKA_BROKERS: '' }).KAFKA_BROKERS).toBeUndefined();
  expect(() => readConfig(common, { ...good, DATABASE_URL: '' })).toThrow(/DATABASE_URL/);
});
test('embedded mode listens on this machine only', () => {
  const embedded = { ...good, BELTWAY_MODE: 'embedded' };
  for (const HOST of ['0.0.0.0', '::', '10.0.0.1'])
    expect(() => readConfig(common, { ...embedded, HOST })).toThrow(/HOST must be an address of this machine/);
  for (const HOST of ['', '127.0.0.1', '::1', 'localhost'])
    expect(readConfig(common, { ...embedded, HOST }).BELTWAY_MODE).toBe('embedded');
  expect(readConfig(common, { ...good, HOST: '0.0.0.0' }).HOST).toBe('0.0.0.0');
});
test('a public URL needs https', () => {
  const read = (PUBLIC_URL: string, more = {}) =>
    readConfig({ ...common, PUBLIC_URL: z.url() }, { ...good, PUBLIC_URL, ...more }).PUBLIC_URL;
  for (const url of ['https://beltway.example', 'http://localhost:3000', 'http://127.0.0.1:3000'])
    expect(read(url)).toBe(url);
  expect(() => read('http://beltway.example')).toThrow(/PUBLIC_URL: must begin with https:/);
});
test('no secret has a default', () => expect(() => readConfig(common, {})).toThrow(/INTERNAL_TOKEN/));

test('the URLs of several instances are separated by commas', () => {
  const read = (text: string) => readConfig({ PEERS: urlList }, { PEERS: text }).PEERS;
  expect(read('http://127.0.0.1:1')).toEqual(['http://127.0.0.1:1']);
  expect(read('http://127.0.0.1:1, https://b.example:2')).toEqual(['http://127.0.0.1:1', 'https://b.example:2']);
  for (const wrong of ['http://a:1,', 'a:1', 'http://a:1,redis://b:2'])
    expect(() => read(wrong)).toThrow(/PEERS.*commas/);
});

test('a secret is one to four different values, each long enough', () => {
  const read = (text: string) => readConfig({ TOKEN: secretList() }, { TOKEN: text }).TOKEN;
  const [a, b] = ['a'.repeat(32), 'b'.repeat(32)];
  expect(read(a)).toEqual([a]);
  expect(read(`${a}, ${b}`)).toEqual([a, b]);
  const five = ['c', 'd', 'e', 'f', 'g'].map((letter) => letter.repeat(32)).join();
  for (const wrong of [`${a},`, `,${a}`, `${a},short`, `${a},${a}`, five, ','])
    expect(() => read(wrong)).toThrow(/TOKEN/);
  expect(() => read(`${a},short-and-secret`)).not.toThrow(/short-and-secret/);
});

test.each([
  [{ DATABASE_URL: 'mysql://localhost/x' }, /DATABASE_URL: must be postgres/],
  [{ DATABASE_URL: 'postgres://localhost/x?sslmode=require' }, /DATABASE_URL: its sslmode must be verify-full/],
  [
    { DATABASE_URL: 'postgres://localhost/x?sslmode=verify-full&sslmode=disable' },
    /DATABASE_URL: it names sslmode twice/,
  ],
  [{ DATABASE_URL: 'postgres://localhost/x?sslrootcert=/ca.pem' }, /DATABASE_URL: its sslrootcert needs sslmode/],
  [{ REDIS_URL: 'http://localhost' }, /REDIS_URL: must be redis/],
  [{ REDIS_URL: 'redis://localhost', REDIS_CA_FILE: '/ca.pem' }, /REDIS_CA_FILE: needs a REDIS_URL of rediss/],
  [{ KAFKA_CA_FILE: '/ca.pem' }, /KAFKA_CA_FILE: needs KAFKA_TLS=on/],
  [{ KAFKA_SASL: 'gssapi' }, /KAFKA_SASL/],
  [{ KAFKA_SASL: 'scram-sha-512' }, /KAFKA_USERNAME: is missing[^]*KAFKA_PASSWORD: is missing/],
  [{ KAFKA_SASL: 'plain', KAFKA_USERNAME: 'a', KAFKA_PASSWORD: 'pw1' }, /KAFKA_SASL: plain shows the password/],
  [{ KAFKA_USERNAME: 'a', KAFKA_PASSWORD: 'pw1' }, /KAFKA_SASL: must say how/],
])('conflicting settings of engines are reported: %j', (wrong, named) => {
  const attempt = () => readConfig(common, { ...good, ...wrong });
  expect(attempt).toThrow(ConfigError);
  expect(attempt).toThrow(named);
  expect(attempt).not.toThrow(/pw1/);
});

test('files are stored in a folder or a bucket, and missing bucket settings are reported', () => {
  const read = (env: Record<string, string>) => readConfig({ ...common, ...objectsVariables }, { ...good, ...env });
  const bucket = { S3_URL: 'http://s3:7070', S3_BUCKET: 'pictures', S3_ACCESS_KEY: 'a', S3_SECRET_KEY: 'b' };
  expect(read({ DATA_DIR: '/data' }).S3_URL).toBeUndefined();
  expect(read(bucket)).toMatchObject({ ...bucket, S3_REGION: 'us-east-1' });
  expect(() => read({})).toThrow(/S3_URL: is missing; or set DATA_DIR/);
  expect(() => read({ S3_URL: 'http://s3:7070' })).toThrow(/S3_BUCKET[^]*S3_ACCESS_KEY[^]*S3_SECRET_KEY/);
  expect(() => read({ DATA_DIR: '/data', S3_BUCKET: 'pictures' })).toThrow(/S3_URL: is missing/);
  expect(() => read({ ...bucket, S3_BUCKET: 'A/b' })).toThrow(/S3_BUCKET/);
  expect(() => read({ ...bucket, S3_CA_FILE: '/ca.pem' })).toThrow(/S3_CA_FILE: needs an S3_URL of https/);
});
