import type { Upcasts } from '@beltway/event-store';
import { upcastPayment } from './payment/upcast.ts';

/** By category, how events stored in an old shape are read as today's. */
export const upcasts: Upcasts = { payment: upcastPayment };
