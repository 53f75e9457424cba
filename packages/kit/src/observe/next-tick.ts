import { createHook } from 'node:async_hooks';

/** One of what Node makes for each `process.nextTick`, kept for as long as the process lives. */
let kept: unknown;

/**
 * Keeps `process.nextTick` quick. Node writes its tick objects with computed keys; V8 remembers weakly what such an object looks like
 * while it is made. A full collection at a moment when none is alive makes it forget, for good: each tick then costs eight times as
 * much, and an HTTP request has a dozen (docs/decisions/0015; docs/how-to/see-slow-ticks.md shows it). One that stays alive keeps
 * what is remembered. Answers it.
 */
export function keepNextTickFast(): unknown {
  if (kept !== undefined) return kept;
  const hook = createHook({
    init: (_id, type, _trigger, resource) => {
      if (type === 'TickObject') kept ??= resource;
    },
  }).enable();
  process.nextTick(() => undefined);
  hook.disable();
  return kept;
}
