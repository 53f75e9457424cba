import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  account: 'Account',
  name: 'Name',
  email: 'Email',
  accountType: 'Account type',
  explorer: 'Event Explorer',
  owner: 'Business Owner',
  admin: 'Admin',
  signingIn: 'Signing in',
  decided: 'What we decided about yours',
  yourData: 'Your data',
  take: 'Take it with you',
  takeWhy:
    'One file (JSON) with your profile, passkeys, orders and tickets, comments, likes, follows, saved searches, events, ads, payments, notifications and the addresses of your pictures. Orders that you made without signing in are not in it.',
  making: 'Making the file…',
  download: 'Download my data',
  downloaded: 'Your data is downloaded.',
  deleteYours: 'Delete your account',
  deleteWhy:
    'For good, after you typed your password. Not while people have tickets for events of yours, or money of yours is on its way.',
  deleteMine: 'Delete my account',
  deleteQuestion: 'Delete your account?',
  keep: 'Keep my account',
  deleting: 'Deleting…',
  signedOut: 'You are signed out everywhere at once. This cannot be undone.',
  isDeleted:
    'Your name, your email address, your pictures and comments, and what you liked, saved, searched for and followed are deleted.',
  ticketsStay:
    '<strong>Tickets stay valid, but leave My Tickets.</strong> Keep their PDF or the link in your mail. We can no longer write to you, also not when an event changes or is canceled; a refund goes back to the card.',
  eventsGo: 'Events of yours that are still to come are canceled. Ads run to their end.',
  paymentsStay: 'Records of payments stay, without your name.',
  password: 'Your password',
  enterPassword: 'Please enter your password',
  deleted: 'Your account is deleted',
  deletedWhy: 'You are signed out everywhere.',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
