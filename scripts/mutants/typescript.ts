import { type ESTree, parseSync } from 'vite'
import { type Change, mutateSql } from './sql.ts'

/** A function of a file, with where its body stands. */
export interface FunctionRange {
  start: number
  end: number
  body: readonly [number, number]
  /** Whether the body is a block, and not the value. */
  block: boolean
}

type Node = ESTree.Node
const values = ['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression']
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** Visits every node that exists at run time. */
function walk(node: Node, visit: (node: Node, parent?: Node) => void, parent?: Node): void {
  if (node.type.startsWith('TS') && !values.includes(node.type)) return
  visit(node, parent)
  for (const [key, value] of Object.entries(node)) {
    if (['typeAnnotation', 'typeArguments', 'returnType', 'typeParameters'].includes(key)) continue
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) walk(child, visit, node)
  }
}

/** The functions of a file and its mutants. @throws what the parser cannot read */
export function readSource(name: string, source: string): { functions: FunctionRange[]; mutants: Change[] } {
  const { program, errors } = parseSync(name, source, { lang: name.endsWith('x') ? 'tsx' : 'ts' })
  if (errors.length > 0) throw new Error(`${name}: ${errors[0]?.message}`)
  const functions: FunctionRange[] = []
  const mutants: Change[] = []
  walk(program as unknown as Node, (node, parent) => {
    if ('body' in node && /Function/.test(node.type) && isNode(node.body)) {
      const { body, start, end } = node
      functions.push({ start, end, body: [body.start, body.end], block: body.type === 'BlockStatement' })
    }
    mutants.push(...mutate(source, node, parent))
  })
  return { functions, mutants }
}

const otherOperator: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
}
const otherMethod: Record<string, string> = { some: 'every', every: 'some' }
const removable = ['where', 'having', 'filter', 'andWhere']

function mutate(source: string, node: Node, parent: Node | undefined): Change[] {
  const { start, end } = node
  const text = ({ start: from, end: until }: { start: number; end: number }) => source.slice(from, until)
  const replace = (by: string): Change => ({ start, end, text: by })
  switch (node.type) {
    case 'IfStatement': {
      const { test, consequent, alternate } = node
      const negated = { start: test.start, end: test.end, text: `!(${text(test)})` }
      const first = consequent.type === 'BlockStatement' ? consequent.body.at(-1)?.type : consequent.type
      const isGuard = !alternate && (first === 'ThrowStatement' || first === 'ReturnStatement')
      return isGuard ? [{ start: test.start, end: test.end, text: 'false' }, negated] : [negated]
    }
    case 'ConditionalExpression':
      return [{ start: node.test.start, end: node.test.end, text: `!(${text(node.test)})` }]
    case 'LogicalExpression':
      return node.operator === '??' ? [] : [replace(`(${text(node.left)})`), replace(`(${text(node.right)})`)]
    case 'BinaryExpression': {
      const other = otherOperator[node.operator]
      return other ? [replace(`${text(node.left)} ${other} ${text(node.right)}`)] : []
    }
    case 'UnaryExpression':
      return node.operator === '!' ? [replace(text(node.argument))] : []
    case 'Literal': {
      if (typeof node.value !== 'number' || (parent?.type === 'Property' && parent.key === node)) return []
      return [replace(String(node.value + 1)), replace(`(${node.value - 1})`)]
    }
    case 'ExpressionStatement': {
      const inner = node.expression.type === 'AwaitExpression' ? node.expression.argument : node.expression
      return inner.type === 'CallExpression' ? [replace(';')] : []
    }
    case 'CallExpression':
      return mutateCall(node, text)
    case 'TaggedTemplateExpression':
      return text(node.tag).startsWith('sql') && !text(node.tag).includes('.') ? mutateTemplate(source, node) : []
    default:
      return []
  }
}

function mutateCall(node: ESTree.CallExpression, text: (range: { start: number; end: number }) => string): Change[] {
  const { start, end, callee } = node
  const [first] = node.arguments
  if (callee.type === 'Identifier' && callee.name === 'found' && first) return [{ start, end, text: text(first) }]
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') return []
  const { name } = callee.property
  const other = otherMethod[name]
  if (other) return [{ start: callee.property.start, end: callee.property.end, text: other }]
  return removable.includes(name) ? [{ start: callee.object.end, end, text: '' }] : []
}

function mutateTemplate(source: string, { quasi }: ESTree.TaggedTemplateExpression): Change[] {
  const holes = quasi.expressions.map(({ start, end }) => [
    source.lastIndexOf('${', start),
    source.indexOf('}', end) + 1,
  ])
  return mutateSql(source, [quasi.start + 1, quasi.end - 1], holes)
}
