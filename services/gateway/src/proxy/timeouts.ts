export interface Patience {
  /** Until a connection stands. */
  connectMs: number;
  /** Without a byte in either direction. */
  idleMs: number;
  /** For a client to send a small body; longer ones gain time by arriving. Default 10 s. */
  bodyMs?: number;
  /** A client that reads nothing of its answer for so long is cut off. Default 60 s. */
  unreadMs?: number;
}
export const PATIENCE: Patience = { connectMs: 3_000, idleMs: 30_000 };
