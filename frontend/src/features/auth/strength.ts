export interface Strength {
  /** 0 (too short) to 4. */
  score: 0 | 1 | 2 | 3 | 4;
  /** The text key of the label. */
  label: (typeof LABELS)[number];
}

/** services/identity/PRODUCT.md#accounts */
export const PASSWORD_MIN = 6;
const LABELS = ['tooShort', 'weak', 'fair', 'good', 'strong'] as const;

/**
 * Estimates the strength from length and variety; repetition and runs such as "1234" lower it. Only the server rejects
 * common passwords.
 */
export function strengthOf(password: string): Strength {
  const say = (score: Strength['score']): Strength => ({ score, label: LABELS[score] });
  if (password.length < PASSWORD_MIN) return say(0);
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z\d]/].filter((kind) => kind.test(password)).length;
  const different = new Set(password.toLowerCase()).size;
  const isRun = /(0123|1234|2345|3456|4567|5678|6789|abcd|qwer|asdf|zxcv|passw)/i.test(password);
  if (different <= 4 || (isRun && password.length < 12)) return say(1);
  const points = Math.min(different, 20) + kinds * 2;
  return say(points < 12 ? 1 : points < 16 ? 2 : points < 20 ? 3 : 4);
}
