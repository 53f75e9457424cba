import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import { SETTLING, type AuditKind, type SettlingKind } from '@beltway/contracts/identity/audit';
import type { AuditCommand, AuditEvent } from './events.ts';

const isSettling = (kind: AuditKind): kind is SettlingKind => (SETTLING as readonly AuditKind[]).includes(kind);

/** How the subject was settled. Undefined: it is open. */
export interface AuditState {
  settledBy: SettlingKind | undefined;
}

const REFUSED = {
  'dead-letter-replayed': 'already-replayed',
  'dead-letter-discarded': 'already-discarded',
} as const satisfies Record<SettlingKind, string>;

/** Records every action. The first settling action settles the subject. Repeating that action records nothing. */
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
