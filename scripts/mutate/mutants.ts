import ts from 'typescript';

/** One small change of a source file, by which a rule goes missing or turns around. */
export interface Mutant {
  start: number;
  end: number;
  replacement: string;
  /** From 1 on. */
  line: number;
  /** The block it stands in, by the number that `withProbes` gives that block. */
  block: number;
}

const SWAPPED = new Map<ts.SyntaxKind, string>([
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.PercentToken, '*'],
  [ts.SyntaxKind.AmpersandToken, '|'],
  [ts.SyntaxKind.BarToken, '&'],
  [ts.SyntaxKind.LessThanLessThanToken, '>>'],
  [ts.SyntaxKind.GreaterThanGreaterThanToken, '<<'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
]);
const LOGICAL = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);
const COMPARISONS = new Set([
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.EqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsToken,
]);
const METHODS = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
]);
/** Calls that leave a value of the same type: without them the rest goes on with the value itself. */
const DROPPED_CALLS = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim', 'toLowerCase']);
/** What is only told to whoever runs the system, such as `log.warn(…)`. */
const TOLD = /(^|\.)(log\.\w+|warn)$/;

const parse = (text: string) => ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);

const isLogical = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && LOGICAL.has(node.operatorToken.kind);

const isBoolean = (node: ts.Node): boolean =>
  (ts.isParenthesizedExpression(node) && isBoolean(node.expression)) ||
  (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) ||
  (ts.isBinaryExpression(node) &&
    (COMPARISONS.has(node.operatorToken.kind) ||
      (isLogical(node) && [node.left, node.right].every((operand) => isBoolean(operand)))));

const isLoop = (node: ts.Node): boolean =>
  ts.isWhileStatement(node) || ts.isDoStatement(node) || ts.isForStatement(node);

/** Whether it decides what is run next. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node;
  return (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node;
}

/** Whether it is part of a larger condition or boolean: that one is replaced as a whole, this one by leaving out operands. */
function isOperand(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return isCondition(parent) || isOperand(parent);
  return (
    isLogical(parent) || (ts.isPrefixUnaryExpression(parent) && parent.operator === ts.SyntaxKind.ExclamationToken)
  );
}

const hasText = (node: ts.Expression): boolean =>
  ts.isStringLiteralLike(node) ||
  ts.isTemplateExpression(node) ||
  (ts.isBinaryExpression(node) && (hasText(node.left) || hasText(node.right)));

/** Whether it takes a value apart, as in `[first] = rows`. */
const isPattern = (node: ts.ArrayLiteralExpression): boolean =>
  (ts.isBinaryExpression(node.parent) &&
    node.parent.left === node &&
    node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) ||
  (ts.isForOfStatement(node.parent) && node.parent.initializer === node);

interface ProbePlace {
  at: number;
  /** Of an expression, which is put in parentheses with its probe. */
  end?: number;
}

/** Where a probe can stand in what is run as a whole: a block, a case, the body of a short arrow function. */
function probePlaceOf(node: ts.Node): ProbePlace | undefined {
  if (ts.isBlock(node)) return { at: node.getStart() + 1 };
  if (ts.isCaseOrDefaultClause(node)) {
    const colon = node.getChildren().find(({ kind }) => kind === ts.SyntaxKind.ColonToken)!;
    return { at: colon.end };
  }
  if (ts.isArrowFunction(node.parent) && node.parent.body === node) return { at: node.getStart(), end: node.end };
  return undefined;
}

