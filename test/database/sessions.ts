/** Statements as one role sends them, and the SQLSTATE of what is refused. */
import pg from 'pg'

export type Session = {
  run: (statement: string) => Promise<Record<string, unknown>[]>
  /** The statements that were not refused for want of a privilege, each with what became of it. */
  allowed: (statements: readonly string[]) => Promise<string[]>
  end: () => Promise<void>
}

const INSUFFICIENT_PRIVILEGE = '42501'

export async function openSession(url: string): Promise<Session> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const run = async (statement: string) => (await client.query(statement)).rows
  const outcome = async (statement: string) => {
    try {
      await run(statement)
      return 'passed'
    } catch (error) {
      if (!(error instanceof pg.DatabaseError)) throw error
      return `${error.code} ${error.message}`
    }
  }
  return {
    run,
    allowed: async (statements) => {
      const found: string[] = []
      for (const statement of statements) {
        const what = await outcome(statement)
        if (!what.startsWith(INSUFFICIENT_PRIVILEGE)) found.push(`${statement}: ${what}`)
      }
      return found
    },
    end: () => client.end(),
  }
}

/** Names of all tables and views in the schemas that match, quoted. */
export async function relationsIn(owner: Session, schemas: string): Promise<string[]> {
  const rows = await owner.run(`
    select format('%I.%I', nspname, relname) as name
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname ~ '${schemas}' and relkind in ('r', 'v') order by 1`)
  return rows.map(({ name }) => String(name))
}

/** Every way to change a view or a table that needs no column's name. */
export function changesOf(kind: 'view' | 'table', relation: string): string[] {
  return [
    `insert into ${relation} default values`,
    `delete from ${relation}`,
    ...(kind === 'table' ? [`truncate ${relation}`] : []),
    `drop ${kind} ${relation}`,
    `alter ${kind} ${relation} rename to other`,
    `comment on ${kind} ${relation} is 'other'`,
    // A block, because LOCK TABLE needs a transaction.
    `do 'begin lock table ${relation} in access exclusive mode; end'`,
  ]
}
