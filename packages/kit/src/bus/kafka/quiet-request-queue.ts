import { createRequire } from 'node:module';

interface RequestQueue {
  pending: unknown[];
  throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/** kafkajs's own interval when requests wait only because too many are in flight, in ms. */
const LOOK_MS = 10;
let quiet = false;

/**
 * kafkajs 2.2.4 keeps a timer running on every connection, even without waiting requests, with a timeout of "0 - now".
 * So an idle connection wakes up a thousand times a second (3% of a core), and Node 24 warns with
 * TimeoutNegativeWarning. This patch runs the timer only while requests wait; throttling is unchanged. It patches at
 * run time instead of with patch-package, which needs an install script that npm asks permission for; without that
 * permission, the copy would stay unpatched without anyone noticing.
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
