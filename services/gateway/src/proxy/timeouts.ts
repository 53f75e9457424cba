export interface ProxyTimeouts {
  /** Until a connection stands. */
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** For a client to send a small body; longer ones gain time by arriving. Default 10 s. */
  bodyMs?: number;
  /** A client that reads nothing of its answer for so long is cut off. Default 60 s. */
  unreadMs?: number;
}
export const PROXY_TIMEOUTS: ProxyTimeouts = { connectMs: 3_000, idleMs: 30_000 };

/**
 * Less than the 65 s after which our services close an idle connection (`@beltway/kit/serve`): the gateway closes
 * first, so no request is sent on a closing connection.
 */
export const KEEP_ALIVE_MS = 30_000;
