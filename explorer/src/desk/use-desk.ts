/** One engine for the page, and the tables in it. */
import { useGateway } from 'claim-financing-react'
import { useEffect, useRef, useState } from 'react'
import { type Answer, type Engine, startEngine } from './engine.ts'
import { tablesIn } from './names.ts'
import { type Loaded, loadTable } from './tables.ts'

export type Desk = {
  loaded: readonly Loaded[]
  /** The present work; undefined if there is none. */
  status: string | undefined
  /** Reads the lists that the query names, and runs it. @returns undefined if it was stopped */
  ask: (sql: string) => Promise<Answer | undefined>
  /** Ends a query, and the engine with its tables. The next query reads its lists again. */
  stop: () => void
}

export function useDesk(): Desk {
  const gateway = useGateway()
  const engine = useRef<Promise<Engine>>(undefined)
  const tables = useRef<readonly Loaded[]>([])
  const end = useRef<(stopped: undefined) => void>(undefined)
  const [loaded, setLoaded] = useState<readonly Loaded[]>([])
  const [status, setStatus] = useState<string>()
  const keep = (next: readonly Loaded[]) => {
    tables.current = next
    setLoaded(next)
  }
  const stop = () => {
    end.current?.(undefined)
    engine.current?.then((started) => started.stop()).catch(() => {})
    engine.current = undefined
    keep([])
  }
  useEffect(
    // The worker ends with the page.
    () => () => {
      engine.current?.then((started) => started.stop()).catch(() => {})
      engine.current = undefined
    },
    [],
  )
  const answer = async (sql: string): Promise<Answer> => {
    setStatus('Loading DuckDB …')
    engine.current ??= startEngine()
    const started = await engine.current.catch((error: unknown) => {
      engine.current = undefined
      throw error
    })
    for (const name of tablesIn(sql)) {
      if (tables.current.some((table) => table.name === name)) continue
      setStatus(`Reading ${name} …`)
      keep([...tables.current, await loadTable(gateway, started, name)])
    }
    setStatus('Running …')
    return started.run(sql)
  }
  const ask = async (sql: string): Promise<Answer | undefined> => {
    // A query under way must not report to the next one.
    end.current?.(undefined)
    const stopped = new Promise<undefined>((resolve) => {
      end.current = resolve
    })
    try {
      return await Promise.race([answer(sql), stopped])
    } finally {
      setStatus(undefined)
    }
  }
  return { loaded, status, ask, stop }
}
