/**
 * How admins looked at a business that wants its photos shown without a look at each. Stream `uploader-<userId>`. What it says of itself is
 * a row beside the log (`uploader_requests`).
 */
export type UploaderEvent =
  | { type: 'VerificationAsked'; data: { userId: number } }
  /** From now on its photos are verified at once, of events that have begun. */
  | { type: 'VerificationGranted'; data: { userId: number } }
  /** Also takes a verification back. It may ask again. */
  | { type: 'VerificationDeclined'; data: { userId: number } };

export type UploaderCommand =
  | { type: 'AskVerification'; userId: number }
  | { type: 'GrantVerification' }
  | { type: 'DeclineVerification' };
