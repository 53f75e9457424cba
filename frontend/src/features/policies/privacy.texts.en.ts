import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  title: 'Privacy',
  lead: 'What Beltway keeps of you, why, and for how long. No advertising network and no analytics service is built in.',
  updated: 'November 28, 2026',
  looking: 'If you only look around',
  lookingWhat:
    "Nothing is kept by which you could be known again. The counts on the home page are counts of accounts, events and tickets. An event's page counts its visitors, each once a day: by a digest of your network address, your browser's name and the event, made with a key of that day. Key and digests are deleted after the day, so that nobody can say afterwards what you looked at. Sponsored places are counted in the same way when they are on your screen, and when you open one. If you share an event, a digest of your network address and that event is kept for 30 days, so that it counts once. Your network address is counted for at most a day, and while tickets are held for you, so that nobody can flood the site or take all tickets; it is not stored with what you looked at. The servers' log has the time, the page and the outcome of a request, and not your address.",
  account: 'If you have an account',
  likes:
    'What you like and save, and where you say that you go or may go, until you take it back. Others see only how many did; how many saved an event is shown to nobody.',
  nameEmail:
    'Your name, your email address, your account type and the events you launch, until you delete your account: under <account>Account</account>, at once and by yourself.',
  network:
    "A digest of the network address that you registered from, made with a key, for 90 days: so that we notice who refers themselves. If you came by somebody's link, that you did; they see your name only if you show your profile.",
  asOrganizer:
    'Your name stands on your page as an organizer, once you have launched an event, and after your account is deleted ‘Deleted account’ in its place. Whom you follow is kept until you no longer do; others see only how many follow somebody.',
  searches:
    'The searches that you save, with their names, until you delete them; one around where you are keeps that place to about a kilometer. Nobody else sees them.',
  comments:
    'Your comments, for as long as you let them stand, with your name beside them for everybody. Deleting one erases its words. Of a comment that was hidden we keep a digest, so that the same words are not posted again; that you wrote, reported or moderated, and when, stays without the words.',
  password: 'Your password only as a hash (argon2id). Nobody can read it back.',
  signIns:
    'Your sign-ins: a session ends after 30 days without use and after 90 days at the latest; a day after those 90 days it is deleted. That you signed out, and when, stays in the record of the system. Failed sign-ins are counted for a day, without what was typed.',
  deleting: 'If you delete your account',
  atOnce:
    'You are signed out everywhere at once. Your name, email address and password, your comments, likes, follows, saved events and searches, the pictures you uploaded, and your name and address in orders and ads are deleted within minutes, also from the records that these were made of. What was being written at that moment is deleted within a day.',
  ticketsStay:
    'Your tickets stay valid by their codes. Nobody can write to you any more. Events of yours that took place stay, without your name and address to write to; those still to come are canceled.',
  money:
    'What was paid, refunded and paid out stays as the law wants records of money kept: by a number, without the person. The card provider, and the bank, keep what they have under rules of their own. What a moderator did and when, and when sessions ended, stays by that number too.',
  adName:
    'The name of a business in an ad that was shown stays in the record of that ad. Backups are overwritten in their turn; what comes back from one is deleted again.',
  notPossible:
    'It is not possible while people have tickets for events of yours that are still to come, or while money is on its way to or from you. The page says which.',
  ticket: 'If you buy a ticket',
  order:
    'The name and email address you give for the order, your tickets, and what was paid or refunded. Orders are kept as the record of the sale; there is no date by which they are deleted by themselves. When you hold or cancel tickets, a digest of your network address, and of your email address or account, made with a key, for as long as it limits how often: up to 2 days for holds, 30 for canceled orders.',
  card: 'Your card never reaches us. Its number goes from your browser to the card provider, which tells us whether the payment worked. The provider has a privacy policy of its own.',
  whoSees:
    'The organizer of the event, and the people behind Beltway, see the name, the email address, the number of tickets, the amount and the number of the order, and can save them as a file.',
  orderMails: 'Mails about your order go through the mail server that Beltway uses.',
  writing: 'If you write to us',
  writingWhat:
    'Your email address, your phone number if you give one, and your words. They are kept for a year and mailed to the people who answer.',
  storage: 'Cookies and storage in your browser',
  refreshCookie: '<code>beltway_refresh</code>: keeps you signed in. No script can read it. Up to 90 days.',
  deviceCookie:
    '<code>beltway_device</code>: tells a browser that signed in before from others, so that somebody guessing passwords elsewhere cannot lock you out. 180 days.',
  browserKeeps:
    'Your browser keeps, for this site alone: your sign-in, the theme and the language you chose, the order or promotion you are paying, a key by which you are known as a guest, and what you typed and did not send yet.',
  noneForAds:
    'All of these do what you came for. There are none for advertising or for measuring, so you are asked nothing.',
  breaks: 'When something breaks',
  breaksWhat:
    'Your browser tells us which part of the page failed. Addresses, names, keys and long numbers are taken out before it is written to a log.',
  map: 'Map and position',
  mapWhat:
    "The map is ours, and nobody else is asked for it. Where this Beltway is set up with Google Maps instead, your browser loads the map from Google, under Google's rules. Your device is asked where you are only when you press ‘Show where I am’, and on the map its position stays in the page. A weather service is asked by our servers, not by your browser, and learns a place to a tenth of a degree at most.",
  elsewhere: 'Pictures and links from elsewhere',
  elsewhereWhat:
    'An organizer can show a picture that lies on another site. Your browser then asks that site for it. Links to other sites, such as shares or a discount, open there, under their rules.',
  ask: 'What you can ask for',
  askWhat:
    'With an account, download what is kept of you, or delete it, under <account>Account</account>. To have something corrected, and for orders without an account: <contact>write to us</contact>. Please do so from the address that it is about.',
} as const;
export const texts = catalog(english, { es: () => import('./privacy.texts.es.ts') });
