import { gate, type Gate } from '@beltway/kit/overload';
import type { RequestHandler } from 'express';
import { GATE_NAMES, GATES, gateOf, type GateBounds, type GateName } from '../routes/gates.ts';
import type { RouteTable } from '../routes/table.ts';

/** While most answers take longer, a gate admits only as many requests as are answered within this time. */
export const MAX_WAIT_MS = 2_000;

/** The gates of calls that are counted apart. */
export type Gates = Record<GateName, Gate>;

export function openGates(isBehind?: () => boolean): Gates {
  const open = ({ max, isTimed, givesWay }: GateBounds) =>
    gate(max, { ...(isTimed && { maxWaitMs: MAX_WAIT_MS }), ...(givesWay && { isBehind }) });
  return Object.fromEntries(GATE_NAMES.map((name) => [name, open(GATES[name])])) as Gates;
}

/** Holds calls that the gateway answers itself in their gate; those of services enter it on their way there. */
export const ownCallsInGates =
  (table: RouteTable, gates: Gates): RequestHandler =>
  (req, res, next) => {
    const route = table.find(req.method, req.path);
    const own = route?.service === 'gateway' ? gateOf(route, req.url.includes('?')) : undefined;
    // The client left while its request was counted: 'close' was emitted already.
    if (own && !res.destroyed) res.once('close', gates[own].enter());
    next();
  };
