import { seededRandom } from '../../api/domain/random.ts'
import { readCommand } from '../../settings/command-line.ts'
import { disagreement } from '../../test/optimizer/agreement.ts'
import { limitedInstance } from '../../test/optimizer/limited-instances.ts'
import { smallInstance } from '../../test/optimizer/small-instances.ts'
import { diceOf } from '../../test/support/dice.ts'

/** The long run of the comparison that CI samples. */
const { positionals } = readCommand(
  'node bench/optimizer/against-oracle.ts',
  'Compares the optimizer with an exhaustive search on small instances.',
  {},
  {
    instances: 'number of instances; default: 100000',
    seed: 'seed of the instances; default: 1',
    kind: 'all, or limited: with limits per issuer; default: all',
  },
)
const [instances = '100000', seed = '1', kind = 'all'] = positionals
const draw = kind === 'limited' ? limitedInstance : smallInstance
const start = performance.now()
let disagreements = 0
for (let index = 0; index < Number(instances); index++) {
  const instance = draw(diceOf(seededRandom(Number(seed) * 1_000_003 + index)))
  const difference = disagreement(instance)
  if (difference === undefined) continue
  disagreements++
  console.log(`instance ${index} of seed ${seed}\n${difference}`)
}
const seconds = ((performance.now() - start) / 1000).toFixed(0)
console.log(`${instances} instances of seed ${seed}: ${disagreements} disagreements, ${seconds} s`)
process.exitCode = disagreements === 0 ? 0 : 1
