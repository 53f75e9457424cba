import type { CaseAction, ContentKind, ModerationCase, ReportReason } from '@beltway/contracts/moderation';

export const KINDS: Record<ContentKind, string> = {
  comment: 'Comment',
  photo: 'Photo',
  video: 'Video',
  message: 'Message in a chat',
  post: 'Post',
  'post-comment': 'Comment on a post',
  question: 'Question',
  answer: 'Answer',
};

/** Why something is reported, and why it is decided so. */
export const REASONS: Record<ReportReason, string> = {
  spam: 'Spam or advertising',
  harassment: 'Harassment or insults',
  hate: 'Hate',
  violence: 'Threats or violence',
  sexual: 'Sexual content',
  illegal: 'Something illegal',
  privacy: 'Tells private things of somebody',
  rights: 'Belongs to somebody else',
  abuse: 'Hate, threats or insults',
  other: 'Something else',
};

export const ACTIONS: Record<CaseAction, string> = {
  keep: 'Keep',
  hide: 'Hide',
  restore: 'Show again',
  remove: 'Remove',
  warn: 'Warn',
  suspend: 'Suspend',
  reinstate: 'Reinstate',
};
export const DONE: Record<CaseAction, string> = {
  keep: 'Kept',
  hide: 'Hidden',
  restore: 'Shown again',
  remove: 'Removed',
  warn: 'Author warned',
  suspend: 'Author suspended',
  reinstate: 'Author reinstated',
};

export const STANDING: Record<ModerationCase['standing'], string> = {
  shown: 'Shown',
  hidden: 'Hidden',
  removed: 'Removed',
};
