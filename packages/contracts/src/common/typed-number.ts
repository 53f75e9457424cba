/** "1,250", "1,250,000.50": a comma before exactly three digits separates thousands. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
const PLAIN = /^\d+(?:[.,]\d+)?$/;

/**
 * Normalizes a typed number to a decimal point: "1,250" → "1250", "12,50" → "12.50". null: not a number, or ambiguous
 * ("0,500").
 */
export function plainNumber(typed: string): string | null {
  const text = typed.trim();
  if (GROUPED.test(text)) return text.replaceAll(',', '');
  return PLAIN.test(text) && !/,\d{3}$/.test(text) ? text.replace(',', '.') : null;
}

/** "1,250" → 1250. null: not a whole number of at least 0. */
export function wholeNumber(typed: string): number | null {
  const plain = plainNumber(typed);
  return plain && /^\d+$/.test(plain) ? Number(plain) : null;
}
