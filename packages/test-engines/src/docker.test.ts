import { createServer, type RequestListener } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { dockerAnswers } from './docker.ts';

const closing: Array<() => unknown> = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0)) await close();
});

/** Starts a fake Docker engine. Returns a function that counts its requests. */
async function engine(answer: RequestListener): Promise<() => number> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  let asked = 0;
  const server = createServer((req, res) => {
    asked++;
    answer(req, res);
  });
  await new Promise<void>((resolve) => server.listen(join(folder, 'docker.sock'), resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
    () => rmSync(folder, { recursive: true }),
  );
  vi.stubEnv('DOCKER_HOST', `unix://${folder}/docker.sock`);
  vi.stubEnv('TEST_CONTAINERS', '');
  return () => asked;
}

test('an engine that answers is found', async () => {
  const asked = await engine((_req, res) => void res.end('OK'));
  expect(await dockerAnswers()).toBe(true);
  expect(asked()).toBe(1);
});

test('an engine that fails, never answers, or has no socket is not found', async () => {
  await engine((_req, res) => void res.writeHead(500).end());
  expect(await dockerAnswers()).toBe(false);
  const asked = await engine(() => undefined);
  expect(await dockerAnswers()).toBe(false);
  expect(asked()).toBe(1);
  vi.stubEnv('DOCKER_HOST', 'unix:///nowhere/docker.sock');
  expect(await dockerAnswers()).toBe(false);
});

test('no request is sent when containers are switched off or the engine is on another machine', async () => {
  const asked = await engine((_req, res) => void res.end('OK'));
  vi.stubEnv('TEST_CONTAINERS', 'off');
  expect(await dockerAnswers()).toBe(false);
  expect(asked()).toBe(0);
  vi.stubEnv('TEST_CONTAINERS', '');
  for (const host of ['tcp://192.0.2.1:2375', 'ssh://build@192.0.2.1', 'nonsense']) {
    vi.stubEnv('DOCKER_HOST', host);
    expect(await dockerAnswers()).toBe(false);
  }
});
