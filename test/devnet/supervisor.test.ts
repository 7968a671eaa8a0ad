/** Services of a development system stop with it. */
import { expect, it } from 'vitest'
import { createSupervisor, type Service, type ServiceName } from '../../devnet/supervisor.ts'

function supervise() {
  const events: string[] = []
  const record = { add: (name: string) => void events.push(`${name} started`), close: () => {} }
  const service = (name: ServiceName): Service => ({
    name,
    pid: 1,
    stopSignal: 'SIGTERM',
    stop: async () => void events.push(`${name} stopped`),
    lost: new Promise(() => {}),
  })
  return { events, service, ...createSupervisor(record) }
}

it('services stop before those that they use, whatever their order was', async () => {
  const { add, stopAll, service, events } = supervise()
  for (const name of ['chain', 'database', 'auditor', 'indexer', 'gateway'] as const) add(service(name))
  await stopAll()
  const stopped = ['auditor', 'gateway', 'indexer', 'chain', 'database'].map((name) => `${name} stopped`)
  expect(events.slice(5)).toEqual(stopped)
})

it('a service that starts after all others were stopped is recorded and stopped, too', async () => {
  const { add, stopAll, service, events } = supervise()
  await stopAll()
  add(service('gateway'))
  expect(events).toEqual(['gateway started', 'gateway stopped'])
})
