import { streams, type ReadModel, type Store, type Streams } from '@beltway/event-store';
import { totp, type TotpState } from './decider.ts';
import type { TotpCommand, TotpEvent } from './events.ts';
import { projectTotp } from './projection.ts';

export type TotpFactors = Streams<TotpState, TotpCommand, TotpEvent>;

/** Sign-in codes of accounts. */
export const openTotpFactors = (store: Store): TotpFactors =>
  streams(store, { category: 'totp', decider: totp, projections: [projectTotp] });

/** What `npm run rebuild` truncates and replays. */
export const totpReadModel: ReadModel = {
  category: 'totp',
  projections: [projectTotp] as ReadModel['projections'],
  tables: ['totp_factors'],
};
