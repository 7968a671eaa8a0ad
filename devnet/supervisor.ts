/** Supervises the services of one run: records each when it starts, detects its exit, stops all in order. */
import type { Indexer } from '../indexer/service/indexer.ts'
import { type Child, describeExit, type Exit, type StopSignal } from './child.ts'
import type { ProcessRecord } from './processes.ts'

export type ServiceName = 'database' | 'chain' | 'indexer' | 'gateway' | 'auditor'

export type Service = {
  name: ServiceName
  pid: number
  stopSignal: StopSignal
  stop: () => Promise<unknown>
  /** Resolves with a description of the exit when the service exits unexpectedly; never after `stop`. */
  lost: Promise<string>
}

export type Supervisor = {
  add: (service: Service) => void
  /** Awaits `work`. @throws Error naming the service that is lost first, with the last lines of its output */
  watch: <Result>(work: Promise<Result>) => Promise<Result>
  /** Stops all services, each before those that it uses; from then on an exit is expected. */
  stopAll: () => Promise<void>
}

/** A service stops before the services that it uses. A new world's indexer starts before its chain. */
const STOP_ORDER = [
  'auditor',
  'gateway',
  'indexer',
  'chain',
  'database',
] as const satisfies readonly ServiceName[]

export function createSupervisor(record: ProcessRecord): Supervisor {
  const services: Service[] = []
  const takeNext = () => {
    const name = STOP_ORDER.find((each) => services.some((service) => service.name === each))
    const index = services.findLastIndex((service) => service.name === name)
    return services.splice(index, index < 0 ? 0 : 1)[0]
  }
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
      for (let service = takeNext(); service; service = takeNext()) await service.stop()
    },
  }
}

export function childService(
  name: ServiceName,
  { pid, stopSignal, stop, exited, isStopping }: Child,
): Service {
  return { name, pid, stopSignal, stop, lost: unlessStopped(exited, isStopping) }
}

export function indexerService({ pid, stop, exited }: Indexer): Service {
  let isStopping = false
  const end = exited.then(({ errors, ...exit }) => ({ ...exit, lastWords: errors }))
  return {
    name: 'indexer',
    pid,
    stopSignal: 'SIGINT',
    stop: () => {
      isStopping = true
      return stop()
    },
    lost: unlessStopped(end, () => isStopping),
  }
}

function unlessStopped(exited: Promise<Exit>, isStopping: () => boolean): Promise<string> {
  return new Promise((resolve) => {
    void exited.then((exit) => {
      if (!isStopping()) resolve(describeExit(exit))
    })
  })
}
