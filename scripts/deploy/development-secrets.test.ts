import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { developmentSecrets } from './development-secrets.ts';
import { readKustomization, variablesOf } from './manifests.ts';

const overlay = join(import.meta.dirname, '..', '..', 'k8s', 'overlays', 'dev');
const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_12345678',
};

test('creates exactly the secrets that the development overlay needs', () => {
  const secrets = developmentSecrets(stripe);
  const { objects, configMaps } = readKustomization(overlay);
  const containers = objects
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ spec }) => spec.template.spec.containers[0]);
  const needed = containers.flatMap((container) =>
    [...variablesOf(container, configMaps).values()].flatMap((from) =>
      'secret' in from && !from.optional ? [`${from.secret} ${from.key}`] : [],
    ),
  );
  const made = Object.entries(secrets).flatMap(([name, keys]) => Object.keys(keys).map((key) => `${name} ${key}`));
  expect(made.filter((one) => !one.startsWith('postgres ')).sort()).toEqual([...new Set(needed)].sort());
});

test('PostgreSQL gives each role the password that its service uses', () => {
  const { postgres, ...secrets } = developmentSecrets(stripe);
  const folder = mkdtempSync(join(tmpdir(), 'databases-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'psql'), '#!/bin/sh\nprintf "%s\\n" "$@"\nexec cat\n', { mode: 0o755 });
  const asked = execFileSync(join(import.meta.dirname, 'databases', 'databases.sh'), {
    env: { ...postgres, PATH: [folder, process.env['PATH']].join(delimiter) },
    encoding: 'utf8',
  });
  const made = new Map(
    [...asked.matchAll(/^name=(\w+)$[^]*?^\\getenv password (\w+)$/gm)].map(([, role = '', variable = '']) => [
      role,
      postgres![variable],
    ]),
  );
  expect([...made.keys()].sort()).toEqual(
    Object.keys(secrets)
      .filter((name) => secrets[name]!['DATABASE_URL'])
      .sort(),
  );
  for (const [role, given] of made) {
    const { username, password, pathname } = new URL(secrets[role]!['DATABASE_URL']!);
    expect({ username, pathname }).toEqual({ username: role, pathname: `/${role}` });
    expect(password).toBe(given);
  }
});

test('no two secrets are alike, and each run creates new ones', () => {
  const random = () =>
    Object.values(developmentSecrets(stripe)).flatMap((keys) =>
      Object.values(keys).filter((value) => /^[0-9a-f]{64}$/.test(value)),
    );
  const made = [...random(), ...random()];
  expect(new Set(made).size).toBe(made.length);
});

test('missing keys and live keys are refused', () => {
  expect(() => developmentSecrets({ ...stripe, STRIPE_WEBHOOK_SECRET: '' })).toThrow('Set STRIPE_WEBHOOK_SECRET');
  expect(() => developmentSecrets({ ...stripe, STRIPE_SECRET_KEY: 'sk_live_1' })).toThrow('live keys');
});
