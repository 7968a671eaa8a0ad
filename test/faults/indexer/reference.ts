/** All rows of all tables of an undisturbed index of the same chain. */
import { readTables } from '../../indexer/truth/tables.ts'
import { createIndexedDatabase, finalizeAndProject } from '../../support/indexer.ts'
import type { World } from '../../support/protocol.ts'

/** Indexes the whole chain into a database of its own. @returns the rows, and the block they are of */
export async function undisturbed(world: World) {
  const calm = await createIndexedDatabase(world)
  try {
    await (await calm.start()).ready()
    const block = await finalizeAndProject(world, calm.pool)
    return { block, tables: await readTables(calm.pool) }
  } finally {
    await calm.remove()
  }
}
