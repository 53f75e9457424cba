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
  decided: 'Moderation decisions',
  yourData: 'Your data',
  take: 'Get a copy of your data',
  takeWhy:
    'One file (JSON) with your profile, passkeys, orders and tickets, comments, likes, follows, saved searches, events, ads, payments, notifications and links to your photos. It doesn’t include orders you made without signing in.',
  making: 'Preparing the file…',
  download: 'Download my data',
  downloaded: 'Your data was downloaded.',
  deleteYours: 'Delete your account',
  deleteWhy:
    'Permanently deletes your account. You can’t do this while people hold tickets to your events or a payment or payout is pending.',
  deleteMine: 'Delete my account',
  deleteQuestion: 'Delete your account?',
  keep: 'Keep my account',
  deleting: 'Deleting…',
  signedOut: 'You’re signed out everywhere right away. This can’t be undone.',
  isDeleted:
    'We delete your name, email address, photos and comments, and everything you liked, saved, searched for and followed.',
  ticketsStay:
    '<strong>Your tickets stay valid, but they leave My Tickets.</strong> Keep the PDF or the link in your email. We won’t be able to email you if an event changes or is canceled. Refunds still go back to your card.',
  eventsGo: 'Your upcoming events are canceled. Ads run until they end.',
  paymentsStay: 'We keep payment records without your name.',
  password: 'Your password',
  enterPassword: 'Please enter your password',
  deleted: 'Your account was deleted',
  deletedWhy: 'You’re signed out everywhere.',
} as const;
export const texts = catalog(english, { es: () => import('./texts.es.ts') });
