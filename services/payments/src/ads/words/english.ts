import type { AdPackage } from '@beltway/contracts/payments/ads';
import type { Language } from '@beltway/contracts/common/languages';

const DATE = new Intl.DateTimeFormat('en-US', {
  ...{ weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' },
  timeZone: 'America/New_York',
});

/** A mail's subject, what it says, and on the link to the ad's page, if it has one. */
interface Letter {
  subject: string;
  paragraphs: string[];
  action?: string;
}

/** What who bought an ad is written. Each language has the same, of the same facts. */
export const english = {
  language: 'en' as Language,

  // Facts
  names: {
    package: 'Package',
    event: 'Event',
    paid: 'Paid',
    shownUntil: 'Shown until',
    why: 'Why',
  },
  bought: ({ name, duration }: AdPackage) => `${name}, ${duration}`,
  allIncluded: (amount: string) => `${amount}, all included`,
  day: (at: Date) => DATE.format(at),
  hello: (name: string) => `Hello ${name},`,
  help: (support: string) => `Questions? Write to ${support}.`,

  // Letters, after the greeting
  ready: {
    subject: 'Your ad on Beltway: send us picture and link',
    paragraphs: [
      'Thank you for your payment. Your ad starts when two things are done: you send us its picture and the address that it leads to, and we look at them.',
      'Both go by the page below, without an account. It also shows how often your ad was seen and clicked. Keep this mail: whoever has the link can change your ad.',
    ],
    action: 'Send picture and link',
  } as Letter,
  approved: {
    subject: 'Your ad is on Beltway',
    paragraphs: ['We have looked at your ad, and it is shown from now on.'],
    action: 'See how often it was seen',
  } as Letter,
  refused: {
    subject: 'We do not show your ad: you get your money back',
    paragraphs: [
      'We have looked at your ad and will not show it. All that you paid goes back the way it came; banks show it within 5 to 10 days.',
    ],
  } as Letter,
  rejected: {
    subject: 'Your ad needs a change',
    paragraphs: [
      'We have looked at your ad and cannot show it as it is. You can send another picture or link by the page below.',
    ],
    action: 'Change your ad',
  } as Letter,
};

export type AdWords = typeof english;
