import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { PaidLevel } from '@beltway/contracts/catalog/promotion';

/** What one payment buys: what is needed to hand it over, and nothing of the price. */
export type Bought =
  | { purpose: 'tickets'; orderId: string; eventId: number }
  /** So many hours of promotion of an event, as the catalogue in contracts/promotion.ts says of the level. */
  | { purpose: 'promotion'; eventId: number; level: Exclude<PaidLevel, 'livestream'> }
  /** A live stream of an event, as it was configured, with the promotion that comes with it. */
  | { purpose: 'livestream'; eventId: number; livestream: PaidLivestream }
  | { purpose: 'ad'; packageId: string };

/** The ledger's account of the platform for what is sold. `platform` are the fees: it is named so from the first booking on. */
export const platformAccount = ({ purpose }: Bought): string =>
  purpose === 'tickets' ? 'platform' : `platform:${purpose}`;

/** The event it is of; an ad is of none. */
export const eventOf = (bought: Bought): number | null => (bought.purpose === 'ad' ? null : bought.eventId);

/** The level of a promotion; null for what promotes no event. */
export const levelOf = (bought: Bought): PaidLevel | null =>
  bought.purpose === 'promotion' ? bought.level : bought.purpose === 'livestream' ? 'livestream' : null;
