/** Random operations over the schema: fields, arguments, variables, aliases, fragments and directives. */
import {
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLField,
  type GraphQLInputType,
  GraphQLInt,
  type GraphQLNamedType,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
} from 'graphql'
import { below, type Draw, oneIn, pick } from './draw.ts'
import { inputValue, literal, type ScalarSamples } from './graphql-input.ts'
import { hostileJson, hostileText } from './hostile-json.ts'

export type GraphqlSources = { schema: GraphQLSchema; scalars: ScalarSamples }
type Variables = Record<string, unknown>
export type Written = {
  query: string
  variables: Variables
  isSubscription: boolean
  /** Other variables of the same document. */
  redraw: (draw: Draw) => Variables
}

type Field = GraphQLField<unknown, unknown>
/** `preset` is its default in the document, with the equals sign. */
type Variable = {
  name: string
  type: string
  value: unknown
  preset: string
  redraw: (draw: Draw) => unknown
}
type Scene = GraphqlSources & {
  draw: Draw
  isHostile: boolean
  variables: Variable[]
  fragments: string[]
  /** Fields that may still be written: without a limit, deep documents grow exponentially. */
  left: number
}

/** An operation as deep as a reader of the schema writes it; a hostile one goes beyond the bound of the gateway. */
const DEPTH = { plain: 5, hostile: 18 }
const FIELDS_MAX = 300

export function graphqlDocument(draw: Draw, sources: GraphqlSources, isHostile: boolean): Written {
  const scene: Scene = { ...sources, draw, isHostile, variables: [], fragments: [], left: FIELDS_MAX }
  const subscription = sources.schema.getSubscriptionType()
  const isSubscription = oneIn(draw, 40) && subscription !== undefined
  const root = isSubscription ? subscription : sources.schema.getQueryType()
  if (!root) throw new Error('the schema has no such operation')
  const fields = isSubscription && !isHostile ? 1 : 1 + below(draw, 3)
  const selected = selection(scene, root, isHostile ? DEPTH.hostile : DEPTH.plain, fields)
  const declared = scene.variables.map(({ name, type, preset }) => `$${name}: ${type}${preset}`).join(', ')
  const head = `${isSubscription ? 'subscription' : 'query'} Fuzz${declared ? `(${declared})` : ''}`
  return {
    query: [`${head} ${selected}`, ...scene.fragments].join('\n'),
    variables: Object.fromEntries(scene.variables.map(({ name, value }) => [name, value])),
    isSubscription,
    redraw: (again) =>
      Object.fromEntries(
        scene.variables
          .map(({ name, redraw }) => [name, redraw(again)] as const)
          .filter(([, value]) => value !== undefined),
      ),
  }
}

function selection(scene: Scene, type: GraphQLNamedType, depth: number, wanted?: number): string {
  const { draw, isHostile, schema } = scene
  if (isAbstractType(type)) {
    const possible = pick(draw, schema.getPossibleTypes(type))
    const own = isInterfaceType(type) && type.getFields().id ? 'id ' : ''
    return `{ ${own}__typename ... on ${possible.name} ${selection(scene, possible, depth - 1)} }`
  }
  if (!isObjectType(type)) return ''
  const fields = fieldsAt(type, depth)
  const count = wanted ?? 1 + below(draw, 3)
  const chosen = new Set(Array.from({ length: count }, () => pick(draw, fields)))
  const parts = [...chosen].map((field) => fieldText(scene, field, depth))
  if (isHostile && oneIn(draw, 12)) parts.push(pick(draw, WRONG_SELECTIONS))
  const text = `{ ${parts.join(' ')} }`
  return wanted === undefined && oneIn(draw, 10) ? inFragment(scene, type, text) : text
}

/** Only plain fields where it is deep enough. */
function fieldsAt(type: GraphQLObjectType, depth: number): readonly Field[] {
  const all = Object.values(type.getFields())
  const plain = all.filter(({ type: result }) => isLeafType(getNamedType(result)))
  return depth > 1 || plain.length === 0 ? all : plain
}

function fieldText(scene: Scene, field: Field, depth: number): string {
  const { draw } = scene
  const alias = oneIn(draw, 8) ? `${pick(draw, ['a', 'id', '_', 'nodes'])}${below(draw, 9)}: ` : ''
  const directive = oneIn(draw, 12) ? ` ${directiveText(scene)}` : ''
  const target = getNamedType(field.type)
  scene.left -= 1
  if ((depth <= 0 || scene.left <= 0) && !isLeafType(target)) return '__typename'
  const nested = isLeafType(target) ? '' : ` ${selection(scene, target, depth - 1)}`
  return `${alias}${field.name}${argumentsText(scene, field)}${directive}${nested}`
}

function directiveText(scene: Scene): string {
  const { draw } = scene
  const is = oneIn(draw, 2)
  const type = new GraphQLNonNull(GraphQLBoolean)
  const condition = oneIn(draw, 2) ? variableText(scene, type, is) : String(is)
  return `@${pick(draw, ['include', 'skip'])}(if: ${condition})`
}

const WRONG_SELECTIONS = [
  ...['nothing', '... on Nowhere { id }', '...Nowhere', '__typename @nowhere', 'id { id }', '{', '$a', '"a"'],
  ...['__schema { types { name } }', '__type(name: "Claim") { fields { name } }', '__proto__', 'constructor'],
]

