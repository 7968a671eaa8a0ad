/** The named declarations of a source file: TypeScript by its compiler, Solidity by a matcher. */
import ts from 'typescript'

/** A name and its text, from `start` up to `end`. Declarations nest. */
export type Declaration = { readonly name: string; readonly start: number; readonly end: number }

export const declarationsOf = (file: string, text: string): Declaration[] =>
  file.endsWith('.sol') ? solidityDeclarations(text) : typescriptDeclarations(file, text)

function typescriptDeclarations(file: string, text: string): Declaration[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest)
  const found: Declaration[] = []
  const visit = (node: ts.Node): void => {
    const name = nameOf(node)
    if (name && (ts.isIdentifier(name) || ts.isStringLiteral(name)))
      found.push({ name: name.text, start: node.getStart(source), end: node.end })
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** A call that is a statement has its first argument as a name: `ponder.on('FinancingVault:Withdraw', …)`. */
function nameOf(node: ts.Node): ts.Node | undefined {
  if (ts.isExpressionStatement(node) && ts.isCallExpression(node.expression)) {
    const [first] = node.expression.arguments
    return first && ts.isStringLiteral(first) ? first : undefined
  }
  const isNamed =
    ts.isDeclarationStatement(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isClassElement(node) ||
    ts.isObjectLiteralElement(node) ||
    ts.isTypeElement(node)
  return isNamed ? node.name : undefined
}

/** Contracts, functions and modifiers. */
function solidityDeclarations(text: string): Declaration[] {
  const code = text.replace(/"(?:\\.|[^"\\])*"|\/\/.*|\/\*[\s\S]*?\*\//g, (part) => ' '.repeat(part.length))
  const found = code.matchAll(/\b(?:contract|library|interface|function|modifier)\s+(\w+)/g)
  return [...found].map(({ index, 1: name = '' }) => ({ name, start: index, end: endOfBlock(code, index) }))
}

/** The end of the first block in braces, or that of a declaration without one. */
function endOfBlock(code: string, start: number): number {
  let depth = 0
  for (let at = start; at < code.length; at += 1) {
    if (code[at] === '{') depth += 1
    if (code[at] === '}') depth -= 1
    if (depth === 0 && (code[at] === '}' || code[at] === ';')) return at + 1
  }
  return code.length
}
