import { seededRandom } from '../../api/domain/random.ts'
import { disagreement } from '../../test/optimizer/agreement.ts'
import { smallInstance } from '../../test/optimizer/small-instances.ts'
import { diceOf } from '../../test/support/dice.ts'

/** Usage: node bench/optimizer/against-oracle.ts [instances] [seed]: the long run of the comparison that CI samples. */
const [instances = '100000', seed = '1'] = process.argv.slice(2)
const start = performance.now()
let disagreements = 0
for (let index = 0; index < Number(instances); index++) {
  const instance = smallInstance(diceOf(seededRandom(Number(seed) * 1_000_003 + index)))
  const difference = disagreement(instance)
  if (difference === undefined) continue
  disagreements++
  console.log(`instance ${index} of seed ${seed}\n${difference}`)
}
const seconds = ((performance.now() - start) / 1000).toFixed(0)
console.log(`${instances} instances of seed ${seed}: ${disagreements} disagreements, ${seconds} s`)
process.exitCode = disagreements === 0 ? 0 : 1
