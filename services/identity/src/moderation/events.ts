import type { CaseAction, ContentKind, ReportReason } from '@beltway/contracts/identity/moderation';

/**
 * One thing that was reported, and what admins decided of it. Stream `case-<kind>.<id>`. What people wrote (notes, excerpts, appeals) are
 * rows beside the log.
 */
export type CaseEvent =
  /** `number`: reports of a case are counted from 1. */
  | { type: 'ContentReported'; data: ReportFacts & { number: number } }
  | { type: 'CaseActed'; data: Acted }
  | { type: 'DecisionAppealed'; data: { decision: number; at: string } }
  /** `number`: a reversal is a decision of its own, for what the content is from then on. */
  | {
      type: 'AppealDecided';
      data: Content & {
        decision: number;
        number: number;
        action: CaseAction;
        outcome: 'upheld' | 'reversed';
        authorId: number | null;
        adminId: number;
        at: string;
      };
    };

export interface Content {
  kind: ContentKind;
  contentId: string;
}

export interface ReportFacts extends Content {
  authorId: number | null;
  reporterId: number;
  reason: ReportReason;
  /** The version of the text that was reported, counted from 0. */
  version: number;
}

export interface Acted extends Content {
  /** Decisions of a case are counted from 1. */
  number: number;
  action: CaseAction;
  reason: ReportReason;
  authorId: number | null;
  adminId: number;
  at: string;
  /** Of a suspension; null: for good. */
  until: string | null;
}

export type CaseCommand =
  /** `since`: a report of an older version can be made again. */
  | ({ type: 'ReportContent'; since: number } & ReportFacts)
  /** `seen`: the decisions that the admin knew of. */
  | {
      type: 'ActOnCase';
      action: CaseAction;
      reason: ReportReason;
      seen: number;
      adminId: number;
      now: string;
      until: string | null;
    }
  | { type: 'AppealDecision'; authorId: number; now: string }
  /** `isOnlyAdmin`: nobody else could decide. */
  | {
      type: 'DecideAppeal';
      outcome: 'upheld' | 'reversed';
      adminId: number;
      isOnlyAdmin: boolean;
      now: string;
    };
