import { type Change, createChangedCopy } from './changed-copy.ts'
import { edgeFamilies } from './edge-families.ts'
import { families, familiesOfMany } from './families.ts'

/** Records each node that a search takes from its stack, and what becomes of it. */
const RECORD_NODES: readonly Change[] = [
  {
    in: 'floorOf',
    find: 'BigInt(Math.max(0, Math.floor(bound)))',
    replace:
      'BigInt(Math.max(0, Math.floor(bound)))\nexport const record: { visit?: (visit: unknown) => void } = {}',
  },
  {
    in: 'search',
    find: 'if (node !== undefined) stack.push(...expand(progress, node, few))',
    replace: `if (node !== undefined) {
      const children = expand(progress, node, few)
      record.visit?.({ node, children, ceiling: progress.goal.maxCost, target: progress.goal.target, steps: budget.steps })
      stack.push(...children)
    }`,
  },
]

type Node = {
  readonly bound: number
  readonly domain: {
    readonly options: readonly (readonly unknown[])[]
    readonly required: readonly boolean[]
    readonly legs: ReadonlyMap<number, { readonly least: number; readonly most: number }>
  }
}

type Visit = {
  readonly node: Node
  readonly children: readonly Node[]
  readonly ceiling: bigint | undefined
  readonly target: bigint
  readonly steps: number
}

const HEADINGS = [
  'node',
  'depth',
  'claims',
  'required',
  'options',
  'legs of vaults',
  'bound of the parent',
  'bound',
  'ceiling',
  'target',
  'children',
  'steps left',
]

/** Prints the nodes of all searches that one instance takes, in their order. A search begins at depth 0. */
export async function trace(title: string, seed: number): Promise<void> {
  const all = [...families, ...familiesOfMany, ...edgeFamilies]
  const family = all.find(({ name, claims, vaults }) => `${name} ${claims}×${vaults}`.includes(title))
  if (family === undefined) throw new Error(`No family has the name ${title}`)
  const copy = await createChangedCopy(RECORD_NODES)
  const { record }: { record: { visit?: (visit: Visit) => void } } = await copy.load('search/search.ts')
  const depths = new Map<Node, number>()
  let visited = 0
  record.visit = (visit) => {
    const depth = depths.get(visit.node) ?? 0
    depths.delete(visit.node)
    for (const child of visit.children) depths.set(child, depth + 1)
    console.log([++visited, depth, ...described(visit)].join(' | '))
  }
  console.log(`${HEADINGS.join(' | ')}\n${HEADINGS.map(() => '---').join(' | ')}`)
  const result = copy.resultOf(family.make(seed))
  copy.remove()
  console.log(result ?? 'The work budget ended with neither a route nor a proof that there is none.')
}

function described({ node, children, ceiling, target, steps }: Visit): (string | number | bigint)[] {
  const { options, required, legs } = node.domain
  const [child] = children
  return [
    options.filter((list) => list.length > 0).length,
    required.filter(Boolean).length,
    options.flat().length,
    [...legs].map(([vault, { least, most }]) => `${vault}: ${least} to ${most}`).join(', '),
    Math.floor(node.bound),
    child === undefined ? 'closed' : Math.floor(child.bound),
    ceiling ?? 'none',
    target,
    children.length,
    steps,
  ]
}
