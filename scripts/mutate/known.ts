/**
 * `line`: a part of the source line or of the two lines before it. `change`: the change as the run prints it. `why`:
 * the reason why no test can detect the change.
 */
export type Known = [line: string, change: string, why: string];

const NARROWS = 'Only narrows the type: the value is never missing here.';
const COMPARES = 'A comparison with undefined, null or NaN is false anyway.';
const EQUAL = 'Both sides are equal then: either one is the result.';
const REFUSED = 'Every later command is refused before it reads the field.';

/** The surviving mutants of each file that behave like the original. */
export const KNOWN: Record<string, Known[]> = {
  'packages/event-store/src/pg/faults.ts': [
    ["if (!(error instanceof Error) || !('code'", "|| !('code' in error) →", NARROWS],
    ["if ('transient' in error", "'transient' in error && →", NARROWS],
    ["const code = 'code' in error", "'code' in error → true", 'The text undefined is no code either.'],
  ],
  'services/catalog/src/ads/decider.ts': [
    ['return ad.isExtended', '&& guaranteedImpressions !== null →', NARROWS],
    ['if (!terms || !endsAt', '!terms || →', NARROWS],
    ['const isMissed', 'guaranteedImpressions !== null && →', COMPARES],
    ['ad.proposed = null;', 'ad.proposed = null; → ;', REFUSED],
  ],
  'services/catalog/src/event/decider.ts': [
    ['salesEnd <= salesStart', 'salesStart && →', COMPARES],
    ['salesEnd <= salesStart', '&& salesEnd →', COMPARES],
    ["changed.includes('capacity')", '?? 0 →', 'Null counts as 0 in a comparison with a number.'],
    ['if (listing.details) listing.details', 'listing.details → true', NARROWS],
    ['if (listing.livestream)', 'listing.livestream → true', NARROWS],
  ],
  'services/identity/src/audit/decider.ts': [['settledBy === data.kind', 'isSettling(data.kind) && →', NARROWS]],
  'services/identity/src/engagement/challenge/decider.ts': [
    ['lotOf(terms, a) - lotOf', '< → <=', 'The condition before it handles equal times.'],
    ['lotOf(terms, a) - lotOf', '|| a - b →', 'Matters for two accounts with one lot: one pair in four billion.'],
    ['lotOf(terms, a) - lotOf', '- → +', 'Matters for two accounts with one lot: one pair in four billion.'],
  ],
  'services/identity/src/moderation/decider.ts': [
    ['command.authorId !== authorId', 'authorId === null || →', NARROWS],
    ["if (!appealable || appeal !== 'open')", '!appealable || →', NARROWS],
  ],
  'services/identity/src/user/decider.ts': [
    ['if (user.email === undefined', 'user.email === undefined || →', NARROWS],
    ['user.isVerified = false;', 'user.isVerified = false; → ;', 'EmailVerified follows in the same append.'],
    ['user.isVerified = false;', 'false → true', 'EmailVerified follows in the same append.'],
    ['user.credentialId = undefined;', 'user.credentialId = undefined; → ;', REFUSED],
    ['user.credentialId = undefined; user.generation', 'user.generation = data.generation; → ;', REFUSED],
  ],
  'services/media/src/broadcast/decider.ts': [
    ['isReceiving: false,', 'false → true', 'Without a session nothing is received.'],
    ['isReceiving && session !== null', '&& session !== null →', NARROWS],
    [
      "return status === 'live' && !isReceiving",
      "status === 'live' && →",
      'The end of a broadcast clears its session.',
    ],
    ['state.session = null;', 'state.session = null; → ;', 'The next line has the same effect.'],
    [
      'state.session = null; state.isReceiving = false;',
      'state.isReceiving = false; → ;',
      'The line before has the same effect.',
    ],
    ['state.session = null; state.isReceiving = false;', 'false → true', 'The line before has the same effect.'],
  ],
  'services/payments/src/payment/decider.ts': [
    ["...(['purpose'", "'purpose', →", 'Purchases of two purposes differ in their other fields.'],
    ["...('livestream' in bought", "'livestream' in bought && →", NARROWS],
    ["if ('currency' in command", "'currency' in command && →", NARROWS],
    ["if ('currency' in command", '&& command.currency !== undefined →', NARROWS],
    ['recorded === undefined || !paid', '|| !paid →', NARROWS],
    ['const cents = requestId === undefined', 'requestId === undefined → false', NARROWS],
    ['const cents = requestId === undefined', '?? leftCents →', NARROWS],
    ['const own = requestId === undefined', 'requestId === undefined → false', NARROWS],
    ['const own = requestId === undefined', '?? 0 →', NARROWS],
    ['return part !== undefined', 'part !== undefined && →', NARROWS],
    ['parts.has(requestId)', 'requestId !== undefined && →', NARROWS],
    [
      'payment.refunds.delete',
      'payment.refunds.delete(data.refundId); → ;',
      'A failed refund is looked up in failedRefunds first.',
    ],
    ['const part = requestId === undefined', 'requestId === undefined → false', NARROWS],
  ],
  'services/realtime/src/chat/decider.ts': [
    ['until !== undefined && until > now', 'until !== undefined && →', COMPARES],
    ['before === undefined) return;', 'slowModeSeconds === 0 || →', COMPARES],
    ['before === undefined) return;', '|| before === undefined →', COMPARES],
    ['before === undefined) return;', 'slowModeSeconds === 0 || before === undefined → false', COMPARES],
    ['before === undefined) return;', 'return; → ;', COMPARES],
    ['until !== null && until <= data.at', 'until !== null && →', COMPARES],
  ],
  'services/ticketing/src/sale/decider.ts': [
    [
      'time !== sum.time',
      'time !== sum.time || minutes !== sum.minutes → true',
      'The last sum is only kept for speed.',
    ],
    ['const later', '> → >=', EQUAL],
    ['const earlier', '< → <=', EQUAL],
    ['at >= terms.endsAt', 'terms.endsAt && →', COMPARES],
    ['at < terms.opensAt', 'terms.opensAt && →', COMPARES],
    ['at >= terms.closesAt', 'terms.closesAt && →', COMPARES],
    ['const old = replaces === undefined', 'replaces === undefined → false', NARROWS],
    ['if (!old || replaces === undefined)', '|| replaces === undefined →', NARROWS],
    ['if (!hold) return sale;', '!hold → false', 'The rules write such an event for open holds only.'],
  ],
};
