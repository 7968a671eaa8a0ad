/** Files that the devnet keeps on disk, all of them under one folder. */
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'

export type Folder = {
  root: string
  /** Postgres' data, unless its user cannot get here. */
  postgres: string
  /** anvil's state: kept and deleted together with the database. */
  chainState: string
  /** Written once the world is complete; without it there is nothing to continue. */
  world: string
  /** Who runs here now, or did when it was killed. */
  processes: string
  endpoints: string
  logs: string
}

export function openFolder(root: string): Folder {
  mkdirSync(join(root, 'logs'), { recursive: true })
  return {
    root,
    postgres: join(root, 'postgres'),
    chainState: join(root, 'chain-state.json'),
    world: join(root, 'world.json'),
    processes: join(root, 'processes.json'),
    endpoints: join(root, 'endpoints.json'),
    logs: join(root, 'logs'),
  }
}

/** Writes lines to a new log of a service. */
export function logTo(folder: Folder, name: string): (line: string) => void {
  const stream = createWriteStream(join(folder.logs, `${name}.log`))
  return (line) => void stream.write(`${line}\n`)
}
