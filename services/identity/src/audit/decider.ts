import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import { SETTLING, type AuditKind, type SettlingKind } from '@beltway/contracts/identity/audit';
import type { AuditCommand, AuditEvent } from './events.ts';

const isSettling = (kind: AuditKind): kind is SettlingKind => (SETTLING as readonly AuditKind[]).includes(kind);

/** What the subject was settled by; undefined: it is not. */
export interface AuditState {
  settledBy: SettlingKind | undefined;
}

const REFUSED = {
  'dead-letter-replayed': 'already-replayed',
  'dead-letter-discarded': 'already-discarded',
} as const satisfies Record<SettlingKind, string>;

/** Everything is recorded, but that a subject is settled: by the first, once. Settled the same way again nothing new is recorded. */
export const audit: Decider<AuditState, AuditCommand, AuditEvent> = {
  initial: () => ({ settledBy: undefined }),

  decide({ type: _type, ...data }, { settledBy }) {
    if (isSettling(data.kind) && settledBy === data.kind) return [];
    if (isSettling(data.kind) && settledBy !== undefined) throw new Rejected(REFUSED[settledBy]);
    return [{ type: 'AdminActed', data }];
  },

  evolve(state, { data: { kind } }) {
    if (isSettling(kind)) state.settledBy = kind;
    return state;
  },
};
