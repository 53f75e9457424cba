import { registerHooks } from 'node:module';

/**
 * A negative control, loaded into every process of a run (`--import`). With this control, a pipelined group checks only
 * that any event precedes the group's events, as earlier code did. It does not check that exactly the previous group
 * was written. Throws if the patched code has changed.
 */
const CHANGES = [
  [
    `case when current_setting('log.group', true) = $12 then $1 end`,
    '(select stream from events where stream = $1 and version = $12::bigint)',
  ],
  // The third value contains the versions, as a binary array of bigints. The first version is at byte 24.
  ['[...insert.values, after]', '[...insert.values, String(insert.values[2].readBigInt64BE(24) - 1n)]'],
];

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    if (!url.endsWith('/event-store/src/log/append.ts')) return loaded;
    const source = CHANGES.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`append.ts no longer has: ${from}`);
      return text.replace(from, () => to);
    }, String(loaded.source));
    return { ...loaded, source };
  },
});
