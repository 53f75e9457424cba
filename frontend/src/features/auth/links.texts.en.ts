import { catalog } from '../../lib/i18n/catalog.ts';

const english = {
  forgot: 'Forgot your password',
  forgotQuestion: 'Forgot your password?',
  forgotWhy: 'We send you a link by which you choose another one.',
  onItsWay:
    'If there is an account with the address <email></email>, a mail with a link is on its way. The link is good for 30 minutes and works once.',
  nothingCame:
    'Nothing came? Look into the spam folder, and whether the address is right. Three mails an hour are sent.',
  anotherAddress: 'Try another address',
  email: 'Email',
  sending: 'Sending…',
  sendLink: 'Send me a link',
  backToSignIn: 'Back to sign in',
  choose: 'Choose another password',
  chooseWhy: 'You are then signed out on all devices, and sign in with the new one.',
  openLink: 'Open the link in the mail that we sent you. A link is good for 30 minutes and works once.',
  askForLink: 'Ask for a link',
  changed: 'Your password is changed',
  changedWhy: 'Sign in with it. All devices are signed out.',
  newPassword: 'New password',
  changing: 'Changing…',
  change: 'Change my password',
  anotherLink: 'Ask for another link',
  confirm: 'Confirm your email address',
  confirmed: 'Your address is confirmed',
  fromNow:
    'From now on <email></email> is the address of your account. Tickets that you bought with it as a guest are in My Tickets in a moment.',
  myTickets: 'My Tickets',
  account: 'Account',
  openVerifyLink: 'Open the link in the mail that we sent you. You can have it sent again at your account.',
  signInFirst: 'Sign in to the account that the mail is about, and come back here. So nobody else gets your tickets.',
  signIn: 'Sign in',
  signedInAs: 'You are signed in as <name></name>. Did you open this account? Then confirm that the mail reached you.',
  confirming: 'Confirming…',
  confirmMine: 'Confirm my address',
} as const;
export const texts = catalog(english, { es: () => import('./links.texts.es.ts') });
