/** Maximum number of cached entries. A few are enough, because the orders in a rush are for few events. */
const KEPT = 64;
/**
 * After a failure, a value is not requested again for this time (in milliseconds), so that mails do not wait while the
 * other service is down.
 */
const MISSED_MS = 60_000;

/** Caches a value that many mails need. If the value cannot be loaded, it is null, so that mails do not wait for it. */
export function remembered<T extends object | string>(
  load: (key: string) => Promise<T | null>,
  {
    keptMs = Infinity,
    missed,
    now = Date.now,
  }: { keptMs?: number; missed: (key: string, error: unknown) => void; now?: () => number },
): (key: string) => Promise<T | null> {
  const known = new Map<string, { value: Promise<T | null>; until: number }>();
  return (key) => {
    const found = known.get(key);
    if (found && now() < found.until) return found.value;
    const entry = { until: now() + keptMs, value: load(key) };
    entry.value = entry.value.catch((error: unknown) => {
      entry.until = now() + MISSED_MS;
      missed(key, error);
      return null;
    });
    known.delete(key);
    known.set(key, entry);
    // A Map iterates in insertion order, so the first entry is the oldest.
    if (known.size > KEPT) known.delete(known.keys().next().value!);
    return entry.value;
  };
}
