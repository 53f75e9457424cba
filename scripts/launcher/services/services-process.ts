import { once } from 'node:events';
import { openSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { LAUNCHER_GONE, type Runtime } from '@beltway/kit/runtime';
import type { HostedService } from './one-process.ts';

/**
 * How long the other services keep serving while the public door, which stops first, finishes the requests in progress.
 */
const DOOR_GRACE_MS = 2_500;

/** Code with state in its modules: metrics, followers, the drain flag. Pure packages and dependencies are shared. */
const STATEFUL = /\/(?:packages\/(?:kit|event-store|tracing|card-sandbox)|services\/[^/]+)\/src\/[^?]+$/;
const COPY = '?service=';

// Each service loads its own copy of stateful modules: Node's module map has one entry per URL, including the query.
registerHooks({
  resolve: (specifier, context, next) => {
    const found = next(specifier, context);
    const at = context.parentURL?.indexOf(COPY) ?? -1;
    return at > 0 && STATEFUL.test(found.url) ? { ...found, url: found.url + context.parentURL!.slice(at) } : found;
  },
});

const runtimeModule = import.meta.resolve('@beltway/kit/runtime');
const stops = new Map<string, (why: string) => void>();
const endings = new Map<string, PromiseWithResolvers<void>>();

async function load({ name, entry, env, logFile }: HostedService): Promise<void> {
  const copy = COPY + name;
  const { setRuntime } = (await import(runtimeModule + copy)) as typeof import('@beltway/kit/runtime');
  const runtime: Runtime = {
    env: { ...process.env, ...env },
    logFd: openSync(logFile, 'a', 0o600),
    isOwn: false,
    isLauncherGone: () => process.connected === false,
    onStop: (stop) => void stops.set(name, stop),
    // A failing service ends the process, which the launcher restarts.
    exit: (code) => (code === 0 ? endings.get(name)!.resolve() : process.exit(code)),
  };
  setRuntime(runtime);
  await import(pathToFileURL(entry).href + copy);
}

/** Asks a service to stop and waits for its end, unless it is still starting. */
async function end(name: string, why: string): Promise<void> {
  const stop = stops.get(name);
  if (!stop) return;
  stop(why);
  await endings.get(name)!.promise;
}

let stopping = false;
async function stopAll(why: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  const names = [...endings.keys()];
  const door = names.pop();
  if (door) await Promise.race([end(door, why), new Promise((resolve) => setTimeout(resolve, DOOR_GRACE_MS))]);
  await Promise.all(names.map((name) => end(name, why)));
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stopAll(signal));
process.on('disconnect', () => void stopAll(LAUNCHER_GONE));
// The services start in this order; the public door is the last service.
const [services] = (await once(process, 'message')) as [HostedService[]];
// Each service adds its own listeners to the process.
process.setMaxListeners(10 * services.length);
for (const { name } of services) endings.set(name, Promise.withResolvers());
for (const service of services) await load(service);
