import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  forgot: 'Forgot your password',
  forgotQuestion: 'Forgot your password?',
  forgotWhy: 'We’ll email you a link to reset your password.',
  onItsWay: 'If there’s an account for <email></email>, we’ve sent it a link. The link works once, for 30 minutes.',
  nothingCame: 'Nothing yet? Check your spam folder and the address. You can request three emails an hour.',
  anotherAddress: 'Use a different email',
  email: 'Email',
  sending: 'Sending…',
  sendLink: 'Send me a link',
  backToSignIn: 'Back to sign in',
  choose: 'Reset your password',
  chooseWhy: 'This signs you out on all devices. Then sign in with the new password.',
  openLink: 'Open the link in the email we sent you. It works once, for 30 minutes.',
  askForLink: 'Get a link',
  changed: 'Your password was changed',
  changedWhy: 'Sign in with your new password. You’re signed out on all devices.',
  newPassword: 'New password',
  changing: 'Changing…',
  change: 'Change my password',
  anotherLink: 'Get a new link',
  confirm: 'Confirm your email address',
  confirmed: 'Your email is confirmed',
  fromNow:
    '<email></email> is now your account’s email. Tickets you bought with it as a guest will appear in My Tickets in a moment.',
  myTickets: 'My Tickets',
  account: 'Account',
  openVerifyLink: 'Open the link in the email we sent you. You can resend it from your account.',
  signInFirst:
    'Sign in to the account this email is about, then come back here. This keeps your tickets from going to someone else.',
  signIn: 'Sign in',
  signedInAs: 'You’re signed in as <name></name>. Is this your account? Then confirm your email.',
  confirming: 'Confirming…',
  confirmMine: 'Confirm my email',
} as const;
export const texts = catalog(english, { es: () => import('./links.texts.es.ts') });
