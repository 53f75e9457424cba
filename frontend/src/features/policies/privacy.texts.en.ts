import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Privacy',
  lead: 'What Beltway stores about you, why, and for how long. We use no advertising networks and no analytics services.',
  updated: 'November 28, 2026',
  looking: 'If you only look around',
  lookingWhat:
    'We don’t keep anything that identifies you. The numbers on the home page count accounts, events and tickets. An event page counts each visitor once a day, using a digest of your network address, your browser’s name and the event, made with a key for that day. We delete the key and the digests after the day, so no one can later tell what you looked at. We count sponsored placements the same way, when they are on your screen and when you open one. If you share an event, we keep a digest of your network address and that event for 30 days, so that it counts once. We count requests from your network address for a day at most, and while we hold tickets for you, so that no one can flood the site or take all the tickets. We don’t store it with what you looked at. The server log has the time, the page and the result of a request, not your address.',
  account: 'If you have an account',
  likes:
    'What you like and save, and where you say you’re going or interested, until you undo it. Others only see how many people did. No one sees how many people saved an event.',
  nameEmail:
    'Your name, email address, account type and the events you launch, until you delete your account under <account>Account</account>. You can do that yourself at any time.',
  network:
    'A digest of the network address you signed up from, made with a key, for 90 days, so that we notice people who refer themselves. If you came through someone’s link, we keep that. They see your name only if your profile is public.',
  asOrganizer:
    'Once you launch an event, your name appears on your organizer page, with the words, links and photos you add there. After you delete your account, it says ‘Deleted account’ instead. We keep who you follow until you unfollow them. Others only see how many followers someone has.',
  searches:
    'The searches you save and their names, until you delete them. A search near you stores your location to within about a kilometer. No one else sees them.',
  comments:
    'Your comments, for as long as you keep them, with your name beside them for everyone to see. Deleting a comment erases its text. If a comment was hidden, we keep a digest of it, so that the same text isn’t posted again. We keep the fact that you wrote, reported or moderated, and when, without the text.',
  password: 'Your password only as a hash (argon2id). No one can read it back.',
  signIns:
    'Your sessions: a session ends after 30 days without use, and after 90 days at the latest. We delete it a day after those 90 days. The fact that you signed out, and when, stays in the system’s records. We count failed sign-ins for a day, without what was typed.',
  deleting: 'If you delete your account',
  atOnce:
    'You’re signed out everywhere right away. Within minutes we delete your name, email address and password, your comments, likes, follows, saved events and searches, the photos you uploaded, and your name and address in orders and ads, including from the records they came from. Anything being written at that moment is deleted within a day.',
  ticketsStay:
    'Your tickets stay valid by their codes. No one can email you any more. Your past events stay, without your name and contact address. Upcoming ones are canceled.',
  money:
    'We keep payments, refunds and payouts as the law requires, under a number without your name. The card provider and the bank keep what they have under their own rules. What a moderator did and when, and when sessions ended, also stays under that number.',
  adName:
    'A business name in an ad that ran stays in that ad’s record. Backups are overwritten over time. Anything restored from one is deleted again.',
  notPossible:
    'You can’t delete your account while people hold tickets to your upcoming events, or while a payment to or from you is pending. The page tells you which.',
  ticket: 'If you buy a ticket',
  order:
    'The name and email address you give for the order, your tickets, and what was paid or refunded. We keep orders as a record of the sale, without an automatic deletion date. When you hold or cancel tickets, we keep a digest of your network address, and of your email address or account, made with a key, for as long as it limits how often you can: up to 2 days for holds, 30 for canceled orders.',
  card: 'Your card details never reach us. They go from your browser to the card provider, which tells us whether the payment worked. The provider has its own privacy policy.',
  whoSees:
    'The event’s organizer and the Beltway team see the name, email address, number of tickets, amount and order number, and can save them as a file.',
  orderMails: 'Emails about your order go through the mail server Beltway uses.',
  writing: 'If you write to us',
  writingWhat:
    'Your email address, your phone number if you give one, and your message. We keep them for a year and email them to the people who answer.',
  storage: 'Cookies and storage in your browser',
  refreshCookie: '<code>beltway_refresh</code>: keeps you signed in. Scripts can’t read it. Up to 90 days.',
  deviceCookie:
    '<code>beltway_device</code>: recognizes a browser that signed in before, so that someone guessing passwords elsewhere can’t lock you out. 180 days.',
  browserKeeps:
    'Your browser stores, for this site only: your sign-in, your theme and language, the order or promotion you’re paying for, a key that recognizes you as a guest, and what you typed but haven’t sent yet.',
  noneForAds: 'All of these do what you came for. None is for advertising or measurement, so we don’t ask for consent.',
  breaks: 'When something breaks',
  breaksWhat:
    'Your browser tells us which part of the page failed. We remove addresses, names, keys and long numbers before writing it to a log.',
  map: 'Map and location',
  mapWhat:
    'The map is ours, and we ask no one else for it. If this server uses Google Maps instead, your browser loads the map from Google, under Google’s rules. We ask your device for its location only when you press ‘Show my location’, and on the map it stays in the page. Our servers, not your browser, ask a weather service, which learns a location to a tenth of a degree at most.',
  elsewhere: 'Photos and links from other sites',
  elsewhereWhat:
    'An organizer can show a photo from another site. Your browser then loads it from that site. Links to other sites, such as shares or a discount, open there, under their rules.',
  ask: 'What you can request',
  askWhat:
    'With an account, you can download or delete your data under <account>Account</account>. To correct something, or for orders without an account, <contact>write to us</contact> from the email address it’s about.',
} as const;
export const texts = catalog(english, { es: () => import('./privacy.texts.es.ts') });
