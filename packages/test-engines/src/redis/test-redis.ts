export interface TestRedis {
  /** Where it comes from. */
  what: string;
  url: string;
  /** SIGKILL: what it held is gone. */
  kill(): Promise<void>;
  /** Starts it again, empty, on the same port, after `kill`. */
  start(): Promise<void>;
  /** Pauses it: connections stay open, nothing is answered. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
}
