import { table } from '@beltway/kit/columns';
import { personal } from '@beltway/kit/personal-data';
import * as tables from './generated/tables.ts';

const IMAGES = 'One picture after the other, with its files; what somebody else sent too is theirs.';

/** Every column that contains account ids. Columns that the export code (person.ts) handles itself are not listed. */
export const PERSONAL = [
  personal(tables.images, 'uploadedBy', { erasure: { elsewhere: IMAGES } }),
  personal(tables.furtherUploads, 'uploadedBy', { erasure: { elsewhere: IMAGES } }),
  personal(tables.items, 'userId', { erasure: { elsewhere: 'The streams of photos and videos, with their files.' } }),
  personal(tables.itemLikes, 'userId', { erasure: { elsewhere: 'Counts of likes go along.' } }),
  personal(tables.uploaders, 'userId', { erasure: { elsewhere: 'The stream of the business is declined.' } }),
  // A table of the kit.
  personal(table('requests', { userId: 'int4' }), 'userId', { erasure: { elsewhere: 'forgetRequests of the kit.' } }),
  personal(tables.uploaderRequests, 'userId', {
    exported: { as: 'business', fields: ['businessName', 'about'], one: true },
    erasure: 'delete',
  }),
  personal(tables.clipEvents, 'ownerId', { erasure: { set: { ownerId: null } } }),
  personal(tables.ticketOrders, 'buyerId', { erasure: { set: { buyerId: null } } }),
  personal(tables.broadcastTerms, 'ownerId', { erasure: { kept: 'A copy of the catalog, which keeps its events.' } }),
];