/** Gives each node that is run, with the number of its block; 0 is the file itself. `place`: the node is a block of its own. */
function walk(source: ts.SourceFile, visit: (node: ts.Node, block: number, place?: ProbePlace) => void): void {
  let blocks = 0;
  function step(node: ts.Node, outer: number): void {
    if (ts.isTypeNode(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return;
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return;
    const found = probePlaceOf(node);
    const block = found ? ++blocks : outer;
    visit(node, block, found);
    ts.forEachChild(node, (child) => step(child, block));
  }
  ts.forEachChild(source, (node) => step(node, 0));
}

/** All mutants of a file, in the order of their places. */
export function mutantsOf(text: string): Mutant[] {
  const source = parse(text);
  const mutants: Mutant[] = [];
  walk(source, (node, block) => {
    const replace = (what: ts.Node, replacement: string) => {
      const start = what.getStart();
      mutants.push({
        start,
        end: what.end,
        replacement,
        line: source.getLineAndCharacterOfPosition(start).line + 1,
        block,
      });
    };

    if (isCondition(node) || (isBoolean(node) && !isOperand(node) && !ts.isParenthesizedExpression(node))) {
      if (!isLoop(node.parent) && node.kind !== ts.SyntaxKind.TrueKeyword) replace(node, 'true');
      if (node.kind !== ts.SyntaxKind.FalseKeyword) replace(node, 'false');
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true');

    if (isLogical(node)) {
      replace(node, node.left.getText());
      replace(node, node.right.getText());
    } else if (ts.isBinaryExpression(node)) {
      const swapped = SWAPPED.get(node.operatorToken.kind);
      if (swapped !== undefined && !hasText(node)) replace(node.operatorToken, swapped);
    } else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const steps = ts.isForStatement(node.parent) && node.parent.incrementor === node;
      const [from, to] = node.operator === ts.SyntaxKind.PlusPlusToken ? ['++', '--'] : ['--', '++'];
      const isStep = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
      if (isStep && !steps) replace(node, node.getText().replace(from, to));
    }

    if (ts.isArrayLiteralExpression(node) && !isPattern(node))
      for (const left of node.elements) {
        const rest = node.elements.filter((one) => one !== left && !ts.isOmittedExpression(one));
        if (!ts.isOmittedExpression(left)) replace(node, `[${rest.map((one) => one.getText()).join(', ')}]`);
      }
    if (ts.isSpreadAssignment(node)) replace(node, '...{}');

    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression;
      const other = METHODS.get(name.text);
      if (other !== undefined) replace(name, other);
      if (DROPPED_CALLS.has(name.text)) replace(node, expression.getText());
    }

    if (ts.isExpressionStatement(node)) {
      const { expression } = node;
      const call = ts.isAwaitExpression(expression) ? expression.expression : expression;
      const isTold = ts.isCallExpression(call) && TOLD.test(call.expression.getText());
      const isSuper = ts.isCallExpression(call) && call.expression.kind === ts.SyntaxKind.SuperKeyword;
      if (!isTold && !isSuper) replace(node, ';');
    }
    const leaves =
      ts.isThrowStatement(node) ||
      ts.isContinueStatement(node) ||
      (ts.isBreakStatement(node) && !ts.isCaseOrDefaultClause(node.parent)) ||
      (ts.isReturnStatement(node) && !node.expression);
    if (leaves) replace(node, ';');
  });
  return mutants.toSorted((a, b) => a.start - b.start || a.end - b.end);
}

export const mutated = (text: string, { start, end, replacement }: Mutant): string =>
  text.slice(0, start) + replacement + text.slice(end);

/** The same file, which tells `globalThis.reached` the number of each block that is run, and 0 when it is loaded. */
export function withProbes(text: string): string {
  const inserts: Array<{ at: number; text: string }> = [];
  const probe = (block: number) => `globalThis.reached?.(${block})`;
  walk(parse(text), (_node, block, place) => {
    if (!place) return;
    const { at, end } = place;
    inserts.push({ at, text: end === undefined ? ` ${probe(block)};` : `(${probe(block)}, ` });
    if (end !== undefined) inserts.push({ at: end, text: ')' });
  });
  let result = '';
  let from = 0;
  for (const insert of inserts.toSorted((a, b) => a.at - b.at)) {
    result += text.slice(from, insert.at) + insert.text;
    from = insert.at;
  }
  return `${result}${text.slice(from)}\n${probe(0)};\n`;
}

const LONGEST = 120;
const short = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length <= LONGEST ? line : `${line.slice(0, LONGEST)}…`;
};

/** What a mutant turns into what, in a line. */
export const changeOf = (text: string, { start, end, replacement }: Mutant): string =>
  `${short(text.slice(start, end))} → ${short(replacement)}`;
