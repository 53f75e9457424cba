import { codeOf, type ArgumentsOf, type Params, type ProblemText } from '@beltway/contracts/problems/texts';
import { Rejected as RejectedCommand } from '@beltway/event-store';
import { english } from './http/english.ts';

/** The rejection of a command by the rules, with a text of the table (docs/decisions/0112). */
export class Rejected<Text extends ProblemText = ProblemText> extends RejectedCommand {
  readonly text: ProblemText;
  readonly params: Params | undefined;

  constructor(text: Text, ...[params]: ArgumentsOf<Text>) {
    super(codeOf(text), english(text, params));
    this.text = text;
    this.params = params;
  }
}
