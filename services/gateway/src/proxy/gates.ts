import { gate, type Gate } from '@beltway/kit/overload';
import type { RequestHandler } from 'express';
import { GATE_NAMES, GATES, gateOf, type GateBounds, type GateName } from '../routes/gates.ts';
import type { RouteTable } from '../routes/table.ts';

/**
 * While most answers take longer than this, a gate admits only as many requests as can be answered within this time.
 */
export const MAX_WAIT_MS = 2_000;

/** The gates for calls that are counted separately. */
export type Gates = Record<GateName, Gate>;

export function openGates(isBehind?: () => boolean): Gates {
  const open = ({ max, isTimed, givesWay }: GateBounds) =>
    gate(max, { ...(isTimed && { maxWaitMs: MAX_WAIT_MS }), ...(givesWay && { isBehind }) });
  return Object.fromEntries(GATE_NAMES.map((name) => [name, open(GATES[name])])) as Gates;
}

/** Applies the gates to calls that the gateway itself handles. The proxy applies them to calls to services. */
export const ownCallsInGates =
  (table: RouteTable, gates: Gates): RequestHandler =>
  (req, res, next) => {
    const route = table.find(req.method, req.path);
    const own = route?.service === 'gateway' ? gateOf(route, req.url.includes('?')) : undefined;
    // The client left while its request was counted, and 'close' was already emitted.
    if (own && !res.destroyed) res.once('close', gates[own].enter());
    next();
  };
