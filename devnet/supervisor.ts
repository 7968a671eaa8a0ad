/** Supervises the services of one run: records each when it starts, detects its exit, stops all in reverse order. */
import type { Indexer } from '../indexer/service/indexer.ts'
import { type Child, describeExit } from './child.ts'
import type { ProcessRecord } from './processes.ts'

export type Service = {
  name: string
  pid: number
  stopSignal: 'SIGINT' | 'SIGTERM'
  stop: () => Promise<unknown>
  /** Resolves with a description of the exit when the service exits unexpectedly; never after `stop`. */
  lost: Promise<string>
}

export type Supervisor = {
  add: (service: Service) => void
  /** Awaits `work`. @throws Error naming the service that is lost first, with the last lines of its output */
  watch: <Result>(work: Promise<Result>) => Promise<Result>
  /** Stops all services, the last one added first; from then on an exit is expected. */
  stopAll: () => Promise<void>
}

export function createSupervisor(record: ProcessRecord): Supervisor {
  const services: Service[] = []
  let stopping = false
  let reportLoss: (loss: Error) => void = () => {}
  const loss = new Promise<never>((_, reject) => {
    reportLoss = reject
  })
  loss.catch(() => {})
  return {
    add: (service) => {
      services.push(service)
      record.add(service.name, service.pid, service.stopSignal)
      void service.lost.then((how) => {
        if (!stopping) reportLoss(new Error(`the ${service.name} ${how}`))
      })
      // Too late: its exit ends what waits for it.
      if (stopping) void service.stop()
    },
    watch: (work) => Promise.race([loss, work]),
    stopAll: async () => {
      stopping = true
      for (let service = services.pop(); service; service = services.pop()) await service.stop()
    },
  }
}

export function childService(name: string, child: Child, stopSignal: Service['stopSignal']): Service {
  const lost = new Promise<string>((resolve) => {
    void child.exited.then((exit) => {
      if (!child.isStopping()) resolve(describeExit(exit))
    })
  })
  return { name, pid: child.pid, stopSignal, stop: child.stop, lost }
}

export function indexerService(indexer: Indexer): Service {
  let asked = false
  const stop = () => {
    asked = true
    return indexer.stop()
  }
  const lost = new Promise<string>((resolve) => {
    void indexer.exited.then(({ code, signal, errors }) => {
      if (!asked) resolve(describeExit({ code, signal, lastWords: errors }))
    })
  })
  return { name: 'indexer', pid: indexer.pid, stopSignal: 'SIGINT', stop, lost }
}
