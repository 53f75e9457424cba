import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { testCollector } from '@beltway/tracing/testing';
import { eventually } from '../testing/testing.ts';

const closing: Array<() => unknown> = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A module that reports each loaded file of OpenTelemetry to the parent process. */
const TELL_LOADED = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  registerHooks({ load(url, context, next) {
    if (url.includes('/@opentelemetry/')) process.send('loaded ' + url);
    return next(url, context);
  } });`)}`;

/**
 * The files of OpenTelemetry that a listening service has loaded. Excludes its API, which the metrics library imports.
 */
async function loadedBy(env: Record<string, string>): Promise<string[]> {
  const child = fork(new URL('../../test/service-process.ts', import.meta.url).pathname, [], {
    execArgv: ['--import', TELL_LOADED],
    env: { PATH: process.env['PATH'] ?? '', SERVICE_PORT: '0', COLOR: 'red', ...env },
    silent: true,
  });
  closing.push(() => child.kill('SIGKILL'));
  const loaded: string[] = [];
  let output = '';
  child.on(
    'message',
    (word) => /^loaded .*\/@opentelemetry\/(?!api\/)/.test(String(word)) && loaded.push(String(word)),
  );
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += String(chunk)));
  await eventually(() => output.includes('"listening"'), { what: 'a service that listens' });
  child.kill('SIGTERM');
  await once(child, 'close');
  return loaded;
}

test('without a collector, nothing of OpenTelemetry’s SDK is loaded', async () => {
  expect(await loadedBy({})).toEqual([]);
  expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: '', OTEL_TRACES_SAMPLER_ARG: '1' })).toEqual([]);
  const collector = await testCollector();
  closing.push(collector.close);
  // Proves that the test detects loaded files.
  expect((await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })).length).toBeGreaterThan(10);
});
