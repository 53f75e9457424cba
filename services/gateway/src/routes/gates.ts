/**
 * Calls that always take long, or that last as long as their reader needs. Each kind of call has a separate gate, so
 * that waiting calls neither make their service look slow nor block other calls.
 */
export interface GateBounds {
  /** Maximum concurrent calls per gateway. Further calls get 503. */
  max: number;
  /**
   * Maximum concurrent calls of one network (429). An IPv6 /56 may have four times as many, and a /48 sixteen times.
   * The limit prevents one client from using the whole gate. Default: the limit for other requests.
   */
  each?: number;
  /** Whether the gate admits fewer calls while most answers take longer than two seconds, as for other requests. */
  isTimed?: true;
  /** Whether the gate admits at most 32 calls while the gateway's event loop is behind, as for other requests. */
  givesWay?: true;
}

export const GATES = {
  /** Steps of a purchase with held tickets. They are not refused while the gateway is behind. */
  payment: { max: 500, isTimed: true },
  /** Webhooks. Anyone can send one, and only payments can check its signature. */
  webhook: { max: 500, isTimed: true },
  /** Sends a video, which lasts as long as its reader takes. */
  video: { max: 300, each: 60 },
  /**
   * Hashes a password. Identity's own queue divides the capacity, and refuses the sender with the most waiting requests
   * (decision 28).
   */
  password: { max: 500, each: 128, givesWay: true },
  /** Processes a picture or a video. */
  upload: { max: 32, each: 6 },
  /** Generates a document, or returns a file of any length. */
  document: { max: 40, each: 8, givesWay: true },
  /** Reads many rows for one reader: lists and sums over all orders, or a person's export. */
  report: { max: 24, each: 6 },
  /** Lists many events in a feed. Anyone can invent searches for it. */
  feed: { max: 16, each: 8 },
  /**
   * Searches, which anyone can invent. Applies only to URLs with a query: the list without parameters is the same for
   * all.
   */
  search: { max: 60, each: 24, isTimed: true, givesWay: true },
} satisfies Record<string, GateBounds>;

export type GateName = keyof typeof GATES;
export const GATE_NAMES = Object.keys(GATES) as GateName[];

/** The gate of a call. Undefined: the call is counted with the other requests to its service. */
export const gateOf = (route: { gate?: GateName } | undefined, hasQuery: boolean): GateName | undefined =>
  route?.gate === 'search' && !hasQuery ? undefined : route?.gate;
