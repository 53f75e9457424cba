import { SAMPLE, type MailSamples } from '@beltway/kit/mail/samples';
import { adMail, type AdMailKind } from './mail.ts';
import type { AdOrder } from './orders.ts';

const ORDER: Omit<AdOrder, 'language'> = {
  ...{ id: '0b9e6f2c-5d0a-4f53-9c1e-0a6d4c9c7f10', packageId: 'premium', userId: null, linkKey: 'key' },
  ...{ businessName: 'The Wharf', contactEmail: SAMPLE.to, phone: '202-555-0123', eventTitle: 'Salsa Night' },
  ...{ eventDescription: 'Three bands.\nFree lessons.', specialRequests: '' },
};

/** Sample `detail` for each kind of mail. */
const details: Record<AdMailKind, string> = {
  ready: '',
  booked: '',
  approved: '2030-01-02T05:00:00.000Z',
  rejected: 'The picture has too much text.',
  refused: 'We show no such ads.',
};

export const samples: MailSamples = Object.fromEntries(
  Object.entries(details).map(([kind, detail]) => [
    `ad-${kind}`,
    (language) => adMail({ id: 'sample', kind: kind as AdMailKind, detail }, { ...ORDER, language }, SAMPLE)!,
  ]),
);