function argumentsText(scene: Scene, { args }: Field): string {
  const { draw, isHostile } = scene
  const chosen = args.filter((arg) => isRequiredArgument(arg) || (!isPaging(arg) && oneIn(draw, 3)))
  const paged = args.some(isPaging) && (!isHostile || oneIn(draw, 2)) ? [pageText(scene)] : []
  const wrong = isHostile && oneIn(draw, 12) ? [`${pick(draw, ['a', 'last', 'after', '__proto__'])}: 0`] : []
  const given = [...chosen.map((arg) => argumentText(scene, arg)), ...paged, ...wrong]
  return given.length > 0 ? `(${given.join(', ')})` : ''
}

/** Any two of them contradict each other, and a page without one has fifty rows. */
function isPaging({ name }: GraphQLArgument): boolean {
  return ['first', 'last', 'after', 'before'].includes(name)
}

function pageText(scene: Scene): string {
  const { draw } = scene
  const name = oneIn(draw, 4) ? 'last' : 'first'
  const size = 1 + below(draw, 5)
  return `${name}: ${oneIn(draw, 3) ? variableText(scene, GraphQLInt, size, pageSize) : size}`
}

const pageSize = (draw: Draw) => 1 + below(draw, 5)

function argumentText(scene: Scene, { name, type }: GraphQLArgument): string {
  const { draw, scalars, isHostile } = scene
  const value = inputValue(draw, scalars, type, isHostile)
  if (oneIn(draw, 2)) return `${name}: ${variableText(scene, type, value)}`
  const instead = (part: unknown, own: GraphQLInputType) =>
    oneIn(draw, 5) ? variableText(scene, own, part) : undefined
  return `${name}: ${literal(value, type, instead)}`
}

/** A variable in place of a value: a new one, or one that stands elsewhere too. */
function variableText(
  scene: Scene,
  type: GraphQLInputType,
  value: unknown,
  drawOne: (draw: Draw) => unknown = (draw) => inputValue(draw, scene.scalars, type, scene.isHostile),
): string {
  const { draw, variables, isHostile } = scene
  const same = variables.filter((one) => one.type === String(type))
  if (same.length > 0 && oneIn(draw, 4)) return `$${pick(draw, same).name}`
  const isOptional = !isNonNullType(type)
  const redraw = (again: Draw) => {
    if (isOptional && oneIn(again, 6)) return oneIn(again, 2) ? null : undefined
    return drawOne(again)
  }
  const preset = isOptional && oneIn(draw, 6) ? ` = ${literal(drawOne(draw), type)}` : ''
  const variable = { name: `v${variables.length}`, type: String(type), value, preset, redraw }
  if (isHostile && oneIn(draw, 8)) variable.type = pick(draw, ['Int', 'ClaimFilter!', '[[ID]]', 'Claim', 'a'])
  variables.push(variable)
  return `$${variable.name}`
}

function inFragment(scene: Scene, type: GraphQLObjectType, text: string): string {
  if (oneIn(scene.draw, 2)) return `{ ... on ${type.name} ${text} }`
  const name = `F${scene.fragments.length}`
  scene.fragments.push(`fragment ${name} on ${type.name} ${text}`)
  return `{ ...${name} }`
}

const MANY = 3_000
const TEXTS: readonly string[] = [
  ...[
    '',
    ' ',
    '{',
    '}',
    '{}',
    '\ufeff{ __typename }',
    '\u0000',
    '#',
    '{ a(b: """',
    '{ a(b: "\\u{110000}") }',
  ],
  `${'{ node(id: "a") '.repeat(MANY)}${'}'.repeat(MANY)}`,
  `{ ${Array.from({ length: MANY }, (_, index) => `a${index}: __typename`).join(' ')} }`,
  `{ ${'__typename '.repeat(MANY)} }`,
  `{ ${Array.from({ length: 30 }, (_, index) => `a${index}: __schema { types { name fields { name } } }`).join(' ')} }`,
  `{ claims(filter: ${'{ AND: '.repeat(MANY)}`,
  `{ nodes(ids: [${'"a", '.repeat(MANY)}]) { id } }`,
  `{ __typename ${'@skip(if: false) '.repeat(500)} }`,
  `query (${Array.from({ length: 500 }, (_, index) => `$a${index}: Int`).join(' ')}) { __typename }`,
  'fragment A on Query { ...B } fragment B on Query { ...A } { ...A }',
  'fragment A on Query { ...A } { ...A }',
  'fragment A on Query { __typename }',
  'query A { __typename } query A { __typename }',
  'query A { __typename } query B { __typename }',
  'mutation { a }',
  'query ($a: Claim = {}) { claims(filter: $a) { totalCount } }',
  'query ($a: Int = "a", $a: Int) { claims(first: $a) { totalCount } }',
  '{ claims(first: 9999999999999999999999) { totalCount } }',
  '{ claims(first: 1e400) { totalCount } }',
  '{ claims @defer { totalCount } nodes(ids: []) @stream { id } }',
  'subscription { finalizedBlock { number } claim(claimId: "0x") { id } }',
  'type Query { a: Int }',
  'extend schema @a',
]

/** Text in the place of a document that no walk of the schema writes. */
export function hostileDocument(draw: Draw): Written {
  const query = oneIn(draw, 3) ? hostileText(draw) : pick(draw, TEXTS)
  const variables = oneIn(draw, 3) ? { a: hostileJson(draw) } : {}
  return { query, variables, isSubscription: query.startsWith('subscription'), redraw: () => variables }
}
