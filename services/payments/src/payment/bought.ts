import type { PaidLivestream } from '@beltway/contracts/catalog/livestream';
import type { PaidLevel } from '@beltway/contracts/catalog/promotion';

/** What one payment buys: the data needed to fulfill the purchase, without the price. */
export type Bought =
  | { purpose: 'tickets'; orderId: string; eventId: number }
  /** Hours of promotion of an event, by level (the catalogue in contracts/promotion.ts). */
  | { purpose: 'promotion'; eventId: number; level: Exclude<PaidLevel, 'livestream'> }
  /** A configured live stream of an event, with the promotion it includes. */
  | { purpose: 'livestream'; eventId: number; livestream: PaidLivestream }
  | { purpose: 'ad'; packageId: string };

/**
 * The platform's ledger account for each purpose. Ticket fees are in `platform`, without a suffix, because that account
 * is older than the other purposes.
 */
export const platformAccount = ({ purpose }: Bought): string =>
  purpose === 'tickets' ? 'platform' : `platform:${purpose}`;

/** The event that the purchase is for; null for an ad. */
export const eventOf = (bought: Bought): number | null => (bought.purpose === 'ad' ? null : bought.eventId);

/** The level of a promotion; null when no event is promoted. */
export const levelOf = (bought: Bought): PaidLevel | null =>
  bought.purpose === 'promotion' ? bought.level : bought.purpose === 'livestream' ? 'livestream' : null;
