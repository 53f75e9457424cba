import { AdPackageId } from '@beltway/contracts/payments/ads';
import { random } from '../random.ts';

/** Changes to a sale during its night. Times are in ms after the night began. */
export interface SalePlan {
  name: string;
  capacity: number;
  /** Dollars. */
  price: number;
  /** When the organizer adds stock; null: never. */
  growsAt: number | null;
  growsTo: number;
  canceledAt: number | null;
  promotions: PromotionPlan[];
  /** Ads that guests buy during the run. */
  ads: AdPlan[];
}

/** Outcomes of a promotion's payment. */
export const PROMOTION_ENDS = [
  [4, 'pay'],
  [3, 'pay-and-vanish'],
  [2, 'decline-then-pay'],
  [1, 'leave'],
] as const;

/** A promotion that the organizer buys; `at` in ms after the night began. */
export interface PromotionPlan {
  at: number;
  level: 'featured' | 'premium' | 'livestream';
  /** Requests the payment twice concurrently. */
  twice: boolean;
  end: (typeof PROMOTION_ENDS)[number][1];
}

/** An ad that a guest buys; `at` in ms after the night began. */
export interface AdPlan extends Pick<PromotionPlan, 'at' | 'twice' | 'end'> {
  packageId: AdPackageId;
}

/** Outcomes of a purchase. */
export const ENDS = [
  [40, 'pay'],
  [12, 'pay-and-vanish'],
  [12, 'pay-late'],
  [8, 'decline-then-pay'],
  [6, 'decline'],
  [5, 'extend-then-pay'],
  [9, 'leave'],
  [8, 'give-back'],
] as const;
export type End = (typeof ENDS)[number][1];

/** How the buyer repeats the first request with the same idempotency key. */
export const REPEATS = [
  [60, 'not'],
  [12, 'after'],
  [10, 'during'],
  [12, 'elsewhere'],
  [6, 'other-body'],
] as const;
export type Repeat = (typeof REPEATS)[number][1];

/** The tickets that a buyer cancels, in one request or in two concurrent ones. */
export const CANCELS = [
  [80, 'nothing'],
  [8, 'one'],
  [6, 'all'],
  [6, 'one-and-all'],
] as const;
export type Cancels = (typeof CANCELS)[number][1];

/** The plan of one buyer, determined by seed and number. */
export interface Attempt {
  n: number;
  /** Time of the attempt, in ms after the load began. */
  at: number;
  night: number;
  sale: number;
  quantity: number;
  /** Index of a member; null: a guest. */
  member: number | null;
  /** True: holds, then requests the intent. False: requests the intent immediately, which also holds. */
  holdsFirst: boolean;
  repeat: Repeat;
  end: End;
  /** Pause in ms before the card is submitted. */
  thinks: number;
  /** Reads the order again afterwards. */
  looks: boolean;
  /** Which of the bought tickets the buyer cancels. */
  cancels: Cancels;
}

export const MEMBERS = 8;
export const NIGHT_MS = 15_000;
const SALES: ReadonlyArray<readonly [name: string, min: number, max: number, weight: number]> = [
  ['Broom Closet', 8, 14, 3],
  ['Rooftop', 25, 40, 4],
  ['Ballroom', 90, 140, 2],
  ['Called Off', 40, 70, 2],
  ['Extra Chairs', 15, 25, 3],
];

/**
 * Promotions of a sale. The promotions of a canceled sale are bought shortly before the cancellation, so that some
 * payments are too late.
 */
function promotionsOf(seed: string, name: string, canceledAt: number | null): PromotionPlan[] {
  const { chance, int, weighed } = random(`${seed}:promotions:${name}`);
  return (['featured', 'premium', 'livestream', 'featured'] as const).map((level) => ({
    at: canceledAt === null ? int(0, NIGHT_MS - 3_000) : Math.max(0, canceledAt + int(-2_500, 0)),
    level,
    twice: chance(0.3),
    end: weighed(PROMOTION_ENDS),
  }));
}

function adsOf(seed: string, name: string): AdPlan[] {
  const { chance, int, weighed } = random(`${seed}:ads:${name}`);
  const packages = AdPackageId.options;
  return Array.from({ length: 2 }, () => ({
    at: int(0, NIGHT_MS - 3_000),
    packageId: packages[int(0, packages.length - 1)]!,
    twice: chance(0.3),
    end: weighed(PROMOTION_ENDS),
  }));
}

/** The sales that open together in a night, and their planned changes. */
export function nightPlan(seed: string, night: number): SalePlan[] {
  const { int, next } = random(`${seed}:night:${night}`);
  return SALES.map(([name, min, max]) => {
    const capacity = int(min, max);
    const plan = {
      name: `${name} ${night + 1}`,
      capacity,
      price: int(5, 80),
      growsAt: name === 'Extra Chairs' ? Math.round(NIGHT_MS * (0.3 + next() * 0.3)) : null,
      growsTo: capacity + int(5, 30),
      canceledAt: name === 'Called Off' ? Math.round(NIGHT_MS * (0.4 + next() * 0.4)) : null,
    };
    return { ...plan, promotions: promotionsOf(seed, plan.name, plan.canceledAt), ads: adsOf(seed, plan.name) };
  });
}

/** The n-th attempt of a load at this rate per second. */
export function attemptOf(seed: string, n: number, perSecond: number): Attempt {
  const { int, chance, next, weighed } = random(`${seed}:wish:${n}`);
  const at = Math.round((n / perSecond) * 1000 + next() * 100);
  const now = Math.floor(at / NIGHT_MS);
  return {
    n,
    at,
    // Some buyers still want tickets of the previous night.
    night: now > 0 && chance(0.15) ? now - 1 : now,
    sale: weighed(SALES.map(([, , , weight], index) => [weight, index] as const)),
    quantity: chance(0.6) ? int(1, 3) : int(4, 10),
    member: chance(0.4) ? int(0, MEMBERS - 1) : null,
    // The checkout page sends the hold first. The other buyers use the API call that holds tickets and requests the
    // intent in one step.
    holdsFirst: chance(0.9),
    repeat: weighed(REPEATS),
    end: weighed(ENDS),
    thinks: int(0, 900),
    looks: chance(0.5),
    cancels: weighed(CANCELS),
  };
}
