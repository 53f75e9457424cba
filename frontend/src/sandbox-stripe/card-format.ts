export interface Brand {
  name: 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown';
  label: string;
  lengths: number[];
  groups: number[];
  cvc: number;
}

const fours = [4, 4, 4, 4, 3];
const brands: Array<[RegExp, Brand]> = [
  [/^4/, { name: 'visa', label: 'Visa', lengths: [16], groups: fours, cvc: 3 }],
  [
    /^(5[1-5]|2(22[1-9]|2[3-9]|[3-6]|7[01]|720))/,
    { name: 'mastercard', label: 'Mastercard', lengths: [16], groups: fours, cvc: 3 },
  ],
  [/^3[47]/, { name: 'amex', label: 'American Express', lengths: [15], groups: [4, 6, 5], cvc: 4 }],
  [/^3(0[0-5]|[689])/, { name: 'diners', label: 'Diners Club', lengths: [14, 16], groups: [4, 6, 6], cvc: 3 }],
  [/^35/, { name: 'jcb', label: 'JCB', lengths: [16], groups: fours, cvc: 3 }],
  [/^(6011|64[4-9]|65)/, { name: 'discover', label: 'Discover', lengths: [16], groups: fours, cvc: 3 }],
  [/^62/, { name: 'unionpay', label: 'UnionPay', lengths: [16, 17, 18, 19], groups: fours, cvc: 3 }],
];
const unknown: Brand = { name: 'unknown', label: '', lengths: [16], groups: fours, cvc: 3 };

export const digitsOf = (text: string): string => text.replace(/\D/g, '');

/** The brand, from the number's first digits; `unknown` until they are unambiguous. */
export const brandOf = (number: string): Brand =>
  brands.find(([start]) => start.test(digitsOf(number)))?.[1] ?? unknown;

/** Digits in the groups printed on the card, cut to the brand's length. */
export function formatNumber(text: string): string {
  const { lengths, groups } = brandOf(text);
  let rest = digitsOf(text).slice(0, Math.max(...lengths));
  const parts: string[] = [];
  for (const size of groups) {
    if (!rest) break;
    parts.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  return parts.join(' ');
}

/** `MM / YY`. A month above 1 gets a leading zero; `12/2029`, as browsers fill it in, becomes `12 / 29`. */
export function formatExpiry(text: string, deleting = false): string {
  let digits = digitsOf(text);
  if (/^[2-9]/.test(digits) || /^1\s*\//.test(text)) digits = `0${digits}`;
  if (/^\d{2}20\d{2}$/.test(digits)) digits = digits.slice(0, 2) + digits.slice(4);
  digits = digits.slice(0, 4);
  if (digits.length < 2 || (deleting && digits.length === 2)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function luhn(digits: string): boolean {
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

export interface FieldFault {
  code: string;
  message: string;
  /** True if further typing cannot correct the fault. It is then shown immediately, not on blur. */
  wrong: boolean;
}
const fault = (code: string, message: string, wrong = false): FieldFault => ({ code, message, wrong });

/** Stripe's error message and error code for an invalid field; null for a valid field. */
export function numberFault(text: string): FieldFault | null {
  const digits = digitsOf(text);
  const { lengths } = brandOf(digits);
  if (digits.length < Math.min(...lengths)) return fault('incomplete_number', 'Your card number is incomplete.');
  return lengths.includes(digits.length) && luhn(digits)
    ? null
    : fault('invalid_number', 'Your card number is invalid.', digits.length >= Math.max(...lengths));
}

export function expiryFault(text: string, today: Date = new Date()): FieldFault | null {
  const digits = digitsOf(text);
  const month = Number(digits.slice(0, 2));
  if (digits.length >= 2 && (month < 1 || month > 12))
    return fault('invalid_expiry_month', "Your card's expiration date is invalid.", true);
  if (digits.length < 4) return fault('incomplete_expiry', "Your card's expiration date is incomplete.");
  const year = 2000 + Number(digits.slice(2));
  if (year < today.getFullYear())
    return fault('invalid_expiry_year_past', "Your card's expiration year is in the past.", true);
  if (year === today.getFullYear() && month < today.getMonth() + 1)
    return fault('invalid_expiry_month_past', "Your card's expiration date is in the past.", true);
  return year > today.getFullYear() + 50
    ? fault('invalid_expiry_year', "Your card's expiration year is invalid.", true)
    : null;
}

export const cvcFault = (text: string, number: string): FieldFault | null =>
  digitsOf(text).length === brandOf(number).cvc
    ? null
    : fault('incomplete_cvc', "Your card's security code is incomplete.");
