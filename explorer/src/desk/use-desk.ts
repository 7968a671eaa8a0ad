/** One engine for the page, and the tables in it. */
import { useGateway } from 'claim-financing-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { type Answer, type Engine, startEngine } from './engine.ts'
import { tablesIn } from './names.ts'
import { type Loaded, loadTable } from './tables.ts'

export type Desk = {
  loaded: readonly Loaded[]
  /** The present work; undefined if there is none. */
  status: string | undefined
  /** Ends a query under way, reads the lists that the query names, and runs it. @returns undefined if it was stopped */
  ask: (sql: string) => Promise<Answer | undefined>
  /** Ends a query, and the engine with its tables. The next query reads its lists again. */
  stop: () => void
}

export function useDesk(): Desk {
  const gateway = useGateway()
  const engine = useRef<Promise<Engine>>(undefined)
  const tables = useRef<readonly Loaded[]>([])
  const work = useRef<AbortController>(undefined)
  const [loaded, setLoaded] = useState<readonly Loaded[]>([])
  const [status, setStatus] = useState<string>()
  const keep = (next: readonly Loaded[]) => {
    tables.current = next
    setLoaded(next)
  }
  const stop = () => {
    work.current?.abort()
    work.current = undefined
    endEngine(engine)
    setStatus(undefined)
    keep([])
  }
  // Query and worker end with the page.
  useEffect(
    () => () => {
      work.current?.abort()
      endEngine(engine)
    },
    [],
  )
  const answer = async (sql: string, signal: AbortSignal): Promise<Answer> => {
    /** A step of a query that was stopped does not begin, and its end has no effect. */
    const step = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
      signal.throwIfAborted()
      setStatus(name)
      const result = await run()
      signal.throwIfAborted()
      return result
    }
    engine.current ??= startEngine()
    const starting = engine.current
    const started = await step('Loading DuckDB …', () => starting).catch((error: unknown) => {
      if (!signal.aborted) engine.current = undefined
      throw error
    })
    for (const name of tablesIn(sql)) {
      if (tables.current.some((table) => table.name === name)) continue
      const table = await step(`Reading ${name} …`, () => loadTable(gateway, started, name))
      keep([...tables.current, table])
    }
    return step('Running …', () => started.run(sql))
  }
  const ask = async (sql: string): Promise<Answer | undefined> => {
    // A query without end would hold up the next one.
    if (work.current) stop()
    const own = new AbortController()
    work.current = own
    try {
      return await Promise.race([answer(sql, own.signal), aborted(own.signal)])
    } finally {
      if (work.current === own) {
        work.current = undefined
        setStatus(undefined)
      }
    }
  }
  return { loaded, status, ask, stop }
}

function endEngine(engine: RefObject<Promise<Engine> | undefined>): void {
  engine.current?.then((started) => started.stop()).catch(() => {})
  engine.current = undefined
}

function aborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }))
}
