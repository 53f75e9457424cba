export interface TestRedis {
  /** Describes where the server comes from. */
  what: string;
  url: string;
  /** Kills the server with SIGKILL; its data is lost. */
  kill(): Promise<void>;
  /** Starts an empty server after `kill`, on the same port. */
  start(): Promise<void>;
  /** Pauses the server: connections stay open, but it does not respond. */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  stop(): Promise<void>;
}
