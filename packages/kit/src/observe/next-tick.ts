import { createHook } from 'node:async_hooks';

/** A tick object of `process.nextTick` that is kept while the process runs. */
let kept: unknown;

/**
 * Keeps `process.nextTick` fast. Node creates its tick objects with computed keys, and V8 references their hidden class
 * (shape) weakly. A full collection at a time without tick objects drops the shape permanently. From then on, each tick
 * costs eight times as much, and an HTTP request has a dozen ticks (docs/decisions/0015; docs/how-to/see-slow-ticks.md
 * shows it). One live object keeps the shape. Returns this object.
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
