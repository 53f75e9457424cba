import { keyedText } from '@beltway/kit/secrets';

/** Whom a sale counts a guest as: the same for each spelling of an email, and no address in the log. */
export const guestOf = (secret: string, email: string): string =>
  keyedText(secret, 'buyer', email.trim().toLowerCase()).slice(0, 22);
