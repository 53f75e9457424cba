import ts from 'typescript';

/** One small change to a source file, which removes or reverses a rule. */
export interface Mutant {
  start: number;
  end: number;
  replacement: string;
  /** Line number, counted from 1. */
  line: number;
  /** The number of the mutant's block, as `withProbes` counts blocks. */
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
/** Calls whose result has the type of their object. The mutant uses the object itself. */
const DROPPED_CALLS = new Set(['filter', 'sort', 'toSorted', 'reverse', 'toReversed', 'slice', 'trim', 'toLowerCase']);
/** Log calls, which are not mutated because no rule depends on them. */
const LOG = /(^|\.)(log\.\w+|warn)$/;

const parse = (text: string) => ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest, true);

const isLogical = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && LOGICAL.has(node.operatorToken.kind);

/** Whether the node continues a chain of one operator, such as `a && b` in `a && b && c`. */
const isChained = ({ parent, operatorToken }: ts.BinaryExpression): boolean =>
  ts.isBinaryExpression(parent) && parent.operatorToken.kind === operatorToken.kind;

/** The operands of a chain of one operator. */
const operandsOf = ({ left, right, operatorToken: { kind } }: ts.BinaryExpression): ts.Expression[] => [
  ...(ts.isBinaryExpression(left) && left.operatorToken.kind === kind ? operandsOf(left) : [left]),
  right,
];

const isBoolean = (node: ts.Node): boolean =>
  (ts.isParenthesizedExpression(node) && isBoolean(node.expression)) ||
  (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) ||
  (ts.isBinaryExpression(node) &&
    (COMPARISONS.has(node.operatorToken.kind) ||
      (isLogical(node) && [node.left, node.right].every((operand) => isBoolean(operand)))));

const isLoop = (node: ts.Node): boolean =>
  ts.isWhileStatement(node) || ts.isDoStatement(node) || ts.isForStatement(node);

/** Whether the node is the condition of a branch or a loop. */
function isCondition(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isIfStatement(parent) || ts.isWhileStatement(parent) || ts.isDoStatement(parent))
    return parent.expression === node;
  return (ts.isConditionalExpression(parent) || ts.isForStatement(parent)) && parent.condition === node;
}

/**
 * Whether the node is an operand of a larger condition or boolean. The mutants change the larger expression instead: it
 * becomes true, becomes false, and loses each operand.
 */
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

/** Whether the list is a destructuring pattern, such as `[first] = rows`. */
const isPattern = (node: ts.ArrayLiteralExpression): boolean =>
  (ts.isBinaryExpression(node.parent) &&
    node.parent.left === node &&
    node.parent.operatorToken.kind === ts.SyntaxKind.EqualsToken) ||
  (ts.isForOfStatement(node.parent) && node.parent.initializer === node);

interface ProbePlace {
  at: number;
  /** Set for an expression: parentheses enclose the probe and the expression. */
  end?: number;
}

/** Where the probe of a block, of a case or of a short arrow function's body is inserted. */
function probePlaceOf(node: ts.Node): ProbePlace | undefined {
  if (ts.isBlock(node)) return { at: node.getStart() + 1 };
  if (ts.isCaseOrDefaultClause(node)) {
    const colon = node.getChildren().find(({ kind }) => kind === ts.SyntaxKind.ColonToken)!;
    return { at: colon.end };
  }
  if (ts.isArrowFunction(node.parent) && node.parent.body === node) return { at: node.getStart(), end: node.end };
  return undefined;
}

/**
 * Visits each executable node with the number of its block; block 0 is the file. A node with a `place` begins a block.
 */
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

/** All mutants of a file, in the order of their positions. */
export function mutantsOf(text: string): Mutant[] {
  const source = parse(text);
  const mutants: Mutant[] = [];
  walk(source, (node, block) => {
    const edit = (start: number, end: number, replacement: string, at = start) => {
      const line = source.getLineAndCharacterOfPosition(at).line + 1;
      mutants.push({ start, end, replacement, line, block });
    };
    const replace = (what: ts.Node, replacement: string) => edit(what.getStart(), what.end, replacement);
    /**
     * Removes one node at a time, together with the operator or comma before the node. Removes the first node together
     * with the text up to the second node.
     */
    const removeEach = (all: readonly ts.Node[]) =>
      all.forEach((one, index) => {
        const [previous, next] = [all[index - 1], all[index + 1]];
        if (previous) edit(previous.end, one.end, '', one.getStart());
        else edit(one.getStart(), next?.getStart() ?? one.end, '');
      });

    if (isCondition(node) || (isBoolean(node) && !isOperand(node) && !ts.isParenthesizedExpression(node))) {
      if (!isLoop(node.parent) && node.kind !== ts.SyntaxKind.TrueKeyword) replace(node, 'true');
      if (node.kind !== ts.SyntaxKind.FalseKeyword) replace(node, 'false');
    } else if (node.kind === ts.SyntaxKind.TrueKeyword) replace(node, 'false');
    else if (node.kind === ts.SyntaxKind.FalseKeyword) replace(node, 'true');

    if (isLogical(node)) {
      if (!isChained(node)) removeEach(operandsOf(node));
    } else if (ts.isBinaryExpression(node)) {
      const swapped = SWAPPED.get(node.operatorToken.kind);
      if (swapped !== undefined && !hasText(node)) replace(node.operatorToken, swapped);
    } else if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
      const steps = ts.isForStatement(node.parent) && node.parent.incrementor === node;
      const [from, to] = node.operator === ts.SyntaxKind.PlusPlusToken ? ['++', '--'] : ['--', '++'];
      const isStep = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
      if (isStep && !steps) replace(node, node.getText().replace(from, to));
    }

    if (ts.isArrayLiteralExpression(node) && !isPattern(node)) removeEach(node.elements);
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
      const isLog = ts.isCallExpression(call) && LOG.test(call.expression.getText());
      const isSuper = ts.isCallExpression(call) && call.expression.kind === ts.SyntaxKind.SuperKeyword;
      if (!isLog && !isSuper) replace(node, ';');
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

/**
 * The file with a probe in each block, which calls `globalThis.reached` with the block's number. Number 0 means that
 * the file was loaded.
 */
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

/** The text before and after the change, in one line. */
export const changeOf = (text: string, { start, end, replacement }: Mutant): string =>
  `${short(text.slice(start, end)).trim()} → ${short(replacement)}`.trim();
