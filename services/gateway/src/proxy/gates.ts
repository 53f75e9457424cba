import { gate, type Gate } from '@beltway/kit/overload';
import { GATE_NAMES, GATES, type GateBounds, type GateName } from '../routes/gates.ts';

/** While most answers take longer, a gate admits only as many requests as are answered within this time. */
export const MAX_WAIT_MS = 2_000;

/** The gates of calls that are counted apart. */
export type Gates = Record<GateName, Gate>;

export function openGates(isBehind?: () => boolean): Gates {
  const open = ({ max, isTimed, givesWay }: GateBounds) =>
    gate(max, { ...(isTimed && { maxWaitMs: MAX_WAIT_MS }), ...(givesWay && { isBehind }) });
  return Object.fromEntries(GATE_NAMES.map((name) => [name, open(GATES[name])])) as Gates;
}
