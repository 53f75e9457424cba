/**
 * Calls that take long by their nature, or for as long as their reader takes. Each kind has a gate of its own, so that
 * calls that wait there neither count as its service being slow nor keep other calls out.
 */
export interface GateBounds {
  /** Under way at a gateway; one more is 503. */
  max: number;
  /**
   * One network's part (429), four times as much for an IPv6 /56 and sixteen for a /48: no client takes all of
   * them. Default: as many as it may have of other requests.
   */
  each?: number;
  /** Fewer while most answers take longer than two seconds, as of other requests. */
  isTimed?: true;
  /** At most 32 while the gateway's event loop is behind, as of other requests. */
  givesWay?: true;
}

export const GATES = {
  /** Steps of a purchase whose tickets are held: not turned away while the gateway is behind. */
  payment: { max: 500, isTimed: true },
  /** Anybody may send them, and only payments can check which are signed. */
  webhook: { max: 500, isTimed: true },
  /** An answer takes as long as its reader. */
  video: { max: 300, each: 60 },
  /** Has a password hashed. Identity's own queue divides the turns, and refuses the sender with most (decision 28). */
  password: { max: 500, each: 128, givesWay: true },
  /** Has a picture or a video made. */
  upload: { max: 32, each: 6 },
  /** Has a document drawn, or is a file of any length. */
  document: { max: 40, each: 8, givesWay: true },
  /** Reads many rows for one reader: lists and sums over all orders, all that is known of a person. */
  report: { max: 24, each: 6 },
  /** A feed is made of many events, and anybody can make up as many as there are searches. */
  feed: { max: 16, each: 8 },
  /** As many as anybody can make up. Only what has a parameter: the list without one is the same for all. */
  search: { max: 60, each: 24, isTimed: true, givesWay: true },
} satisfies Record<string, GateBounds>;

export type GateName = keyof typeof GATES;
export const GATE_NAMES = Object.keys(GATES) as GateName[];

/** The gate of a call; undefined: it is counted with the other requests of its service. */
export const gateOf = (route: { gate?: GateName } | undefined, hasQuery: boolean): GateName | undefined =>
  route?.gate === 'search' && !hasQuery ? undefined : route?.gate;
