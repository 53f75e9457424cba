import { catalog } from '../i18n/catalog.ts';

const english = {
  reportEvent: 'Report this event',
  reportAccount: 'Report this account',
  reportAd: 'Report this ad',
  reportPost: 'Report this post',
  reportComment: 'Report this comment',
  reportQuestion: 'Report this question',
  reportAnswer: 'Report this answer',
  readers: 'Our team will review it.',
  reported: 'Reported',
  reportedWhy: 'Thank you. We’ll review it.',
  spam: 'Spam or advertising',
  harassment: 'Harasses or insults someone',
  hate: 'Hate against a group of people',
  violence: 'Threats or violence',
  sexual: 'Sexual content',
  illegal: 'Something illegal',
  privacy: 'Shares someone’s private information',
  rights: 'Uses someone else’s work',
  other: 'Something else',
} as const;
export const texts = catalog(english, { es: () => import('./content.texts.es.ts') });
