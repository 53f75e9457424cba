import { personal } from '@beltway/kit/personal-data';
import * as tables from './generated/tables.ts';

const CATALOG = 'A copy of the catalog, which keeps its events.';

/** Reactions and mutes refer to a person, who may be a guest; chat/person.ts exports them. */
const OF_CHATS = [
  personal(tables.chatMessages, 'userId', {
    exported: {
      as: 'messages',
      fields: ['room', 'seq', 'userName', 'message', 'createdAt', 'removedAt'],
      newest: 'createdAt',
    },
    erasure: { elsewhere: 'The streams of their rooms: the words leave the log, too.' },
  }),
  personal(tables.chatEvents, 'ownerId', { erasure: { kept: CATALOG } }),
];
/**
 * A column that an export covers with its own code is not listed: notifications are exported as text, contributions by
 * kind.
 */
export const OF_NOTIFICATIONS = [
  personal(tables.notifications, 'userId', { erasure: 'delete' }),
  personal(tables.notificationPreferences, 'userId', { erasure: 'delete' }),
  personal(tables.pushSubscriptions, 'userId', { erasure: 'delete' }),
];
/** Orders stay as guest orders. */
export const OF_ORDERS = [personal(tables.notedOrders, 'buyerId', { erasure: { set: { buyerId: null } } })];

export const OF_COMMUNITY = [
  personal(tables.communityBlocks, 'userId', {
    exported: { as: 'blocks', fields: ['blockedId as userId', 'createdAt'], newest: 'id' },
    erasure: 'delete',
  }),
  personal(tables.communityBlocks, 'blockedId', { erasure: 'delete' }),
  personal(tables.communityPeople, 'userId', { erasure: 'delete' }),
];

/** Each column that refers to an account. */
export const PERSONAL = [
  ...[...OF_CHATS, ...OF_NOTIFICATIONS, ...OF_ORDERS, ...OF_COMMUNITY],
  personal(tables.notedEvents, 'ownerId', { erasure: { kept: CATALOG } }),
  personal(tables.contributions, 'authorId', { erasure: { elsewhere: 'Each as its author deletes it.' } }),
  personal(tables.contributionMarks, 'userId', { erasure: { elsewhere: 'Counts of likes and shares go along.' } }),
  personal(tables.contributionModerations, 'moderatorId', { erasure: { kept: 'Decisions stay, by number alone.' } }),
];
