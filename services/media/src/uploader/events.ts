/**
 * Verification of a business, whose photos then need no check by an admin. Stream `uploader-<userId>`. The business's
 * description is a row outside the log (`uploader_requests`).
 */
export type UploaderEvent =
  | { type: 'VerificationAsked'; data: { userId: number } }
  /** From now on, the business's photos of events that have begun are verified immediately. */
  | { type: 'VerificationGranted'; data: { userId: number } }
  /** Declines the request, or revokes a verification. The business may then request verification again. */
  | { type: 'VerificationDeclined'; data: { userId: number } };

export type UploaderCommand =
  | { type: 'AskVerification'; userId: number }
  | { type: 'GrantVerification' }
  | { type: 'DeclineVerification' };
