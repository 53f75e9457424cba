import { table } from '@beltway/kit/columns';

export const stock = table('stock', { eventId: 'int4', sold: 'int4', held: 'int4', version: 'int8' });
