import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { variables as realtime } from '../../services/realtime/src/config.ts';
import { ROTATED, rotated, SECRETS, withSecrets } from './env-file.mjs';

const example = join(import.meta.dirname, '..', '..', '.env.example');
const program = join(import.meta.dirname, 'secrets.mjs');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'secrets-'));
  copyFileSync(example, join(folder, '.env.example'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const make = (...more: string[]) => execFileSync(process.execPath, [program, folder, ...more], { encoding: 'utf8' });
const rotate = (step: string, name: string) =>
  execFileSync(process.execPath, [program, step, name, folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
const file = () => join(folder, '.env');
const read = () => readFileSync(file(), 'utf8');

test('creates .env from the example with different secrets, readable only by its owner, and prints none', () => {
  const said = make();
  const made = parseEnv(read());
  const secrets = SECRETS.map((name) => made[name]!);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(said).not.toContain(secret);
  }
  expect(new Set(secrets).size).toBe(SECRETS.length);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect({ ...made, ...parseEnv(readFileSync(example, 'utf8')) }).toEqual(parseEnv(readFileSync(example, 'utf8')));
});

test('realtime accepts the generated key for web push', () => {
  make();
  const key = parseEnv(read())['VAPID_PRIVATE_KEY'];
  expect(realtime.VAPID_PRIVATE_KEY.parse(key)).toBe(key);
});

test('a second run changes nothing', () => {
  make();
  const before = read();
  expect(make()).toContain('every secret is set already');
  expect(read()).toBe(before);
});

test('keeps the values of the operator, and adds the secrets of a later version', () => {
  writeFileSync(file(), '# mine\nPUBLIC_URL=https://tickets.example.org\nINTERNAL_TOKEN=chosen\nTICKET_SECRET=');
  chmodSync(file(), 0o644);
  make();
  expect(read()).toMatch(
    /^# mine\nPUBLIC_URL=https:\/\/tickets\.example\.org\nINTERNAL_TOKEN=chosen\nTICKET_SECRET=\w{64}\n/,
  );
  expect(parseEnv(read())).toMatchObject({ REDIS_PASSWORD: expect.stringMatching(/^\w{64}$/) });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('an empty value counts as missing in any notation, but lines of other variables do not match', () => {
  const { text, made } = withSecrets('export INTERNAL_TOKEN = ""\r\nMY_TICKET_SECRET=\n#REDIS_PASSWORD=no\n');
  expect(made.toSorted()).toEqual(SECRETS.toSorted());
  expect(text).toMatch(/^export INTERNAL_TOKEN =\w{64}\r\nMY_TICKET_SECRET=\n#REDIS_PASSWORD=no\n/);
  expect(text.match(/^REDIS_PASSWORD=\w{64}$/m)).not.toBeNull();
});

test.each(ROTATED)('rotates %s in three steps, and changes nothing else', (name: string) => {
  make();
  const before = parseEnv(read());
  const secrets = () => parseEnv(read())[name]!.split(',');
  const [old] = secrets();
  const said = rotate('add', name);
  const [, added] = secrets();
  expect(secrets()).toEqual([old, added]);
  expect(added).toMatch(/^[0-9a-f]{64}$/);
  expect(said).not.toContain(added);
  rotate('use', name);
  expect(secrets()).toEqual([added, old]);
  rotate('drop', name);
  expect(secrets()).toEqual([added]);
  expect(parseEnv(read())).toEqual({ ...before, [name]: added });
  expect(statSync(file()).mode & 0o777).toBe(0o600);
});

test('refuses an impossible step, and leaves the file unchanged', () => {
  make();
  const before = read();
  expect(() => rotate('drop', 'TICKET_SECRET')).toThrow('add another first');
  expect(() => rotate('use', 'TICKET_SECRET')).toThrow('add another first');
  expect(() => rotate('add', 'POSTGRES_PASSWORD')).toThrow('choose one of');
  expect(read()).toBe(before);
  expect(() => rotated('TICKET_SECRET=\n', 'add', 'TICKET_SECRET')).toThrow('not set');
  expect(() => rotated('TICKET_SECRET=a,b,c,d\n', 'add', 'TICKET_SECRET')).toThrow('drop one first');
  expect(rotated('A=1\r\nexport TICKET_SECRET = "a, b"\r\nB=2', 'use', 'TICKET_SECRET')).toBe(
    'A=1\r\nexport TICKET_SECRET =b,a\r\nB=2',
  );
});

test('--sandbox sends cards to the sandbox, with generated keys, and keeps the operator’s keys', () => {
  expect(make('--sandbox')).toContain('--profile sandbox');
  const { SANDBOX_URL, STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET } = parseEnv(read());
  expect(SANDBOX_URL).toBe('http://sandbox:4000');
  expect([STRIPE_SECRET_KEY, STRIPE_PUBLISHABLE_KEY, STRIPE_WEBHOOK_SECRET]).toEqual([
    expect.stringMatching(/^sk_test_\w{64}$/),
    expect.stringMatching(/^pk_test_\w{64}$/),
    expect.stringMatching(/^whsec_\w{64}$/),
  ]);
  writeFileSync(file(), 'STRIPE_SECRET_KEY=sk_test_mine\nSANDBOX_URL=\n');
  make('--sandbox');
  expect(parseEnv(read())).toMatchObject({ STRIPE_SECRET_KEY: 'sk_test_mine', SANDBOX_URL: 'http://sandbox:4000' });
  make();
  expect(parseEnv(read())['SANDBOX_URL']).toBe('http://sandbox:4000');
});
