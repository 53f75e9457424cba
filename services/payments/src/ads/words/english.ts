import type { AdPackage } from '@beltway/contracts/payments/ads';
import type { Language } from '@beltway/contracts/common/languages';

const DATE = new Intl.DateTimeFormat('en-US', {
  ...{ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  timeZone: 'America/New_York',
});

/** An email's subject and paragraphs, and the label of the link to the ad's page, if the email has that link. */
interface Letter {
  subject: string;
  paragraphs: string[];
  action?: string;
}

/** The texts of emails to buyers of ads. Each language has the same properties, with the same facts. */
export const english = {
  language: 'en' as Language,

  // Facts
  names: {
    package: 'Package',
    event: 'Event',
    paid: 'Paid',
    shownUntil: 'Runs until',
    why: 'Why',
  },
  bought: ({ name, duration }: AdPackage) => `${name}, ${duration}`,
  allIncluded: (amount: string) => `${amount}, all included`,
  day: (at: Date) => DATE.format(at),
  hello: (name: string) => `Hello ${name},`,
  help: (support: string) => `Questions? Email ${support}.`,

  // Emails, after the greeting
  ready: {
    subject: 'Your ad on Beltway: send us your photo and link',
    paragraphs: [
      'Thank you for your payment. Send us your ad’s photo and link. It starts when we approve them.',
      'You can do both on the page below, without an account. It also shows how often your ad was seen and clicked. Keep this email: anyone who has the link can change your ad.',
    ],
    action: 'Send photo and link',
  } as Letter,
  approved: {
    subject: 'Your ad is live on Beltway',
    paragraphs: ['We approved your ad. It’s running now.'],
    action: 'See how it’s doing',
  } as Letter,
  refused: {
    subject: 'We didn’t approve your ad: you get a refund',
    paragraphs: [
      'We reviewed your ad and won’t run it. We’re refunding everything you paid. Banks show it within 5 to 10 days.',
    ],
  } as Letter,
  rejected: {
    subject: 'Your ad needs a change',
    paragraphs: ['We reviewed your ad and can’t run it as it is. Send a different photo or link on the page below.'],
    action: 'Update your ad',
  } as Letter,
};

export type AdWords = typeof english;
