import type { Instances } from './instances.ts';

export interface PerInstance<Value> {
  /** Returns the resource of an instance; creates it on first use. */
  get(url: string): Value;
  values(): Iterable<Value>;
}

/**
 * Keeps one resource (connections, a batcher) per instance of a service. `gone` receives the resource of a removed
 * instance.
 */
export function perInstance<Value>(
  instances: Pick<Instances, 'all'>,
  open: (url: string) => Value,
  gone: (value: Value) => void,
): PerInstance<Value> {
  const opened = new Map<string, Value>();
  let known = instances.all;

  function dropUnknown(): void {
    known = instances.all;
    for (const [url, value] of opened) {
      if (known.includes(url)) continue;
      opened.delete(url);
      gone(value);
    }
  }

  return {
    get: (url) => {
      if (instances.all !== known) dropUnknown();
      let value = opened.get(url);
      if (value === undefined) opened.set(url, (value = open(url)));
      return value;
    },
    values: () => opened.values(),
  };
}
