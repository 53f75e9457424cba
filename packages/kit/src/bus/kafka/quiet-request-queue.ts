import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/** How often kafkajs itself looks when requests wait only because too many are under way. */
const LOOK_MS = 10;
let quiet = false;

/**
 * kafkajs 2.2.4 keeps a timer going on every connection even when no request waits, with a time-out of "0 - now": an idle
 * connection wakes up a thousand times a second (3% of a core), and Node 24 says TimeoutNegativeWarning. Here the timer runs
 * only while requests wait; what is throttled and when it is sent stays as it was. Done at run time and not by patch-package,
 * because that needs an install script, which npm asks leave for, and an unpatched copy would not be noticed.
 */
export function quietRequestQueue(): void {
  if (quiet) return;
  quiet = true;
  const { prototype } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue') as {
    prototype: RequestQueue;
  };
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.throttleCheckTimeoutId || this.pending.length === 0) return;
    const throttledFor = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledFor > 0 ? throttledFor : LOOK_MS,
    );
  };
}
