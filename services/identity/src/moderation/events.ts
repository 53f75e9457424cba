import type { CaseAction, ContentKind, ReportReason } from '@beltway/contracts/identity/moderation';

/**
 * A reported item and the decisions about it. Stream `case-<kind>.<id>`. Texts that people wrote (notes, excerpts,
 * appeals) are stored in tables, not in the log.
 */
export type CaseEvent =
  /** `number`: reports in a case are numbered from 1. */
  | { type: 'ContentReported'; data: ReportFacts & { number: number } }
  | { type: 'CaseActed'; data: Acted }
  | { type: 'DecisionAppealed'; data: { decision: number; at: string } }
  /** `number`: the outcome of an appeal is a new decision, which determines the content's visibility from then on. */
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
  /** The version of the reported text, numbered from 0. */
  version: number;
}

export interface Acted extends Content {
  /** Decisions in a case are numbered from 1. */
  number: number;
  action: CaseAction;
  reason: ReportReason;
  authorId: number | null;
  adminId: number;
  at: string;
  /** The end of a suspension. null: permanent. */
  until: string | null;
}

export type CaseCommand =
  /** `since`: an account whose last report was about a text version older than this may report again. */
  | ({ type: 'ReportContent'; since: number } & ReportFacts)
  /** `seen`: the number of decisions that the admin had seen. */
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
  /** `isOnlyAdmin`: no other admin exists who could decide. */
  | {
      type: 'DecideAppeal';
      outcome: 'upheld' | 'reversed';
      adminId: number;
      isOnlyAdmin: boolean;
      now: string;
    };
