import type { AdContent } from '@beltway/contracts/catalog/served-ads';
import type { Decider } from '@beltway/event-store';
import { Rejected } from '@beltway/kit/rejected';
import type { AdCommand, AdEvent, AdTerms } from './events.ts';

export interface Ad {
  terms: AdTerms | null;
  /** The number of the latest submission; 0: none. */
  submission: number;
  /** The submitted content that awaits an admin's review. */
  proposed: AdContent | null;
  shown: (AdContent & { submission: number }) | null;
  /** When the ad's time begins; null before the first approval. */
  startsAt: string | null;
  endsAt: string | null;
  isExtended: boolean;
  isEnded: boolean;
}

const initial = (): Ad => ({
  terms: null,
  submission: 0,
  proposed: null,
  shown: null,
  startsAt: null,
  endsAt: null,
  isExtended: false,
  isEnded: false,
});

/** Maximum submissions per ad: more than a buyer needs. There is a limit because an admin reviews each submission. */
export const MAX_SUBMISSIONS = 50;
const DAY_MS = 24 * 3_600_000;

/** The ad's terms. Throws if the ad does not exist or has ended. */
function open({ terms, isEnded }: Ad): AdTerms {
  if (!terms) throw new Rejected('no-such-ad');
  if (isEnded) throw new Rejected('ad-ended');
  return terms;
}

const isSame = (one: AdContent | null, other: AdContent): boolean =>
  one !== null && (['imageUrl', 'linkUrl', 'title', 'alt'] as const).every((field) => one[field] === other[field]);

const after = (at: string, days: number): string => new Date(Date.parse(at) + days * DAY_MS).toISOString();

/**
 * Whether the ad reached its maximum number of impressions, or during an extension its guaranteed number. Before the
 * extension, reaching the guaranteed number does not end the ad.
 */
function isAllShown({ maxImpressions, guaranteedImpressions }: AdTerms, ad: Ad, impressions: number): boolean {
  if (maxImpressions !== null && impressions >= maxImpressions) return true;
  return ad.isExtended && guaranteedImpressions !== null && impressions >= guaranteedImpressions;
}

function close(ad: Ad, impressions: number, at: string): AdEvent[] {
  const { terms, endsAt, isEnded, shown } = ad;
  if (!terms || !endsAt || isEnded) return [];
  if (isAllShown(terms, ad, impressions)) return [{ type: 'AdEnded', data: { reason: 'all-shown', impressions } }];
  if (at < endsAt) return [];
  const { guaranteedImpressions, days } = terms;
  const isMissed = guaranteedImpressions !== null && impressions < guaranteedImpressions;
  // If an admin removed the ad, the buyer is responsible for the missing impressions, so the ad is not extended.
  if (!isMissed || !shown) return [{ type: 'AdEnded', data: { reason: 'time-over', impressions } }];
  const extra = Math.ceil((days * (guaranteedImpressions - impressions)) / guaranteedImpressions);
  return [{ type: 'AdExtended', data: { until: after(at, extra), impressions } }];
}

function decide(command: AdCommand, ad: Ad): AdEvent[] {
  switch (command.type) {
    case 'BookAd':
      return ad.terms ? [] : [{ type: 'AdBought', data: command.terms }];
    case 'SubmitAd': {
      open(ad);
      const { content } = command;
      if (isSame(ad.proposed ?? ad.shown, content)) return []; // this content was already submitted
      if (ad.submission >= MAX_SUBMISSIONS) throw tooManyChanges();
      return [{ type: 'AdSubmitted', data: { submission: ad.submission + 1, content } }];
    }
    case 'ApproveAd': {
      const { paymentId, days } = open(ad);
      const { submission, at } = command;
      if (ad.shown?.submission === submission) return [];
      if (!ad.proposed || submission !== ad.submission) throw changedMeanwhile();
      const [startsAt, until] = [ad.startsAt ?? at, ad.endsAt ?? after(at, days)];
      return [{ type: 'AdApproved', data: { paymentId, submission, content: ad.proposed, startsAt, until } }];
    }
    case 'RejectAd': {
      const { paymentId } = open(ad);
      const { submission, reason } = command;
      const wasShown = ad.shown?.submission === submission;
      const isProposed = ad.proposed !== null && submission === ad.submission;
      if (!wasShown && !isProposed) throw changedMeanwhile();
      return [{ type: 'AdRejected', data: { paymentId, submission, reason, wasShown } }];
    }
    case 'RefuseAd': {
      const { paymentId, amountCents } = open(ad);
      const { submission, reason } = command;
      if (ad.startsAt !== null) throw new Rejected('was-shown');
      if (submission !== ad.submission) throw changedMeanwhile();
      return [{ type: 'AdRefused', data: { paymentId, amountCents, submission, reason } }];
    }
    case 'EndUnpaidAd': {
      const { reason, impressions } = command;
      if (!ad.terms) throw new Rejected('no-such-ad');
      return ad.isEnded ? [] : [{ type: 'AdEnded', data: { reason, impressions } }];
    }
    case 'CloseAd':
      return close(ad, command.impressions, command.at);
  }
}

export const tooManyChanges = () => new Rejected('too-many-changes');
const changedMeanwhile = () => new Rejected('changed-meanwhile.ad');

// May mutate the state, because the store owns the state and discards it if the append fails.
function evolve(ad: Ad, { type, data }: AdEvent): Ad {
  switch (type) {
    case 'AdBought':
      ad.terms = data;
      return ad;
    case 'AdSubmitted':
      ad.submission = data.submission;
      ad.proposed = data.content;
      return ad;
    case 'AdApproved':
      ad.shown = { ...data.content, submission: data.submission };
      ad.proposed = null;
      ad.startsAt = data.startsAt;
      ad.endsAt = data.until;
      return ad;
    case 'AdRejected':
      if (data.wasShown) ad.shown = null;
      else ad.proposed = null;
      return ad;
    case 'AdExtended':
      ad.endsAt = data.until;
      ad.isExtended = true;
      return ad;
    case 'AdRefused':
    case 'AdEnded':
      ad.isEnded = true;
      ad.proposed = null;
      return ad;
  }
}

export const ad: Decider<Ad, AdCommand, AdEvent> = { initial, decide, evolve };
